/** `@sluice` in VS Code's own chat, in a fresh profile where nobody is signed in. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { openWindow, type VsCodeWindow } from "../../support/window";

describe("@sluice in a fresh profile", () => {
  let window: VsCodeWindow;
  before("open VS Code on the sample", async () => {
    window = await openWindow();
  });
  after(() => window.close());

  /** The input of a new chat of VS Code's own, with the focus. */
  const openChat = async (): Promise<Locator> => {
    await window.runCommand("Chat: New Chat");
    const input = window.page.locator(".interactive-input-part").filter({ has: window.page.locator(".focused") });
    await input.waitFor();
    return input;
  };

  it("V3 (finding N1): answers the first question of a window where Sluice was opened; later windows have its models from the start", async () => {
    await window.showContainer("Sluice");
    await window.frameWith("textarea");
    await openChat();
    const { page } = window;
    await page.keyboard.type("@sluice What is here?");
    // The list of participants is open, and Enter would choose in it.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    const answer = page.locator(".interactive-response").last();
    await answer
      .getByText(/demonstrator|unavailable/)
      .first()
      .waitFor();
    assert.match(await answer.innerText(), /I am the demonstrator/);

    await window.showContainer("Explorer");
    await window.reload();
    await (await openChat()).getByText("demo-chat").waitFor();
    await window.screenshot("participant-after-reload");
  });
});
