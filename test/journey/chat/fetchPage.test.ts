/** The question about a page of the internet: its address whole, why it asks, what a longer yes would cover. */
import assert from "node:assert/strict";
import { openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";

describe("fetching a page in a chat", () => {
  after(closeWindows);

  it("A3, A13: the demo model asks for a page, the question has its address and offers its host, and a no fetches nothing", async () => {
    const { window } = await openWindow();
    const chat = await openChat(window);
    const url = "https://docs.sluice.example/start?lang=en";
    await chat.ask(`Fetch ${url}`);
    const { action, approval } = await chat.approval();
    assert.deepEqual(action, { type: "fetch-url", url });
    assert.deepEqual(approval.reasons, ["fetches-url"]);
    assert.deepEqual(
      approval.offers?.map(({ subject }) => subject),
      (approval.offers ?? []).map(() => ({ type: "fetch", origin: "https://docs.sluice.example" })),
    );
    assert.ok(approval.offers.some(({ scope }) => scope === "session"));
    await chat.decide(false);
    await chat.ended();
    assert.equal(chat.calls[0]?.progress.state, "denied");
  });
});
