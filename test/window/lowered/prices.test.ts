/** The person's own price list in the real window: whatever costs names what it costs by that list (T18). */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { askInChat } from "../../support/askInChat";
import { hoverUntilShown } from "../../support/hoverUntilShown";
import { modelStep, type Picks, picksOf, promptStep, typeStep } from "../../support/picks";
import type { VsCodeWindow } from "../../support/window";
import { answerAvailability, shareWindowOnGateway } from "../../support/windowOnGateway";

const prices = [
  { model: "writer", input: 3, output: 15 },
  { model: "painter", task: 0.04 },
];

describe("prices in a window", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  let chat: Frame;
  let picks: Picks;
  before("open VS Code with a price list on a gateway that names no prices", async () => {
    gateway = await serve((response, { url, method }) => {
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) {
        const data = [{ id: "writer" }, { id: "painter", capabilities: { task_types: ["async_image"] } }];
        response.end(JSON.stringify({ data }));
      } else if (url.endsWith("/chat/completions")) {
        response.setHeader("content-type", "text/event-stream");
        const choice = { index: 0, delta: { content: "A quay by night." }, finish_reason: "stop" };
        const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
        for (const chunk of [{ choices: [choice] }, { choices: [], usage }])
          response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        response.end("data: [DONE]\n\n");
      } else if (method === "POST")
        response.writeHead(202).end(JSON.stringify({ task_id: "task-1", status: 1, hold_id: "hold-1" }));
      else response.end(JSON.stringify({ task_id: "task-1", status: 3, public_model: "painter" }));
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    const settings = { "sluice.prices": prices, "sluice.currency": "USD" };
    ({ window, chat } = await shareWindowOnGateway(target, settings));
    picks = picksOf(window);
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  it("T18: the list of models, and the tooltip of an answer's time, name the price", async () => {
    await chat.locator(".model").first().click();
    await window.quickInput().getByText("$3.00 in, $15.00 out for a million tokens").first().waitFor();
    await window.screenshot("prices-1-models");
    await window.pick("writer");
    await chat.locator(".model", { hasText: "writer" }).waitFor();
    await askInChat(chat, "Write one line");
    const time = chat.locator(".row.answer .footer [title*='by your price list']").last();
    await time.waitFor();
    // 1,000 tokens at $3 and 100 at $15 for a million.
    assert.match((await time.getAttribute("title")) ?? "", /\$0\.0045 by your price list/);
  });

  it("T18: the step that submits a task, its row and the Money page name it", async () => {
    await window.runCommand("Sluice: New Task…");
    await picks.step(typeStep);
    await window.pick(/^Image/);
    await picks.step(modelStep);
    await window.pick("painter");
    await picks.step(promptStep);
    await picks.typePrompt("a quay by night");
    await window.quickInput().getByText("Submit, $0.04 by your price list").waitFor();
    await window.screenshot("prices-2-task");
    await picks.press("Enter");
    await answerAvailability(window, "Submit");
    const row = await window.treeRow("Tasks", "a quay by night");
    await hoverUntilShown(row, window.page.locator(".monaco-hover").getByText("$0.04 by your price list").first());
    await window.screenshot("prices-3-row");
    await window.page.mouse.move(1, 1);
    await window.runCommand("Sluice: Show Money");
    const money = await window.frameWith(".money-page");
    await money.getByText("$0.04 by your price list").first().waitFor();
    await window.screenshot("prices-4-money");
  });
});
