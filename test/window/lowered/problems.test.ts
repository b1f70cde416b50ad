/** What goes wrong, in the real window: each state has its words and its one action, in light, high contrast and narrow too. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { Frame } from "playwright-core";
import { askInChat } from "../../support/askInChat";
import { picksOf } from "../../support/picks";
import { setKey } from "../../support/setKey";
import { changeUserSettings } from "../../support/userSettings";
import type { VsCodeWindow } from "../../support/window";
import { shareToastWindow, shareWindowOnGateway } from "../../support/windowOnGateway";

describe("problems in the window", () => {
  let window: VsCodeWindow;
  let chat: Frame;
  before("open VS Code on a gateway whose key is not set", async () => {
    const settings = {
      "sluice.baseUrl": "https://problems.invalid/v1",
      "workbench.colorTheme": "Default Light Modern",
    };
    window = await shareToastWindow(settings);
    await window.showContainer("Sluice");
    chat = await window.frameWith("textarea");
  });
  after(() => window.close());
  const ask = (text: string): Promise<void> => askInChat(chat, text);

  it("C2: without a key, chat and tasks say so; the key that is then set is used, and the message is sent", async () => {
    await chat.locator(".notice").getByText("No API key is set for this gateway.").waitFor();
    const tasks = await window.view("Tasks");
    await tasks.getByText("Use the Local Gateway").waitFor();
    await window.screenshot("problem-no-key-light");
    await ask("hello");
    await chat.locator(".error-card").waitFor();
    await window.screenshot("problem-no-key-asked");
    await chat.locator(".error-card").getByRole("button", { name: "Set API Key" }).click();
    const input = window.quickInput().locator("input[type=password]");
    await input.fill("sk-canary-window");
    await input.press("Enter");
    await tasks.getByRole("button", { name: "New Task", exact: true }).waitFor();
    assert.equal(await chat.getByText("sk-canary-window").count(), 0);
    await window.runCommand("Sluice: Use the Local Gateway");
    await chat.getByText("demo-chat").first().waitFor();
    await chat.getByRole("button", { name: "Ask Again" }).click();
    await chat.locator(".row.answer").nth(1).locator(".footer").waitFor();
    assert.equal(await chat.locator(".row.user").count(), 1, "the message was not written again");
    assert.equal(await chat.getByRole("button", { name: "Ask Again" }).count(), 0);
  });

  it("T1: an unreachable gateway: the chat keeps the message and offers to choose another", async () => {
    await window.page.setViewportSize({ width: 620, height: 900 });
    await changeUserSettings(window, {
      "sluice.baseUrl": "http://127.0.0.1:9",
      "workbench.colorTheme": "Default High Contrast",
      "window.autoDetectHighContrast": false,
    });
    await window.page.locator(".monaco-workbench.hc-black").waitFor();
    await window.runCommand("Sluice: New Chat");
    await chat.locator("textarea:focus").waitFor();
    await chat.locator(".notice").getByText("No API key is set for this gateway.").waitFor();
    await setKey(window, "sk-any");
    await chat.locator(".notice").getByText("No API key is set for this gateway.").waitFor({ state: "hidden" });
    await window.runCommand("Sluice: Choose Model…");
    await window.quickInput().locator("input").fill("some-model");
    await window.pick("some-model");
    await window.pick("Chat completions");
    await ask("hello");
    const card = chat.locator(".error-card");
    await card.getByText(/can't be reached/).waitFor();
    assert.equal(await card.getByRole("button", { name: "Choose Gateway" }).count(), 1);
    await window.screenshot("problem-unreachable-high-contrast-narrow");
    await card.getByRole("button", { name: "Choose Gateway" }).click();
    await window.pick("Local gateway");
    await chat.getByText("Local gateway").or(chat.getByText("demo-chat")).first().waitFor();
  });

  it("T2: nothing selected, or only blanks: one message, one action, nothing sent", async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.changeSettings({ "workbench.colorTheme": "Default Light Modern" });
    await window.page.locator(".monaco-workbench.vs").waitFor();
    await window.openFile("hero.prompts.md");
    await window.runCommand("Sluice: Submit Selection as Task…");
    const message = await window.toast("Nothing is selected");
    await window.screenshot("problem-nothing-selected-light");
    await message.getByRole("button", { name: "Type a Prompt…" }).click();
    await window.quickInput().getByText("Stylized image").waitFor();
  });
});

describe("a gateway that is down and then has no model, in the window", () => {
  const gateway = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
  });
  let window: VsCodeWindow;
  let chat: Frame;
  let port: number;
  const listen = async (wanted: number): Promise<number> => {
    await once(gateway.listen(wanted, "127.0.0.1"), "listening");
    return (gateway.address() as AddressInfo).port;
  };
  before("open VS Code on a gateway that is down", async () => {
    // Below the ports that the system gives out: another process could have it when it is bound again.
    port = await listen(20_000 + (process.pid % 10_000));
    await promisify(gateway.close.bind(gateway))();
    ({ window, chat } = await shareWindowOnGateway({ baseUrl: `http://127.0.0.1:${port}`, key: "sk-any" }));
  });
  after(async () => {
    await window.close();
    gateway.closeAllConnections();
    gateway.close();
  });

  it("V4, C5 (finding 22): without a model, the chat names a gateway that is down, and once it is up says to choose one", async () => {
    await chat.locator(".suggestion").first().click();
    const card = chat.locator(".error-card");
    await card.getByText("The gateway can't be reached").waitFor();
    await card.getByText("Nothing was sent, so nothing is paid.").waitFor();
    await card.getByRole("button", { name: "Check Connection" }).waitFor();
    await window.screenshot("gateway-down");
    await listen(port);
    await askInChat(chat, "and now?");
    await card.getByText("Choose a model first.").waitFor();
    await window.screenshot("no-model");
    await card.getByRole("button", { name: "Choose Model" }).click();
    await picksOf(window).step("Type the id of a model");
    await picksOf(window).press("Escape");
  });
});
