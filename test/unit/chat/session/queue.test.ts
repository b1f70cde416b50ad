/** Prompts that are written while a turn runs: queued, sent in order, kept after a stop, and stored. */
import assert from "node:assert/strict";
import { modeOf } from "../../../../src/domain/chat/choices";
import type { ChatSession } from "../../../../src/chat/session/session";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { makeTool, progressOf, sessionOver, waiting } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";

const sent = ({ chat }: ChatSession): string[] =>
  chat.entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
const queued = ({ chat }: ChatSession): string[] => (chat.queue ?? []).map(({ text }) => text);

/** Holds each request until the test calls `answer`. */
function heldModel(): { streamChat: Parameters<typeof sessionOver>[0]; answer: () => void; asked: () => number } {
  const held: (() => void)[] = [];
  let asked = 0;
  return {
    asked: () => asked,
    answer: () => held.shift()?.(),
    async *streamChat(_request, signal) {
      asked += 1;
      await new Promise<void>((resolve, reject) => {
        held.push(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      yield* textAnswer(`answer ${asked}`);
    },
  };
}

describe("ChatSession, the queue", () => {
  it("P1: what is written while a turn runs is sent in order, each in a turn of its own, with its id kept", async () => {
    const model = heldModel();
    const { session } = sessionOver(model.streamChat);
    const turn = session.submit("one");
    assert.equal(await session.submit("two"), true);
    assert.equal(await session.submit("three"), true);
    const ids = session.chat.queue?.map(({ id }) => id);
    for (let count = 1; count <= 3; count += 1) {
      await until(() => model.asked() === count);
      assert.deepEqual(sent(session), ["one", "two", "three"].slice(0, count));
      assert.deepEqual(queued(session), ["two", "three"].slice(count - 1));
      model.answer();
    }
    assert.equal(await turn, true);
    assert.equal(session.chat.running, false);
    assert.equal(session.chat.queue, undefined);
    const users = session.chat.entries.filter(({ type }) => type === "user");
    assert.deepEqual(
      users.slice(1).map(({ id }) => id),
      ids,
    );
  });

  it("P1, P3: of two prompts that are sent while the window takes the chat over, the second is queued", async () => {
    const model = heldModel();
    const taken = Promise.withResolvers<undefined>();
    const storage = {
      isWritable: false,
      takeOver: () => taken.promise.then(() => (storage.isWritable = true)),
      flush: () => Promise.resolve(),
      hasTitle: false,
      setTitle: () => Promise.resolve(),
    };
    const { session } = sessionOver(model.streamChat, [], undefined, undefined, undefined, storage);
    const turns = [session.submit("one"), session.submit("two")];
    taken.resolve(undefined);
    await until(() => model.asked() === 1);
    assert.deepEqual([sent(session), queued(session)], [["one"], ["two"]]);
    model.answer();
    await until(() => model.asked() === 2);
    model.answer();
    assert.deepEqual(await Promise.all(turns), [true, true]);
  });

  it("A13: a prompt that is queued with a mode leaves the turn that runs in its own, and begins its turn in it, also after a reload", async () => {
    const model = heldModel();
    const { session } = sessionOver(model.streamChat);
    const lines: string[] = [];
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.setMode("plan");
    const turn = session.submit("one");
    await until(() => model.asked() === 1);
    await session.submit("two", [], { mode: "agent" });
    assert.equal(modeOf(session.chat), "plan");
    assert.equal(modeOf(replayChat("c", lines)), "plan");
    model.answer();
    await until(() => model.asked() === 2);
    assert.equal(modeOf(session.chat), "agent");
    assert.equal(modeOf(replayChat("c", lines)), "agent");
    model.answer();
    await turn;
    const modes = session.chat.entries.flatMap((entry) => (entry.type === "user" ? [entry.mode ?? "agent"] : []));
    assert.deepEqual(modes, ["plan", "agent"]);
  });

  it("P1: a stop keeps the queue, also between the calls of an answer; it is sent when the person says so", async () => {
    const model = answersOf(callingAnswer({ name: "slow", input: {} }), textAnswer("two"), textAnswer("three"));
    const { session } = sessionOver(model.streamChat, [makeTool("slow", () => new Promise(() => undefined))]);
    const turn = session.submit("one");
    await until(() => progressOf(session).includes("running"));
    await session.submit("two");
    await session.submit("three");
    session.stop();
    await turn;
    assert.deepEqual([sent(session), queued(session)], [["one"], ["two", "three"]]);
    assert.equal(model.requests.length, 1);
    assert.equal(await session.sendQueued(), true);
    assert.deepEqual([sent(session), queued(session)], [["one", "two", "three"], []]);
    assert.equal(await session.sendQueued(), false, "nothing is queued any more");
  });

  it("P1: an answer that failed keeps the queue; asking again sends it once the answer has come", async () => {
    let calls = 0;
    const { session } = sessionOver(async function* () {
      calls += 1;
      await Promise.resolve();
      if (calls === 1) throw new AppFailure({ kind: "rate-limited", message: "slow", status: 429 });
      yield* textAnswer("here");
    });
    const turn = session.submit("one");
    await session.submit("two");
    await turn;
    assert.deepEqual([calls, queued(session)], [1, ["two"]]);
    await session.retry();
    assert.deepEqual([calls, sent(session), queued(session)], [3, ["one", "two"], []]);
  });

  it("P1: a queued message can be removed, once, and not after it was sent; nothing is sent twice while a turn runs", async () => {
    const model = heldModel();
    const { session } = sessionOver(model.streamChat);
    const turn = session.submit("one");
    await session.submit("two");
    await session.submit("three");
    const [two] = session.chat.queue ?? [];
    assert.equal(await session.sendQueued(), false);
    assert.equal(await session.removeQueued(two!.id), true);
    assert.equal(await session.removeQueued(two!.id), false);
    await until(() => model.asked() === 1);
    model.answer();
    await until(() => model.asked() === 2);
    assert.equal(await session.removeQueued(session.chat.entries.at(-2)!.id), false);
    model.answer();
    await turn;
    assert.deepEqual(sent(session), ["one", "three"]);
  });

  it("P1, P4: what waited when the window ended still waits in the stored chat, and is sent only when asked for", async () => {
    const lines: string[] = [];
    const first = sessionOver(answersOf(callingAnswer({ name: "edit", input: {} })).streamChat, [
      makeTool("edit", () => assert.fail("ran"), true),
    ]);
    first.session.onDidEmit((event) => lines.push(writeEvent(event)));
    void first.session.submit("one");
    await until(() => waiting(first.session).length === 1);
    await first.session.submit("two");
    const model = answersOf(textAnswer("done"));
    const second = sessionOver(model.streamChat, [], undefined, replayChat("chat", lines));
    assert.deepEqual([queued(second.session), second.session.chat.running], [["two"], false]);
    assert.equal(model.requests.length, 0);
    await second.session.sendQueued();
    assert.deepEqual(
      model.requests[0]!.messages.map(({ role }) => role),
      ["system", "user", "assistant", "tool", "user"],
    );
    first.session.stop();
  });
});
