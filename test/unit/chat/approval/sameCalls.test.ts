/** Identical calls of a turn: a changed file is a reason to run a command again, and never one to pay for the same task again. */
import assert from "node:assert/strict";
import { createGuard, type GuardedFolder } from "../../../support/guardedFolder";

describe("the same call again and again", () => {
  let guard: GuardedFolder;
  beforeEach(async () => {
    guard = await createGuard();
    await guard.put("a.ts", "one\n");
  });
  afterEach(() => guard.remove());

  it("A1, A11: a fourth one is refused until a file was changed; one that is paid for stays refused", async () => {
    const run = { name: "run", input: { argv: ["npm", "test"] } };
    const order = { name: "order", input: { taskType: "video" } };
    const edit = { name: "edit_file", input: { path: "a.ts", old_text: "one", new_text: "two" } };
    const { session } = guard.open();
    const calls = [order, order, order, order, run, run, run, run, edit, run, order];
    const once = Array.from({ length: 8 }, () => "once" as const);
    assert.equal(
      await guard.turn(
        session,
        calls.map((call) => [call]),
        once,
      ),
      8,
    );
    const failed = guard.states(session).flatMap((state, at) => (state === "failed" ? [at] : []));
    assert.deepEqual(failed, [3, 7, 10]);
    assert.equal(await guard.read("a.ts"), "two\n");
  });

  it("A11: something new lets it run again; calls that take turns without anything new do not", async () => {
    const run = { name: "run", input: { argv: ["npm", "test"] } };
    const other = { name: "run", input: { argv: ["npm", "install"] } };
    const { session } = guard.open();
    const calls = [run, run, run, other, run, other, run, other, run, other, other];
    const once = Array.from({ length: 10 }, () => "once" as const);
    assert.equal(
      await guard.turn(
        session,
        calls.map((call) => [call]),
        once,
      ),
      9,
    );
    const failed = guard.states(session).flatMap((state, at) => (state === "failed" ? [at] : []));
    assert.deepEqual(failed, [9, 10]);
  });
});
