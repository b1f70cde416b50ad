/** A chat in an editor tab. */
import assert from "node:assert/strict";
import { chatInTab, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

describe("a chat in a tab", () => {
  afterEach(closeWindows);

  it("P1: Open Chat in Editor moves the chat with its turns into a tab", async () => {
    const { window, person } = await openWindow();
    const chat = await openChat(window);
    await chat.turn("Hello there");
    const { id } = chat.chat;
    await person.palette("Sluice: Open Chat in Editor").ended();
    const tab = await chatInTab(window);
    assert.equal(tab.chat.id, id);
    assert.equal(tab.answers.length, 1);
    assert.equal(window.contexts()("activeWebviewPanelId"), "sluice.chatTab");
  });
});
