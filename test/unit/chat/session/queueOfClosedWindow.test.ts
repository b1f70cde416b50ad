/** A window that follows a chat whose writer was killed: what the person takes out of the queue there stays out. */
import assert from "node:assert/strict";
import { answersOf, textAnswer, until } from "../../../support/builders";
import { useChatWindows } from "../../../support/chatWindows";

describe("what a closed window has left", () => {
  const { openWindow, untilStored } = useChatWindows();

  /** A window that follows a chat with a queued prompt; the writer is gone. */
  async function follow(answered: ReturnType<typeof answersOf>) {
    const never = Promise.withResolvers<undefined>();
    const first = await openWindow(async function* (_request, signal) {
      signal?.addEventListener("abort", () => never.reject(new DOMException("stopped", "AbortError")));
      await never.promise;
      yield* textAnswer("late");
    });
    void first.shown.current.submit("one");
    await until(() => first.shown.current.isRunning);
    await first.shown.current.submit("queued");
    await untilStored(first, "queued");
    const { id } = first.current;
    const second = await openWindow(answered.streamChat, { shown: undefined as never });
    await second.show(id);
    assert.equal(second.current.access.current.state, "following");
    await first.close();
    await until(() => {
      const { current } = second.current.access;
      return current.state === "following" && current.isWriterGone;
    });
    return second.shown.current;
  }

  it("S1: a queued prompt that is edited or removed there is not sent, and paid for, after all", async () => {
    const answered = answersOf(textAnswer("a"), textAnswer("b"));
    const session = await follow(answered);
    const [queued] = session.chat.queue ?? [];
    assert.equal(queued?.text, "queued");
    // What the page posts for Edit, after it has put the text into the composer.
    void session.removeQueued(queued.id);
    await session.submit("queued, but better");
    await until(() => !session.isRunning);
    const sent = session.chat.entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
    assert.deepEqual(sent, ["one", "queued, but better"]);
    assert.equal(answered.requests.length, 1);
  });
});
