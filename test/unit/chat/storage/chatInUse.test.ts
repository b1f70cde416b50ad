/** A chat that no page shows any more, with a command in the background (A13). */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { textAnswer, until } from "../../../support/builders";
import { useChatWindows } from "../../../support/chatWindows";

describe("a chat with a command in the background", () => {
  const { openWindow } = useChatWindows();

  it("A13, P4: it stays open while another chat is shown, until the command has ended", async () => {
    const running = new Set<string>();
    const chats = await openWindow(
      async function* (): AsyncGenerator<ChatEvent> {
        yield* textAnswer("started");
        await Promise.resolve();
      },
      {},
      {},
      (chat) => running.has(chat),
    );
    const { id } = chats.current;
    running.add(id);
    await chats.shown.current.submit("start the server");
    chats.create();
    chats.closeUnused();
    assert.ok(chats.open.has(id));
    running.delete(id);
    chats.closeUnused();
    await until(() => !chats.open.has(id));
  });
});
