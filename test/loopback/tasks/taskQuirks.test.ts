/** R2: what task endpoints do otherwise, through the whole client: what is tolerable changes nothing, what is broken says so and loses nothing. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { describeError } from "../../../src/domain/words/describeError";
import { AppFailure } from "../../../src/domain/errors/appError";
import { taskFaultKinds } from "../../faults/taskFaults";
import { openAppOverGateway } from "../../support/appOverGateway";
import { createMovedClock } from "../../support/movedClock";
import { someOf } from "../../support/runs";
import { quirkRows } from "../gateway/quirkRows";
import {
  type Arm,
  besideAnother,
  cancelledAs,
  continuedOver,
  goesOn,
  goesOnAfterCancel,
  reconciledAs,
  refusedWith,
  saved,
  staleMeanwhile,
  unreadableResult,
  type QuirkCase,
} from "./quirkCases";
import { type Accepted, TaskBench } from "./taskBench";

const readWith = (value: unknown, check: (accepted: Accepted) => void): QuirkCase => ({
  value,
  async shows(bench, arm) {
    const id = await bench.submit();
    arm();
    check(await bench.ends(id, "succeeded"));
  },
});

const cases: Readonly<Record<string, readonly QuirkCase[]>> = {
  "task.lost-202": [
    {
      async shows(bench, arm) {
        arm(1);
        const id = await bench.submit();
        assert.equal(bench.task(id).submission.state, "outcome-unknown");
        await bench.over.app.outbox.sendAgain(bench.over.app.board.see(id));
        assert.equal(bench.task(id).submission.state, "accepted");
        assert.equal(bench.over.gateway.openHolds, 1);
      },
    },
  ],
  "task.same-key": [
    { shows: reconciledAs("accepted") },
    { value: "new-task", shows: reconciledAs("accepted") },
    { value: "in-flight", shows: reconciledAs("outcome-unknown") },
    { value: "error", shows: reconciledAs("outcome-unknown") },
  ],
  "task.other-task": [
    { title: "to a known key", shows: besideAnother(reconciledAs("outcome-unknown")) },
    // The gateway counts the end of the other task, which it has sent, as this one's.
    { title: "to a read", provokes: ["read-after-end"], shows: besideAnother(staleMeanwhile) },
  ],
  "task.read-late": [{ value: 3_000, shows: goesOn }],
  "task.not-exist": [{ shows: staleMeanwhile }],
  "task.status-form": [
    { shows: goesOn },
    { value: "name", shows: goesOn },
    ...["zero", "nine"].map((value) => ({
      value,
      shows: async (bench: TaskBench, arm: Arm) => {
        const id = await bench.running("[stuck] a hill");
        arm();
        const { remote } = await bench.reaches(id, (now) => now.remote.state === "unknown");
        assert.equal(remote.rawStatus, value === "zero" ? "0" : "9");
      },
    })),
  ],
  "task.status-order": [{ shows: goesOn }, { value: "skip", shows: goesOn }],
  "task.assets-form": [
    ...["object", "extra", "list", "seed-text", "data-url"].map((value) => ({ value, shows: saved })),
    ...["empty", "malformed", "missing"].map((value) => ({ value, shows: unreadableResult })),
  ],
  "task.error-form": [undefined, "null", "object", "missing"].map((value) => ({
    value,
    async shows(bench: TaskBench, arm: Arm) {
      const id = await bench.submit("a hill [fail]");
      arm();
      const { remote } = await bench.ends(id, "failed");
      if (value === undefined) assert.equal(remote.errorCode, "5001");
    },
  })),
  "task.refunded-later": [
    {
      async shows(bench, arm) {
        const id = await bench.submit("a hill [fail]");
        arm();
        await bench.ends(id, "failed");
        await bench.ends(id, "refunded");
      },
    },
  ],
  "task.cancel-form": [
    { value: "empty", shows: cancelledAs("confirmed", "cancelled") },
    { value: "no-content", shows: cancelledAs("confirmed", "cancelled") },
    // 400 after the cancel has taken place, and a response that never comes: the read after it shows the end.
    { value: "bad-request", shows: cancelledAs("confirmed", "cancelled") },
    { value: "hang", firstByte: 1_000, shows: cancelledAs("confirmed", "cancelled") },
    // Taken and not acted on, refused, broken: the task runs on and is never shown as ended before the cancel.
    { value: "accepted", shows: goesOnAfterCancel("open", "no-effect") },
    { value: "conflict", shows: goesOnAfterCancel("refused", "refused") },
    { value: "error", shows: goesOnAfterCancel("failed", "no-effect") },
  ],
  "task.events-form": [
    // A page that is smaller than asked for is followed by the next one.
    ...["unordered", "duplicated", "small-page"].map((value) => ({
      value,
      async shows(bench: TaskBench, arm: Arm) {
        const id = await bench.done();
        arm();
        await bench.during(bench.over.app.loadEvents(id));
        assert.deepEqual(
          bench.accepted(id).events?.map(({ type }) => type),
          ["created", "submitted", "processing", "succeeded"],
        );
      },
    })),
    ...["gap", "future", "unknown-type", "empty"].map((value) => ({
      value,
      async shows(bench: TaskBench, arm: Arm) {
        const id = await bench.done();
        arm(1);
        await bench.during(bench.over.app.loadEvents(id));
        const events = bench.accepted(id).events ?? [];
        assert.equal(events.length > 0, value !== "empty");
        assert.equal(new Set(events.map((event) => event.id)).size, events.length);
        assert.equal(bench.accepted(id).remote.state, "succeeded");
      },
    })),
  ],
  "task.time-form": ["no-ms", "no-zone", "offset", "ahead", "behind"].map((value) =>
    readWith(value, ({ remote: { createdAt = 0, completedAt = 0 } }) => {
      const hour = 3_600_000;
      const off = value === "ahead" ? hour : value === "behind" ? -hour : 0;
      const start = Date.UTC(2026, 0, 15, 12, 0, 0) + off;
      assert.ok(createdAt >= start - 1_000 && completedAt >= createdAt && completedAt < start + 600_000);
    }),
  ),
  "task.extra-fields": [{ shows: goesOn }],
  "task.completed-at": [
    readWith("null", ({ remote }) => assert.equal(remote.completedAt, undefined)),
    readWith("before", ({ remote }) => assert.ok(remote.completedAt! < remote.createdAt!)),
  ],
  "task.slow-read": [
    {
      firstByte: 1_000,
      async shows(bench, arm) {
        const id = await bench.running();
        arm(1);
        // The gateway holds the read until the clock moves on, but the client's own limit is in real time: it ends the read, and reads again.
        await bench.reaches(id, () => bench.over.gateway.faults.armed.length === 0);
        assert.equal((await bench.ends(id, "succeeded")).stale, undefined);
        assert.ok(bench.over.gateway.requests.some(({ aborted }) => aborted === true));
      },
    },
  ],
  "task.asset-form": [
    ...["forbidden", "gone", "html", "truncated"].map((value) => ({ value, shows: saved })),
    ...["no-range", "redirect", "wrong-type"].map((value) => ({ value, shows: saved })),
    ...["other-part", "other-half"].map((value) => ({ value, shows: continuedOver })),
    { value: "html", title: "each time", shows: unreadableResult },
  ],
  "task.asset-lost": [
    {
      async shows(bench, arm) {
        const id = await bench.done();
        bench.over.gateway.faults.arm({ name: "task.asset-form", value: "gone", times: 1 });
        arm();
        await assert.rejects(bench.during(bench.over.app.saveResult(id)), AppFailure);
        assert.equal(bench.accepted(id).remote.state, "failed");
      },
    },
  ],
  "task.link-life": [
    {
      value: 5_000,
      async shows(bench, arm) {
        arm(20);
        const id = await bench.done();
        for (let step = 0; step < 20; step += 1) await bench.clock.advance(500);
        bench.over.gateway.faults.clear();
        const picture = await readFile(await bench.during(bench.over.app.saveResult(id)));
        assert.equal(picture.subarray(1, 4).toString(), "PNG");
      },
    },
  ],
  "task.not-enabled": [undefined, 400, 404, 422, 501].map((value) => ({ value, shows: refusedWith("not-enabled") })),
  "task.no-funds": [undefined, 403, 429].map((value) => ({ value, shows: refusedWith("insufficient-balance") })),
  "task.restart": [{ value: 3_000, shows: staleMeanwhile }],
  "task.key-rotated": [
    {
      value: "sk-local-another",
      async shows(bench, arm) {
        const id = await bench.running();
        const before = bench.accepted(id).remote;
        arm(1);
        const { remote, stale } = await bench.reaches(id, (now) => now.stale !== undefined);
        assert.deepEqual([remote, stale?.error.kind], [before, "unauthorized"]);
        // Another key may be another account's: the task is not read under it.
        bench.over.setKey("sk-local-another");
        await bench.reaches(id, (now) => now.stale?.error.kind === "signed-out");
      },
    },
  ],
  // The same bytes go under a key each time, so neither is ever seen.
  "task.key-reused": [{ shows: reconciledAs("accepted") }, { value: "first-task", shows: reconciledAs("accepted") }],
};

/** Those of an enumeration. */
function valuesOf(schema: z.ZodMiniType): readonly unknown[] {
  const inner = schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema;
  if (inner instanceof z.ZodMiniEnum) return Object.values(inner.def.entries);
  return inner instanceof z.ZodMiniLiteral ? [...inner.def.values] : [];
}

describe("R2: task faults through the whole client", () => {
  it("R2: every switch of the task endpoints has its quirk, and a case for each of its values", () => {
    const missing: string[] = [];
    for (const { name, value } of Object.values(taskFaultKinds)) {
      assert.ok(cases[name]?.length && quirkRows[name], name);
      const first: unknown = value.safeParse(undefined).data;
      const given = new Set(cases[name].map((one) => one.value ?? first));
      missing.push(...valuesOf(value).flatMap((each) => (given.has(each) ? [] : `${name}=${String(each)}`)));
    }
    assert.deepEqual(missing, []);
  });

  for (const [at, [name, list]] of Object.entries(cases).entries()) {
    // Each has a product and a gateway of its own: all values in full runs.
    for (const { value, title = "", firstByte, provokes = [], shows } of someOf(list, at, 2)) {
      const shown = (value === undefined ? "" : `=${JSON.stringify(value)}`) + (title === "" ? "" : `, ${title}`);
      it(`R2, ${quirkRows[name] ?? "?"}: ${name}${shown}`, async () => {
        const clock = createMovedClock();
        let isArmed = (): boolean => false;
        // Short only while the fault waits for its request, so that a busy machine ends no other.
        const limits = () => (isArmed() && firstByte !== undefined ? { firstByte, read: firstByte } : {});
        const over = await openAppOverGateway({ clock, pollClock: clock, limits, provokes });
        isArmed = () => over.gateway.faults.armed.length > 0;
        const bench = new TaskBench(over, clock);
        const arm: Arm = (times) =>
          bench.over.gateway.faults.arm({
            name,
            ...(value === undefined ? {} : { value }),
            ...(times === undefined ? {} : { times }),
          });
        try {
          await shows(bench, arm);
        } finally {
          await bench.over.close();
        }
        // Whatever is shown for an error has words.
        for (const { submission } of bench.over.app.board.listed.values())
          if (submission.state === "not-accepted") assert.notEqual(describeError(submission.error, "submit").title, "");
      });
    }
  }
});
