/** A tool at work: what it reports reaches the chat, and Stop never waits for it. */
import assert from "node:assert/strict";
import type { CallEffects, Tool } from "../../../../src/domain/tools/tool";
import { toolCalls, type ToolCallBlock } from "../../../../src/domain/chat/chat";
import { callTitle } from "../../../../src/chat/page/rows/toolText";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, progressOf, sessionOver, waiting } from "../../../support/chatSessions";

type Run = (signal: AbortSignal, effects?: CallEffects) => Promise<string>;

function toolOf(run: Run, asks: boolean): Tool {
  const facts = { action: { type: "call", name: "work" }, run } as const;
  const change = { file: "/a", before: "a", after: "b", preview: { path: "a", hunks: [] } };
  return {
    declaration: { name: "work", description: "work", parameters: { type: "object" } },
    effect: "runs",
    prepare: () => Promise.resolve(asks ? { ...facts, reasons: ["writes-file"], change } : facts),
  };
}

/** A turn whose only call runs, after the yes that it may need. */
async function running(run: Run, asks = false) {
  const model = answersOf(callingAnswer({ name: "work", input: {} }), textAnswer("done"));
  const over = sessionOver(model.streamChat, [toolOf(run, asks)]);
  const { session } = over;
  const turn = session.submit("go");
  if (asks) {
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
  }
  await until(() => progressOf(session)[0] === "running");
  const block = (): ToolCallBlock => toolCalls(answers(session)[0]!)[0]!;
  return { ...over, model, turn, block };
}

describe("a running tool", () => {
  for (const asks of [false, true]) {
    const kind = asks ? "an approved change" : "a call that needs no approval";
    it(`A1 (finding 33): Stop does not wait for ${kind} that ignores its signal, and drops its late result and reports`, async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      let effects: CallEffects | undefined;
      const run: Run = (_signal, given) => ((effects = given), promise);
      const { session, clock, turn, block } = await running(run, asks);
      let ended = false;
      void turn.then(() => (ended = true));
      session.stop();
      await clock.advance(100);
      assert.ok(ended, "the turn has ended within 100 ms");
      const stopped = session.chat;
      assert.deepEqual(block().progress, {
        state: "stopped",
        input: {},
        action: { type: "call", name: "work" },
        started: true,
        ...(asks ? { allowed: "call" } : {}),
      });
      effects?.output("late");
      effects?.activity({ type: "files-visited", files: 1 });
      resolve("late");
      await clock.advance(100);
      assert.equal(session.chat, stopped);
    });
  }

  it("A7: after such a stop the model is told that the call may have had effects", async () => {
    const { session, model, turn } = await running(() => new Promise(() => undefined), true);
    session.stop();
    await turn;
    await session.submit("go on");
    const result = model.requests[1]!.messages.find(({ role }) => role === "tool");
    assert.match(result?.role === "tool" ? result.text : "", /may have had effects/);
  });

  it("A1: its output and activity reach the chat while it runs; the model gets the result alone", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { session, model, turn, block } = await running((_signal, effects) => {
      effects?.output("one\n");
      effects?.activity({ type: "files-visited", files: 100 });
      effects?.output("two\n");
      return promise;
    });
    assert.equal(block().output?.head, "one\ntwo\n");
    assert.deepEqual(block().activity, { type: "files-visited", files: 100 });
    resolve("all done");
    await turn;
    assert.deepEqual(progressOf(session), ["done"]);
    const results = model.requests[1]!.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
    assert.deepEqual(results, ["all done"]);
  });

  it("A3: its line says from its end on what it has done", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { turn, block } = await running((_signal, effects) => {
      effects?.did?.({ type: "read-file", path: "a.ts", lines: { first: 2, last: 4 } });
      return promise;
    });
    assert.equal(callTitle(block()), "work");
    resolve("text");
    await turn;
    assert.equal(callTitle(block()), "Read a.ts 2–4");
  });

  it("A1, P2: a flood of output is kept head and tail", async () => {
    const { session, turn, block } = await running((_signal, effects) => {
      for (let chunk = 0; chunk < 2000; chunk += 1) effects?.output(`${chunk} ${"x".repeat(10_000)}\n`);
      return new Promise(() => undefined);
    });
    assert.ok(JSON.stringify(session.chat).length < 50_000);
    assert.match(block().output?.head ?? "", /^0 x/);
    assert.match(block().output?.tail ?? "", /x\n$/);
    session.stop();
    await turn;
  });
});
