/** Around running tasks: cancel from the text, the money page, a task from elsewhere, a replaced key, and lists that stay open when the focus moves. */
import assert from "node:assert/strict";
import type { MoneyPageIntent, MoneyPageSnapshot } from "../../../src/tasks/contract/moneyPageContract";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { openWindowOnGateway, submitImage } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow } from "../../support/fakeVscode/openWindow";
import { lastState, tabPage } from "../../support/fakeVscode/tabPage";
import { tasksView } from "../../support/submitSteps";

const elsewhere = "22222222-2222-4222-8222-222222222222";

describe("around running tasks", () => {
  let gateway: TestServer;
  let opened: OpenedWindow;
  const reasons: string[] = [];
  const keys = new Set<string>();

  before("open a window on a gateway that refuses to cancel, and submit a task", async () => {
    gateway = await serve((response, { url, body, method, headers }) => {
      keys.add(String(headers.authorization));
      response.setHeader("content-type", "application/json");
      if (url.endsWith("/models")) response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
      else if (url.endsWith("/cancel")) {
        reasons.push((JSON.parse(body) as { reason: string }).reason);
        response.writeHead(409).end(JSON.stringify({ error: { message: "it can't be stopped now" } }));
      } else if (method === "POST" && url.endsWith("/tasks"))
        response.writeHead(202).end(JSON.stringify({ task_id: "task-1", status: 1, hold_id: "hold-1" }));
      else {
        const [, task_id] = /\/tasks\/([\w-]+)/.exec(url) ?? [];
        response.end(JSON.stringify({ task_id, task_type: 2, status: 3, public_model: "any-model" }));
      }
    });
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-journey" };
    opened = await openWindowOnGateway(target, { files: { "notes.md": "A lighthouse at dusk\n" } });
    await opened.window.openFile("notes.md");
    await submitImage(opened, "lighthouse");
    await opened.person.row(tasksView, "lighthouse");
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T9 (finding 16): a task is cancelled from its prompt, named before it is asked, and a refusal is told as one", async () => {
    const { window, person } = opened;
    await window.openFile("notes.md");
    await person.select("lighthouse");
    await window.until("the command is offered", () =>
      window.palette().some(({ title }) => title === "Sluice: Cancel Tasks of This Prompt…"),
    );
    const cancelling = person.palette("Sluice: Cancel Tasks of This Prompt…");
    await person.step("lighthouse");
    assert.deepEqual(reasons, []);
    await person.choose("Wrong prompt");
    const refused = await person.message("refused the cancel, and a read after it shows that the task goes on");
    assert.match(refused.text, /it can't be stopped now/);
    refused.answer();
    await cancelling.ended();
    assert.deepEqual(reasons, ["Wrong prompt"]);
    await window.until("its row says so", async () =>
      (await window.rowsOf(tasksView)).some(
        ({ label, description }) => label === "lighthouse" && description.includes("cancel refused"),
      ),
    );
  });

  it("T10: the money page lists the reserved task, leads to it, and names no amount", async () => {
    const { window, person } = opened;
    await person.palette("Sluice: Show Money").ended();
    const page = await tabPage<MoneyPageSnapshot, MoneyPageSnapshot, MoneyPageIntent>(
      window,
      "sluice.money",
      lastState,
    );
    page.send({ type: "group-choose", group: "reserved" });
    const money = await page.until(
      "the reserved task",
      (shown) => shown.group === "reserved" && shown.money?.rows.length === 1 && shown.money,
    );
    const [row] = money.rows;
    assert.equal(row?.title, "lighthouse");
    assert.match(row.money, /^Reserved at/);
    assert.ok(
      row.details.some((detail) => detail.startsWith("hold “hold-1”")),
      row.details.join(" | "),
    );
    assert.doesNotMatch(JSON.stringify(money), /[$€]/);
    page.send({ type: "task-open", task: row.id });
    await window.until("the page of the task", () =>
      window.webviews.panels.some(({ viewType, isActive }) => viewType === "sluice.task" && isActive),
    );
  });

  it("T14: a task from elsewhere gets a row that says so; its id can be copied elsewhere while the list is open", async () => {
    const { window, person } = opened;
    const watching = person.inTitle(tasksView, "Watch Task by Id…");
    await person.step("Ids of tasks, or addresses that end with one");
    window.moveFocus("editor");
    await person.type(elsewhere);
    await person.choose(`Watch ${elsewhere}`);
    await person.answer("The task is watched.");
    await watching.ended();
    // Once the gateway was asked.
    await window.until("its row says so", async () =>
      (await window.rowsOf(tasksView)).some(
        ({ label, description, spoken }) =>
          label === `Task ${elsewhere}` &&
          description === "not submitted here" &&
          spoken.includes("nothing said about the money"),
      ),
    );
  });

  it("C2 (finding 7): a replaced key asks once whose it is, and stays when the focus moves; the same account goes on under it", async () => {
    const { window, person } = opened;
    const setting = person.palette("Sluice: Set API Key…");
    await window.until("a key is asked for", () => window.widget.visible?.state.password);
    await person.type("sk-canary-second");
    await person.press("Enter");
    await person.step("same account");
    window.moveFocus("editor");
    await window.settled();
    await person.step("same account");
    await person.press("Enter");
    await setting.ended();
    await person.closed();
    await window.until("the tasks are read under the new key", () => keys.has("Bearer sk-canary-second"));
  });

  it("P6, T6: the filter stays open when the focus moves, with what was typed and checked", async () => {
    const { window, person } = opened;
    const filtering = person.palette("Sluice: View Tasks…");
    await person.choose("Filter…");
    await person.step("Words of the prompt, a model or an id");
    await person.type("light");
    await person.choose("Image");
    window.moveFocus("editor");
    await window.settled();
    assert.equal((await person.step("Words of the prompt, a model or an id")).value, "light");
    await person.press("Enter");
    await filtering.ended();
    await window.until("one row", async () =>
      (await window.rowsOf(tasksView)).every(({ label }) => !label.includes("Task 2222")),
    );
    await person.row(tasksView, "lighthouse");
    const clearing = person.inTitle(tasksView, "View…");
    await person.choose("Clear Filter");
    await clearing.ended();
  });
});
