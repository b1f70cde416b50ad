/** What a person sees in notifications and questions, in a window that VS Code's test driver does not control. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { agentToolNames } from "../../src/agents/tasks/agentToolNames";
import { startLocalGateway } from "../../src/localGateway/server";
import { serve, type TestServer } from "../loopback/gateway/rawServer";
import { askInChat } from "../support/askInChat";
import { copyMcpServer } from "../support/copyMcpServer";
import { startMcpAgent } from "../support/mcpAgent";
import { homeOf, openBoardOf, placeTask } from "../support/placedTasks";
import { setKey } from "../support/setKey";
import { createTemporaryFolder } from "../support/temporaryFolder";
import { openWindow, type VsCodeWindow } from "../support/window";
import { submitLighthouse } from "../support/windowOnGateway";

const key = "sk-canary-window";
const link = "[Verify](command:runCommands?%7B%22commands%22%3A%5B%22workbench.action.terminal.new%22%5D%7D)";
const hostile = `Low balance. ${link} $(shield) \u202Etfel-ot-thgir`;
const answer = "See [the docs](http://127.1:9/a?b=c) and [us](https://docs.example/).";

describe("notifications and questions", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  /** Status 4 is a success, 5 a failure. */
  const statuses = new Map<string, number>();

  before("open VS Code with toasts, on a gateway whose words are hostile", async () => {
    gateway = await serve((response, { url, method }) => {
      response.setHeader("content-type", "application/json");
      const taskId = /\/tasks\/([\w-]+)/.exec(url)?.[1];
      if (url.endsWith("/models")) response.end(JSON.stringify({ data: [{ id: hostile }] }));
      else if (url.endsWith("/chat/completions")) {
        response.setHeader("content-type", "text/event-stream");
        const chunk = { choices: [{ index: 0, delta: { content: answer }, finish_reason: "stop" }] };
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      } else if (method === "POST") response.writeHead(400).end(JSON.stringify({ error: { message: hostile } }));
      else {
        const status = statuses.get(taskId ?? "") ?? 3;
        response.end(JSON.stringify({ task_id: taskId, task_type: 3, status, public_model: "model-x" }));
      }
    });
    window = await openWindow({ toasts: true, settings: { "sluice.baseUrl": `${gateway.url}/v1` } });
  });
  after(async () => {
    await window.close();
    await gateway.close();
  });
  beforeEach(async () => {
    await window.run("workbench.action.closeAllEditors");
    await window.run("notifications.clearAll");
  });

  /** The chat, once requests go to that gateway with that key. */
  const use = async (baseUrl: string, withKey: string): Promise<Frame> => {
    await window.configure({ "sluice.baseUrl": baseUrl });
    await window.showContainer("Sluice");
    await setKey(window, withKey);
    const chat = await window.frameWith("textarea");
    await chat.locator(".composer").waitFor();
    await chat.getByText("No API key is set for this gateway.").waitFor({ state: "hidden" });
    return chat;
  };
  /** As text, whole, with what it hides, and nothing of it to click or drawn as an icon. */
  const assertLiteral = async (place: Locator): Promise<void> => {
    const text = await place.innerText();
    assert.match(text, /\[Verify\] \(command:runCommands/);
    assert.match(text, /\$ \(shield\)/);
    assert.match(text, /⟨U\+202E⟩/);
    assert.equal(await place.locator("a[href^='command:'], a[data-href^='command:'], .codicon-shield").count(), 0);
  };
  const dialog = (): Locator => window.page.locator(".monaco-dialog-box");

  it("V4, C2 (finding 22): what a command misses is said in a toast, whose button goes on", async () => {
    await window.configure({ "sluice.baseUrl": "https://notifications.invalid/v1" });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("No API key is set for this gateway.").waitFor();
    const begun = window.run("sluice.task.submitSelection");
    const toast = await window.toast("No API key is set for this gateway.");
    await toast.getByRole("button", { name: "Set API Key" }).click();
    const box = window.quickInput().locator("input[type=password]");
    await box.fill("sk-canary-window");
    await box.press("Enter");
    await begun;
    await (
      await window.frameWith("textarea")
    )
      .getByText("No API key is set for this gateway.")
      .waitFor({ state: "hidden" });
  });

  it("T11, P5 (findings S2, S12): a gateway's words are text in a list and in a toast, and a link to this machine asks with its whole address", async () => {
    const chat = await use(`${gateway.url}/v1`, key);
    const chosen = window.run("sluice.chat.chooseModel");
    const row = window.quickInput().locator(".monaco-list-row").filter({ hasText: "Verify" }).first();
    await assertLiteral(row);
    await row.click();
    await chosen;
    await askInChat(chat, "where are the docs?");
    await chat.getByRole("link", { name: "the docs" }).click();
    await dialog().filter({ hasText: "127.0.0.1: this machine" }).waitFor();
    assert.match(await dialog().innerText(), /http:\/\/127\.0\.0\.1:9\/a\?b=c/);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "hidden" });
    // VS Code's own question.
    await chat.getByRole("link", { name: "us", exact: true }).click();
    await dialog().filter({ hasText: "https://docs.example/" }).getByRole("button", { name: "Cancel" }).click();
    assert.equal(window.page.context().pages().length, 1);

    await submitLighthouse(window);
    const toast = await window.toast("Low balance");
    await assertLiteral(toast.locator(".notification-list-item-message"));
  });

  it("T11: a batch that ends out of sight is one toast; Show selects the failed task, Don't Notify mutes them, and nothing else takes the focus", async () => {
    await use(`${gateway.url}/v1`, key);
    const board = await openBoardOf(window);
    const run = async (...ends: readonly number[]): Promise<void> => {
      const intent = { batch: randomUUID(), home: homeOf(`${gateway.url}/v1`, key), prompt: "a pier in the rain" };
      const ids = ends.map(() => `task-${randomUUID()}`);
      for (const taskId of ids)
        await placeTask(board, { taskId, intent, remote: { state: "processing", rawStatus: "3" } });
      // The window has seen them run.
      const running = new RegExp(`^Sluice: ${ends.length} tasks? runs?\\.`);
      await window.page.locator(".part.statusbar").getByRole("button", { name: running }).waitFor();
      ids.forEach((taskId, index) => statuses.set(taskId, ends[index] ?? 4));
    };
    await window.showContainer("Explorer");
    await run(4, 5, 4);
    const toast = await window.toast("3 tasks finished: 2 succeeded, 1 failed.");
    const shown = window.page.locator(".part.sidebar .composite.title");
    assert.equal(await shown.filter({ hasText: "Explorer" }).count(), 1);
    await toast.getByRole("button", { name: "Show" }).click();
    const selected = window.page.locator(".pane .monaco-list-row.selected").filter({ hasText: "a pier" });
    await selected.and(window.page.getByRole("treeitem", { name: /^Video, failed/ })).waitFor();

    // While the view is in view there is none.
    await run(4, 4);
    await window.treeRow("Tasks", /Finished today\s*4/);
    await window.showContainer("Explorer");
    await run(5);
    const failed = await window.toast("Failed: a pier in the rain");
    assert.equal(await window.page.getByText("2 tasks finished").count(), 0);
    await failed.getByRole("button", { name: "Don't Notify" }).click();
    await failed.waitFor({ state: "hidden" });
    await board.close();
  });

  it("V6, T8, A3: a program's question takes no focus and is shown whole; after a yes the file is in the workspace, after a no nothing was submitted", async () => {
    const folder = await createTemporaryFolder();
    const local = await startLocalGateway({ stateDir: folder.path, speed: 50 });
    await use(local.url, local.key);
    const { url, headers } = await copyMcpServer(window);
    const agent = await startMcpAgent(url, headers);
    const orders = (): number =>
      local.requests.filter(({ method, path: route }) => method === "POST" && route === "/v1/tasks").length;
    const order = {
      type: "async-image",
      model: "demo-image",
      prompt:
        "A harbour at dawn.\nDestination: /nowhere\nSee [the menu](command:workbench.action.quit) \u202eand https://evil.example/?q=1",
    };
    const review = async (): Promise<void> => {
      await (await window.toast("“test-agent” asks over MCP")).getByText("Review…").click();
      await dialog().waitFor();
    };
    const ordered = agent.call(agentToolNames.submit, { ...order, save_as: "assets/mcp-harbour" });
    await window.toast("“test-agent” asks over MCP");
    assert.equal(await dialog().count(), 0);
    await review();
    const text = await dialog().innerText();
    for (const part of [
      "demo-image",
      "A harbour at dawn.",
      "│ Destination: /nowhere",
      "⟨U+202E⟩",
      "assets/mcp-harbour",
    ])
      assert.ok(text.includes(part), `${part}: ${text}`);
    assert.equal(await dialog().locator("a[href]").count(), 0);
    assert.equal(orders(), 0);
    await dialog().getByRole("button", { name: "Submit", exact: true }).click();
    const { text: told = "", isError } = await ordered;
    assert.equal(isError, false, told);
    const [, id = ""] = /^id: (\S+)/.exec(told) ?? [];
    const ended = await agent.call(agentToolNames.get, { id, wait_seconds: 60 });
    const [, file = ""] = /The result is (\S+)\.$/m.exec(ended.text ?? "") ?? [];
    await access(path.join(window.workspace, file));

    const refused = agent.call(agentToolNames.submit, { ...order, save_as: "assets/mcp-refused" });
    await review();
    await dialog().getByRole("button", { name: "Cancel", exact: true }).click();
    assert.match((await refused).text ?? "", /said no: nothing was done/);
    assert.equal(orders(), 1);
    await agent.close();
    await window.configure({ "sluice.baseUrl": `${gateway.url}/v1` });
    await local.close();
    await folder.remove();
  });
});
