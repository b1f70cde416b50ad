/** Q-K1 to Q-K3, Q-K12, Q-K19, Q-K20: creating and cancelling tasks: each switch with what shows it. */
import assert from "node:assert/strict";
import { definedFields } from "../../../../src/base/definedFields";
import { type Answered } from "../support";
import { create, read, cancel, made, done, refused, type GatewayCase, gatewayCases } from "./gatewayCase";

const cancelling = (value: string, check: (answered: Answered, after: Answered) => void): GatewayCase => ({
  value,
  before: made,
  shows: async (test, taskId) => check(await cancel(test, taskId), await read(test, taskId)),
});

export const taskWriteCases = gatewayCases({
  "task.lost-202": [
    {
      async shows(test) {
        await assert.rejects(create(test));
        assert.equal(test.gateway.openHolds, 1);
        assert.equal((await create(test)).headers.get("idempotent-replayed"), "true");
        assert.equal(test.gateway.openHolds, 1);
      },
    },
  ],
  "task.same-key": [
    {
      before: made,
      async shows(test, taskId) {
        const answered = await create(test);
        refused(answered, 409, "idempotency_key_conflict");
        assert.equal(answered.json["task_id"], taskId);
      },
    },
    {
      value: "in-flight",
      before: made,
      shows: async (test) => refused(await create(test), 409, "idempotency_in_progress"),
    },
    {
      value: "new-task",
      before: made,
      async shows(test, taskId) {
        assert.notEqual((await create(test)).json["task_id"], taskId);
        assert.equal(test.gateway.openHolds, 2);
      },
    },
    { value: "error", before: made, shows: async (test) => refused(await create(test), 500, "duplicate_key") },
  ],
  "task.other-task": [
    {
      async before(test) {
        const other = await test.createTask({ idempotency_key: "other" });
        await create(test);
        return other;
      },
      async shows(test, other) {
        const answered = await create(test);
        assert.deepEqual([answered.status, answered.json["task_id"]], [202, other]);
        assert.notEqual((await create(test)).json["task_id"], other);
        assert.equal(test.gateway.openHolds, 2);
      },
    },
  ],
  "task.key-reused": [
    {
      before: made,
      shows: async (test) => refused(await create(test, { prompt: "a lake" }), 422, "idempotency_key_reused"),
    },
    {
      value: "first-task",
      before: made,
      async shows(test, taskId) {
        const { status, json } = await create(test, { prompt: "a lake" });
        assert.deepEqual([status, json["task_id"]], [202, taskId]);
      },
    },
  ],
  "task.cancel-form": [
    cancelling("empty", ({ status, text }, after) =>
      assert.deepEqual([status, text, after.json["status"]], [200, "", 6]),
    ),
    cancelling("no-content", ({ status }, after) => assert.deepEqual([status, after.json["status"]], [204, 6])),
    cancelling("accepted", ({ status }, after) => assert.deepEqual([status, after.json["status"]], [202, 1])),
    cancelling("conflict", (answered, after) => {
      refused(answered, 409, "task_not_cancellable");
      assert.equal(after.json["status"], 1);
    }),
    cancelling("error", (answered) => refused(answered, 500, "internal_error")),
    {
      value: "bad-request",
      before: done,
      shows: async (test, taskId) => refused(await cancel(test, taskId), 400, "invalid_request"),
    },
    {
      value: "hang",
      before: made,
      async shows(test, taskId) {
        const giveUp = new AbortController();
        const path = `/v1/tasks/${taskId}`;
        const hanging = test.ask("POST", `${path}/cancel`, { reason: "" }, { signal: giveUp.signal });
        while ((await read(test, taskId)).json["status"] !== 6) await new Promise((resolve) => setImmediate(resolve));
        giveUp.abort();
        await assert.rejects(hanging, { name: "AbortError" });
      },
    },
  ],
  "task.not-enabled": [undefined, 400, 404, 422, 501].map((value) => ({
    ...definedFields({ value }),
    async shows(test) {
      refused(await create(test), value ?? 403, "task_type_not_enabled");
      assert.equal(test.gateway.openHolds, 0);
    },
  })),
  "task.no-funds": [undefined, 403, 429].map((value) => ({
    ...definedFields({ value }),
    async shows(test) {
      refused(await create(test), value ?? 402, "insufficient_user_quota");
      assert.equal(test.gateway.openHolds, 0);
    },
  })),
});
