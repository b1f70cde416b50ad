/** The question about a page of the internet in a real window: its address whole, why it asks, what a longer yes would cover. */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { allow } from "../../support/approvalBar";
import { askInChat } from "../../support/askInChat";
import { shareLocalWindow } from "../../support/sharedWindow";
import type { VsCodeWindow } from "../../support/window";
import { beginChat } from "../../support/newChat";

describe("fetching a page in a window", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before(async () => {
    window = await shareLocalWindow();
    chat = await beginChat(window);
  });
  after(() => window.close());

  it("A3, A13: the demonstrator asks for a page, the question names its host, and a no fetches nothing", async () => {
    await askInChat(chat, "Fetch https://docs.sluice.example/start?lang=en");
    const card = chat.locator(".approval").last();
    await card.waitFor();
    const text = await card.innerText();
    assert.match(text, /Fetch https:\/\/docs\.sluice\.example\/start\?lang=en/);
    assert.match(text, /Why it asks: sends this address to its server, and reads what that answers/);
    await window.screenshot("fetch-question");
    await chat.getByRole("button", { name: "Allow for longer…" }).click();
    await chat.getByText("Fetch or look at pages of https://docs.sluice.example").first().waitFor();
    await window.screenshot("fetch-scopes");
    await chat.getByRole("button", { name: "Allow for longer…" }).click();
    await chat.getByRole("button", { name: "Don't Allow", exact: true }).first().click();
    await chat.locator(".tool-denied").waitFor();
  });

  it("A13, S4: what can't be reached is said in its row", async () => {
    await askInChat(chat, "Fetch https://docs.sluice.example/start");
    await allow(chat);
    const row = chat.locator(".tool-failed").last();
    await row.waitFor();
    assert.match(
      await row.innerText(),
      /Fetch https:\/\/docs\.sluice\.example\/start\s+failed: docs\.sluice\.example could not be fetched/,
    );
  });
});
