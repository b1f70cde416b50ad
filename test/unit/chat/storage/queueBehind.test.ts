/** A chat that no page shows any more: what is queued in it is sent and stored (T11). */
import assert from "node:assert/strict";
import { readSession } from "../../../../src/chat/storage/records";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { textAnswer, until } from "../../../support/builders";
import { useChatWindows } from "../../../support/chatWindows";

describe("the queue of a chat in the background", () => {
  const { openWindow, folder } = useChatWindows();

  it("T11, R8: its prompt is answered and stored, and the chat is closed after that", async () => {
    const gate = Promise.withResolvers<undefined>();
    let asked = 0;
    const chats = await openWindow(async function* (): AsyncGenerator<ChatEvent> {
      asked += 1;
      if (asked === 1) await gate.promise;
      yield* textAnswer(`answer ${asked}`);
    });
    const session = chats.shown.current;
    const { id } = chats.current;
    const turn = session.submit("first");
    await until(() => asked === 1);
    await session.submit("second");
    chats.create();
    gate.resolve(undefined);
    await turn;
    await until(() => !session.isRunning && !chats.open.has(id));
    const stored = (await readSession(folder().fileOf(id), id, new AbortController().signal)).session.chat;
    assert.deepEqual(
      stored.entries.map(({ type }) => type),
      ["user", "answer", "user", "answer"],
    );
  });
});
