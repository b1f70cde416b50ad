/** A model that floods the session with calls, or nests their arguments. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { toolCalls } from "../../../../src/domain/chat/chat";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, errorOf, makeTool, progressOf, sessionOver, waiting } from "../../../support/chatSessions";

const callsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ name: "read", input: { at } }));

describe("a hostile model's calls", () => {
  it("A1: an answer of 100,000 calls fails at once, and nothing of it runs", async () => {
    const model = answersOf(callingAnswer(...callsOf(100_000)), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [makeTool("read", () => assert.fail("ran"))]);
    await session.submit("go");
    assert.equal(answers(session)[0]?.state, "failed");
    assert.match(errorOf(answers(session)[0])?.title ?? "", /256 tool calls/);
    assert.ok(progressOf(session).length <= 256);
    assert.equal(await session.retry(), true);
  });

  it("A1: at most four calls of an answer are at work at the same time", async () => {
    let running = 0;
    let most = 0;
    const read = makeTool("read", async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return "text";
    });
    const model = answersOf(callingAnswer(...callsOf(100)), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [read]);
    await session.submit("go");
    assert.equal(most, 4);
    assert.equal(progressOf(session).filter((state) => state === "done").length, 100);
  });

  it("A1: the results of one answer together are bounded", async () => {
    const read = makeTool("read", () => Promise.resolve("x".repeat(256 * 1024)));
    const model = answersOf(callingAnswer(...callsOf(100)), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [read]);
    await session.submit("go");
    const results = toolCalls(answers(session)[0]!).map(({ progress }) =>
      "result" in progress ? progress.result : "",
    );
    assert.ok(results.join("").length < 5_000_000);
    assert.match(results.at(-1) ?? "", /^x+\n\(\d+ characters left out here, /);
  });

  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, at]));
  for (const [what, input] of [
    ["nested 100,000 deep", deep],
    ["of 20,000 names (finding H15)", many],
  ] as const)
    it(`A7: arguments ${what} are never run, and the chat goes on`, async () => {
      const hostile: readonly ChatEvent[] = [
        { type: "message-start" },
        { type: "tool-call-start", block: 0, call: "call-0", name: "read" },
        { type: "tool-call-end", call: "call-0", input },
        { type: "message-end", finish: "tool-calls", cut: false },
      ];
      const model = answersOf(hostile, textAnswer("done"), textAnswer("more"));
      const { session } = sessionOver(model.streamChat, [makeTool("read", () => assert.fail("ran"))]);
      await session.submit("go");
      assert.deepEqual(progressOf(session), ["invalid"]);
      assert.equal(model.requests.length, 2);
      assert.ok(JSON.stringify(model.requests[1]!.messages).length < 10_000);
    });

  it("A1: a read that was allowed does not hold up a stop", async () => {
    const model = answersOf(callingAnswer({ name: "read", input: {} }));
    const { session } = sessionOver(model.streamChat, [
      makeTool("read", () => new Promise<string>(() => undefined), true),
    ]);
    const turn = session.submit("go");
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await until(() => progressOf(session)[0] === "running");
    session.stop();
    await turn;
    assert.deepEqual(progressOf(session), ["stopped"]);
  });
});
