/** What a hostile gateway says, in the real window: text, never a link, an icon or a hidden order of reading. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { picksOf } from "../../support/picks";
import type { VsCodeWindow } from "../../support/window";
import { answerAvailability, shareWindowOnGateway } from "../../support/windowOnGateway";

const link = "[Verify](command:runCommands?%7B%22commands%22%3A%5B%22workbench.action.terminal.new%22%5D%7D)";
const hostile = `Low balance. ${link} $(shield) \u202Etfel-ot-thgir`;

describe("foreign text in the window", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  before("open VS Code on a gateway that lies", async () => {
    gateway = await serve((response, { url }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) response.end(JSON.stringify({ data: [{ id: hostile }] }));
      else if (url.endsWith("/chat/completions")) {
        response.setHeader("content-type", "text/event-stream");
        const delta = { content: "See [the docs](http://127.1:9/a?b=c) and [us](https://docs.example/)." };
        const chunk = { choices: [{ index: 0, delta, finish_reason: "stop" }] };
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      } else response.writeHead(400).end(JSON.stringify({ error: { message: hostile } }));
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    ({ window } = await shareWindowOnGateway(target));
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  /** As text, whole, with what it hides, and nothing of it to click or drawn as an icon. */
  const assertLiteral = async (place: Locator): Promise<void> => {
    const text = await place.innerText();
    assert.match(text, /\[Verify\] \(command:runCommands/);
    assert.match(text, /\$ \(shield\)/);
    assert.match(text, /⟨U\+202E⟩/);
    assert.equal(await place.locator("a[href^='command:'], a[data-href^='command:'], .codicon-shield").count(), 0);
  };

  it("T11 (finding S2): a model's id that holds a link, an icon and a change of direction is text in the quick pick", async () => {
    await window.runCommand("Sluice: Choose Model…");
    await assertLiteral(window.quickInput().locator(".monaco-list-row").filter({ hasText: "Verify" }).first());
    await window.screenshot("foreign-text-model");
    await picksOf(window).press("Escape");
  });

  it("P5 (finding S12): a model's link to this machine is opened only after a yes to its whole address", async () => {
    const chat = await window.frameWith("textarea");
    await askInChat(chat, "where are the docs?");
    await chat.getByRole("link", { name: "the docs" }).click();
    const question = window.page.locator(".monaco-dialog-box").filter({ hasText: "127.0.0.1: this machine" });
    await question.waitFor();
    await window.screenshot("foreign-text-link");
    assert.match(await question.innerText(), /http:\/\/127\.0\.0\.1:9\/a\?b=c/);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    await chat.getByRole("link", { name: "us", exact: true }).click();
    // VS Code's own question.
    const trusted = window.page.locator(".monaco-dialog-box").filter({ hasText: "https://docs.example/" });
    await trusted.getByRole("button", { name: "Cancel" }).click();
    assert.equal(window.page.context().pages().length, 1);
  });

  it("T11 (finding S2): the 400 message of a submission shows no command link in its notification", async () => {
    await window.openFile("hero.prompts.md");
    await window.selectText("lighthouse");
    await window.runCommand("Sluice: Submit Selection as Task…");
    await window.pick(/^Image/);
    await window.quickInput().locator("input[placeholder*='id']").fill("any-model");
    await window.pick("any-model");
    await window.pick("Submit");
    await answerAvailability(window, "Submit");
    const toast = await window.toast("Low balance");
    await window.screenshot("foreign-text-notification");
    await assertLiteral(toast.locator(".notification-list-item-message"));
    assert.match(await toast.innerText(), /no task was made, and nothing is paid\./);
  });
});
