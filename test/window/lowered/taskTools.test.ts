/** Around running tasks in the real window: cancel from the text, the money page, a task from elsewhere, a replaced key. */
import assert from "node:assert/strict";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { eventually } from "../../support/eventually";
import { setKey } from "../../support/setKey";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway, submitLighthouse } from "../../support/windowOnGateway";

const elsewhere = "22222222-2222-4222-8222-222222222222";

describe("around running tasks in the window", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  const reasons: string[] = [];
  const keys = new Set<string>();

  before("open VS Code on a gateway that refuses to cancel", async () => {
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
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    ({ window } = await shareWindowOnGateway(target));
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });

  /** A question that needs what was given before, or what is copied elsewhere, must outlive it. */
  const moveFocusAway = async (): Promise<void> => {
    await window.page.locator(".part.editor .tab").first().focus();
    // VS Code closes a question in the next task, unless the focus is back by then.
    await window.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  };

  it("T9 (finding 16): a task is cancelled from its prompt, named before it is asked, and a refusal is told as one", async () => {
    await submitLighthouse(window);
    await window.treeRow("Tasks", "lighthouse");
    await window.runCommand("Sluice: Cancel Tasks of This Prompt…");
    await window.quickInput().locator("input[placeholder*='lighthouse']").waitFor();
    await window.screenshot("cancel-of-prompt");
    await window.pick("Wrong prompt");
    const refused = await window.toast("refused the cancel, and a read after it shows that the task goes on");
    await window.screenshot("cancel-refused");
    assert.match(await refused.innerText(), /it can't be stopped now/);
    assert.deepEqual(reasons, ["Wrong prompt"]);
    await window.treeRow("Tasks", /lighthouse[^]*cancel refused/);
  });

  it("T10: the money page lists the reserved task, leads to it, and names no amount", async () => {
    await window.runCommand("Sluice: Show Money");
    const page = await window.frameWith(".money-page .tiles");
    await page.getByRole("button", { name: "Reserved" }).click();
    const row = page.getByRole("row").filter({ hasText: "lighthouse" });
    await row.getByText("Reserved at").waitFor();
    await row.getByText("Details").click();
    await row.getByText(/^hold “/).waitFor();
    await window.screenshot("money-page");
    assert.doesNotMatch(await page.locator(".money-page").innerText(), /[$€]/);
    await row.getByRole("button", { name: "lighthouse" }).click();
    await window.frameWith(".task-page");
  });

  it("T14: a task from elsewhere gets a row that says so", async () => {
    await window.runCommand("Sluice: Watch Task by Id…");
    const box = window.quickInput().locator("input");
    await box.waitFor();
    await moveFocusAway();
    await box.fill(elsewhere);
    await window.pick(new RegExp(`Watch ${elsewhere}`));
    const row = await window.treeRow("Tasks", `Task ${elsewhere.slice(0, 8)}`);
    // Once the gateway was asked.
    await row.and(window.page.getByRole("treeitem", { name: /nothing said about the money/ })).waitFor();
    await window.screenshot("watched-task");
  });

  it("C2 (finding 7): a replaced key asks once whose it is; the same account goes on under it", async () => {
    await setKey(window, "sk-canary-second");
    await window.quickInput().locator("input[placeholder*='same account']").waitFor();
    await moveFocusAway();
    await window.screenshot("same-account");
    await window.quickInput().locator("input").press("Enter");
    await window.quickInput().waitFor({ state: "hidden" });
    await eventually("the tasks are read under the new key", () => keys.has("Bearer sk-canary-second"));
  });
});
