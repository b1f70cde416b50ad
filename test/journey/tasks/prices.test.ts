/** The person's own price list: whatever costs names what it costs by that list (T18). */
import assert from "node:assert/strict";
import { describeTurn, summariseTurn } from "../../../src/chat/page/shared/turn";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { openWindowOnGateway } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow } from "../../support/fakeVscode/openWindow";
import { modelStep, promptStep, tasksView, typeStep } from "../../support/submitSteps";

const prices = [
  { model: "writer", input: 3, output: 15 },
  { model: "painter", task: 0.04 },
];

describe("prices", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  let chat: ChatPage;
  before("open a window with a price list on a gateway that names no prices", async () => {
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
    const settings = { "sluice.prices": prices, "sluice.currency": "USD" };
    opened = await openWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" }, { settings });
    chat = await openChat(opened.window);
    await chat.until("the list of models is read", ({ snapshot }) => snapshot.status.model !== "");
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T18: the list of models names the price, and an answer costs what the list says", async () => {
    const { person } = opened;
    const choosing = person.palette("Sluice: Choose Model…");
    await person.step(modelStep);
    const writer = person.pick.rows.find(({ label }) => label === "writer");
    assert.match(JSON.stringify(writer), /\$3\.00 in, \$15\.00 out for a million tokens/);
    await person.choose("writer");
    await choosing.ended();
    await chat.until("the model", ({ snapshot }) => snapshot.status.model === "writer");
    await chat.turn("Write one line");
    // What the page shows in the tooltip of the answer's time: 1,000 tokens at $3 and 100 at $15 for a million.
    const summary = summariseTurn(chat.entries, chat.entries.length - 1);
    const facts = describeTurn(summary, "en", chat.snapshot.status.prices).join(" · ");
    assert.match(facts, /\$0\.0045 by your price list/);
  });

  it("T18: the step that submits a task, its row and the Money page name it", async () => {
    const { window, person } = opened;
    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.choose(/^Image$/);
    await person.step(modelStep);
    await person.choose("painter");
    await person.step(promptStep);
    await person.type("a quay by night");
    await person.step(promptStep, "Submit with painter, $0.04 by your price list");
    await person.press("Enter");
    await asking.ended();
    const row = await person.row(tasksView, "a quay by night");
    assert.match((await window.trees.find(tasksView)?.tooltipOf(row)) ?? "", /\$0\.04 by your price list/);
    await person.run("sluice.task.showMoney");
    const page = await window.until("the Money page", () =>
      window.webviews.panels.find(({ viewType }) => viewType === "sluice.money"),
    );
    page.send({ type: "view-ready" });
    await window.until("its price", () => JSON.stringify(page.messages).includes("$0.04 by your price list"));
  });
});
