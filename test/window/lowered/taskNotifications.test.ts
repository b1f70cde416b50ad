/** The notification of ended tasks as a person sees it (T11): one toast for a batch, while the Tasks view is not visible. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { homeOf, openBoardOf, placeTask } from "../../support/placedTasks";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway } from "../../support/windowOnGateway";

const key = "sk-canary-window";

describe("the notification of ended tasks", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  let board: TaskBoard;
  /** Status 4 is a success, 5 a failure. */
  const statuses = new Map<string, number>();

  before("open VS Code with toasts", async () => {
    gateway = await serve((response, { url }) => {
      response.setHeader("content-type", "application/json");
      const taskId = /\/tasks\/([\w-]+)/.exec(url)?.[1];
      const task = { task_id: taskId, task_type: 3, status: statuses.get(taskId ?? "") ?? 3, public_model: "model-x" };
      response.end(JSON.stringify(taskId === undefined ? { data: [{ id: "any-model" }] } : task));
    });
    ({ window } = await shareWindowOnGateway({ baseUrl: `${gateway.url}/v1`, key }));
    board = await openBoardOf(window);
  });
  after(async () => {
    await board.close();
    await window.close();
    await gateway.close();
  });

  const runBatch = async (...ends: readonly number[]): Promise<void> => {
    const intent = { batch: randomUUID(), home: homeOf(`${gateway.url}/v1`, key), prompt: "a pier in the rain" };
    const ids = ends.map(() => `task-${randomUUID()}`);
    for (const taskId of ids) {
      await placeTask(board, { taskId, intent, remote: { state: "processing", rawStatus: "3" } });
    }
    // The window has seen them run. Other numbers of the status bar, or of this item, don't count.
    const running = new RegExp(`^Sluice: ${ends.length} tasks? runs?\\.`);
    await window.page.locator(".part.statusbar").getByRole("button", { name: running }).waitFor();
    ids.forEach((taskId, index) => statuses.set(taskId, ends[index] ?? 4));
  };

  it("T11: a batch that ends out of sight is one toast; Show selects the failed task and nothing else takes the focus", async () => {
    await window.showContainer("Explorer");
    await runBatch(4, 5, 4);
    const toast = await window.toast("3 tasks finished: 2 succeeded, 1 failed.");
    await window.screenshot("toast-batch-finished");
    assert.equal(
      await window.page.locator(".part.sidebar .composite.title").filter({ hasText: "Explorer" }).count(),
      1,
    );
    await toast.getByRole("button", { name: "Show" }).click();
    const selected = window.page.locator(".pane .monaco-list-row.selected");
    await selected.filter({ hasText: "a pier" }).waitFor();
    assert.match((await selected.first().getAttribute("aria-label")) ?? "", /^Video, failed/);
  });

  it("T11: while the view is visible there is none; Don't Notify mutes them for good", async () => {
    await runBatch(4, 4);
    await window.page
      .locator(".monaco-list-row")
      .filter({ hasText: /Finished today\s*4/ })
      .waitFor();
    await window.showContainer("Explorer");
    await runBatch(5);
    const toast = await window.toast("Failed: a pier in the rain");
    assert.equal(await window.page.getByText("2 tasks finished").count(), 0);
    await toast.getByRole("button", { name: "Don't Notify" }).click();
    await toast.waitFor({ state: "hidden" });
  });
});
