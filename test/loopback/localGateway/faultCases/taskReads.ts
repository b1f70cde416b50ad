/** Q-K4 to Q-K17: reading tasks and their events: each switch with what shows it. */
import assert from "node:assert/strict";
import type { MovedClock } from "../../../support/movedClock";
import { type GatewayUnderTest } from "../support";
import { read, made, done, refused, fields, type GatewayCase, gatewayCases } from "./gatewayCase";

const failed = async (test: GatewayUnderTest, clock: MovedClock): Promise<string> => {
  const taskId = await test.createTask({ prompt: "a hill [fail]" });
  await clock.advance(20_000);
  return taskId;
};
const processing = async (test: GatewayUnderTest, clock: MovedClock): Promise<string> => {
  const taskId = await test.createTask({ prompt: "a hill [stuck]" });
  await clock.advance(60_000);
  return taskId;
};
type Events = readonly Record<string, unknown>[];
const events = (value: string, check: (odd: Events, plain: Events) => void): GatewayCase => ({
  value,
  before: done,
  async shows(test, taskId) {
    const list = async (): Promise<Events> =>
      (await test.ask("GET", `/v1/tasks/${taskId}/events`)).json["task_events"] as Events;
    check(await list(), await list());
  },
});
const hour = 3_600_000;
const times = (value: string, form: RegExp, off: number): GatewayCase => ({
  value,
  before: done,
  async shows(test, taskId) {
    const odd = (await read(test, taskId)).json;
    const plain = (await read(test, taskId)).json;
    for (const name of ["created_at", "completed_at"]) {
      assert.match(String(odd[name]), form);
      const zoned = /Z$|\+08:00$/.test(String(odd[name])) ? String(odd[name]) : `${String(odd[name])}Z`;
      const gap = Date.parse(zoned) - Date.parse(String(plain[name]));
      assert.ok(Math.abs(gap - off) < 1_000, `${gap}`);
    }
  },
});

export const taskReadCases = gatewayCases({
  "task.read-late": [
    {
      value: 2_000,
      times: 10,
      before: made,
      async shows(test, taskId, clock) {
        refused(await read(test, taskId), 404, "task_not_found");
        refused(await test.ask("GET", `/v1/tasks/${taskId}/events`), 404, "task_not_found");
        await clock.advance(2_000);
        assert.equal((await read(test, taskId)).status, 200);
      },
    },
  ],
  "task.not-exist": [
    { before: made, shows: async (test, taskId) => refused(await read(test, taskId), 400, "task_not_exist") },
  ],
  "task.status-form": [
    fields(processing, undefined, ({ status }) => assert.equal(status, "3")),
    fields(processing, "name", ({ status }) => assert.equal(status, "PROCESSING")),
    fields(processing, "zero", ({ status }) => assert.equal(status, 0)),
    fields(processing, "nine", ({ status }) => assert.equal(status, 9)),
  ],
  "task.status-order": [
    {
      before: processing,
      async shows(test, taskId) {
        const seen = [await read(test, taskId), await read(test, taskId)];
        assert.deepEqual(
          seen.map(({ json }) => json["status"]),
          [2, 3],
        );
      },
    },
    fields(processing, "skip", ({ status }) => assert.equal(status, 1)),
  ],
  "task.error-form": [
    fields(failed, undefined, (json) => assert.equal(json["error_code"], 5001)),
    fields(failed, "null", (json) => assert.deepEqual([json["error_code"], json["error_message"]], [null, null])),
    fields(failed, "object", (json) => assert.equal(typeof json["error_code"], "object")),
    fields(failed, "missing", (json) => assert.ok(json["status"] === 5 && !("error_code" in json))),
  ],
  "task.refunded-later": [
    {
      before: failed,
      async shows(test, taskId) {
        assert.equal((await read(test, taskId)).json["status"], 5);
        assert.equal((await read(test, taskId)).json["status"], 8);
      },
    },
  ],
  "task.events-form": [
    events("unordered", (odd, plain) => assert.deepEqual(odd, plain.toReversed())),
    events("duplicated", (odd, plain) => assert.deepEqual([odd.length, odd[0]], [plain.length * 2, odd[1]])),
    events("gap", (odd, plain) => assert.deepEqual(odd, [plain[0], ...plain.slice(2)])),
    events("small-page", (odd, plain) => assert.deepEqual(odd, plain.slice(0, 2))),
    events("future", (odd, plain) =>
      assert.equal(Date.parse(String(odd[0]!["created_at"])) - Date.parse(String(plain[0]!["created_at"])), 24 * hour),
    ),
    events("unknown-type", (odd, plain) =>
      assert.deepEqual(
        odd.map((event) => event["event_type"]),
        plain.map(() => "throttled"),
      ),
    ),
    events("empty", (odd, plain) => assert.deepEqual([odd.length, plain.length], [0, 4])),
  ],
  "task.time-form": [
    times("no-ms", /T\d\d:\d\d:\d\dZ$/, 0),
    times("no-zone", /T\d\d:\d\d:\d\d\.\d{3}$/, 0),
    times("offset", /\.\d{3}\+08:00$/, 0),
    times("ahead", /Z$/, hour),
    times("behind", /Z$/, -hour),
  ],
  "task.extra-fields": [fields(made, undefined, (json) => assert.ok("progress" in json && "upstream" in json))],
  "task.completed-at": [
    fields(made, undefined, (json) => assert.equal(json["completed_at"], null)),
    fields(done, "before", (json) => {
      assert.ok(Date.parse(String(json["completed_at"])) < Date.parse(String(json["created_at"])));
    }),
  ],
  "task.slow-read": [
    {
      before: made,
      async shows(test, taskId, clock) {
        const waiting = clock.waiting;
        let answered = false;
        const slow = read(test, taskId).then(() => (answered = true));
        while (clock.waiting === waiting) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(29_999);
        assert.equal(answered, false);
        await clock.advance(1);
        await slow;
      },
    },
  ],
});
