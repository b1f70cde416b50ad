/** *Connect to a Gateway…* in the real window: by keys from the address to the message, with Back and Esc, and what the views say meanwhile. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import { picksOf, type Picks } from "../../support/picks";
import type { VsCodeWindow } from "../../support/window";
import { shareToastWindow } from "../../support/windowOnGateway";

const key = "sk-canary-connect";

describe("connecting in the window", () => {
  let window: VsCodeWindow;
  let picks: Picks;
  let gateway: TestServer;
  const asked: (string | undefined)[] = [];
  before("open a window and a gateway that wants one key", async () => {
    gateway = await serve((response, { url, headers }) => {
      asked.push(headers.authorization);
      response.setHeader("content-type", "application/json");
      if (headers.authorization !== `Bearer ${key}`) response.writeHead(401).end('{"error":"no"}');
      else if (url.endsWith("/models")) response.end('{"data":[{"id":"first-model"},{"id":"second-model"}]}');
      else response.writeHead(404).end('{"error":"unknown"}');
    });
    window = await shareToastWindow({ "sluice.consoleUrl": "https://console.example" });
    picks = picksOf(window);
    await window.showContainer("Sluice");
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  const secret = () => window.quickInput().locator("input[type=password]");
  const shown = (text: string | RegExp) => window.quickInput().getByText(text).first().waitFor();
  const open = async (): Promise<void> => {
    await window.runCommand("Sluice: Connect to a Gateway…");
    await picks.step("Choose, or type an address");
  };

  it("C1, C3: what is wrong is explained in the pick, Back leads to what to change, and nothing is stored before", async () => {
    const chat = await window.frameWith(".empty");
    await chat.getByText("Free, and nothing leaves this machine.").waitFor();
    await window.screenshot("connect-0-local");
    await open();
    await window.screenshot("connect-1-address");
    await picks.type("no-address");
    await shown("is no http address");
    await picks.press("ControlOrMeta+a");
    await picks.type("http://127.0.0.1:1/v1");
    await shown("does not answer");
    await window.screenshot("connect-1-silent");
    await picks.press("Enter");
    await secret().waitFor();
    await secret().fill("sk-wrong");
    await window.screenshot("connect-2-key");
    await picks.press("Enter");
    await shown("Nothing listens at 127.0.0.1:1");
    await shown("Show Report");
    await window.screenshot("connect-3-refused");
    // Preselected: the action that helps.
    await picks.press("Enter");
    await picks.step("Choose, or type an address");
    await picks.hasText("http://127.0.0.1:1/v1");
    await picks.press("ControlOrMeta+a");
    await picks.type(`${gateway.url}/v1`);
    await shown(/^answers$/);
    // The address was asked without a key.
    assert.deepEqual(asked, [undefined]);
    await window.screenshot("connect-1-answers");
    await picks.press("Enter");
    await secret().fill("sk-wrong");
    await picks.press("Enter");
    // The box stays, with the reason.
    await shown("The gateway did not accept the API key.");
    await window.screenshot("connect-4-unauthorized");
    assert.equal(await secret().inputValue(), "sk-wrong");
    await secret().fill("sk-half");
    await window.quickInput().getByText("did not accept").waitFor({ state: "hidden" });
    await chat.getByText("Local gateway").first().waitFor();
  });

  it("C2: Esc loses nothing: the address is there again, and the key is taken with Enter but never shown", async () => {
    await picks.press("Escape");
    await picks.closed();
    await open();
    await picks.hasText(`${gateway.url}/v1`);
    await picks.press("Enter");
    await secret().waitFor();
    assert.equal(await secret().inputValue(), "");
    await window.quickInput().getByPlaceholder("Enter takes the key that was typed before", { exact: true }).waitFor();
    await secret().fill(key);
    await picks.press("Enter");
  });

  it("C3, C5: after the check the model is chosen, and one message says what comes next", async () => {
    await picks.step("Model, or type another id");
    await shown("second-model");
    await window.screenshot("connect-5-model");
    await window.pick("second-model");
    await window.toast("the chat asks second-model");
    await window.screenshot("connect-7-done");
    const chat = await window.frameWith(".empty");
    await chat.getByText("second-model").first().waitFor();
    assert.ok(asked.includes("Bearer sk-wrong") && asked.includes(`Bearer ${key}`));
    assert.ok(!asked.includes("Bearer sk-half"));
  });

  it("C2 (finding N18): Set API Key keeps the box with the reason while the gateway refuses the key, and stores nothing", async () => {
    await window.runCommand("Sluice: Set API Key…");
    await secret().fill("sk-wrong");
    await picks.press("Enter");
    await shown("The gateway did not accept the API key.");
    await window.screenshot("connect-6-set-key");
    await picks.press("Escape");
    await picks.closed();
    const chat = await window.frameWith(".empty");
    await chat.getByText("second-model").first().waitFor();
    const before = asked.length;
    await window.runCommand("Sluice: Check Connection");
    await eventually("the check", () => Promise.resolve(asked.length >= before + 2));
    assert.deepEqual([...new Set(asked.slice(before))], [`Bearer ${key}`]);
    await window.runCommand("View: Close All Editors");
  });

  it("C1 (finding 21): a gateway that is gone shows in both views at once, with the check in one of them", async () => {
    await gateway.close();
    await window.runCommand("Notifications: Clear All Notifications");
    await window.runCommand("Sluice: Choose Gateway…");
    await window.pick(gateway.url);
    const chat = await window.frameWith(".empty");
    await window.runCommand("Sluice: Use the Local Gateway");
    await chat.getByText("Free, and nothing leaves this machine.").waitFor();
    await window.runCommand("Sluice: Choose Gateway…");
    await window.pick(gateway.url);
    await chat.locator(".notice-error").getByText("can't be reached").waitFor();
    await chat.getByRole("button", { name: "Check Connection" }).waitFor();
    const tasks = await window.view("Tasks");
    // While the chat is in view, the button is there alone.
    await tasks.getByText("Tasks can be submitted once the gateway can be used").waitFor();
    assert.equal(await tasks.getByRole("button", { name: "Check Connection" }).count(), 0);
    await window.runCommand("Notifications: Clear All Notifications");
    await window.screenshot("connect-8-unreachable");
    await window.runCommand("Sluice: Choose Model…");
    await shown("can't be reached");
    await window.screenshot("connect-9-no-models");
    await picks.press("Escape");
  });
});
