/** The Tasks view in the real window: every state, groups, filter, narrow and wide, in each kind of theme; pictures in test-results/ui. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TaskHome } from "../../../src/domain/task/task";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { hoverUntilShown } from "../../support/hoverUntilShown";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { homeOf, openBoardOf, type PlacedTask, placeTask } from "../../support/placedTasks";
import { clickRow } from "../../support/rowMenu";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway } from "../../support/windowOnGateway";

const key = "sk-canary-window";
const hour = 3_600_000;
const lost = { kind: "unreachable", message: "The connection broke." } as const;

describe("the Tasks view", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  let board: TaskBoard;
  let home: TaskHome;
  /** The status of each task that runs. */
  const statuses = new Map<string, number>();
  /** How reads of tasks are answered. */
  let mode: "answers" | "breaks" | "limits" = "answers";

  before("open VS Code on a gateway with tasks in every state", async () => {
    gateway = await serve((response, { url }) => {
      response.setHeader("content-type", "application/json");
      const taskId = /\/tasks\/([\w-]+)/.exec(url)?.[1];
      if (taskId === undefined) response.end(JSON.stringify({ data: [{ id: "any-model" }] }));
      else if (mode === "breaks") response.destroy();
      else if (mode === "limits") {
        response.writeHead(429, { "retry-after": "600" }).end(JSON.stringify({ error: { message: "slow down" } }));
      } else {
        const status = statuses.get(taskId) ?? 3;
        response.end(JSON.stringify({ task_id: taskId, task_type: 3, status, public_model: "model-x" }));
      }
    });
    const baseUrl = `${gateway.url}/v1`;
    home = homeOf(baseUrl, key);
    ({ window } = await shareWindowOnGateway({ baseUrl, key }, { "workbench.colorTheme": "Default Dark Modern" }));
    board = await openBoardOf(window);
    // All of the side bar for the tasks.
    await window.page.locator(".pane-header").getByText("Chat", { exact: true }).click();
  });
  after(async () => {
    await board.close();
    await window.close();
    await gateway.close();
  });

  const place = async ({ intent, ...rest }: PlacedTask): Promise<string> => {
    // A page that is opened requests its task again, so the gateway is given the same state.
    const taskId = rest.taskId ?? randomUUID();
    const { rawStatus } = rest.remote ?? {};
    if (rawStatus !== undefined && !statuses.has(taskId)) statuses.set(taskId, Number(rawStatus));
    return placeTask(board, { intent: { home, ...intent }, ...rest, taskId });
  };
  const rows = async (): Promise<readonly string[]> => (await window.treeRows("Tasks")).allInnerTexts();

  it("T6: a view without tasks says how to begin", async () => {
    await (await window.view("Tasks")).getByRole("button", { name: "New Task", exact: true }).waitFor();
    await window.screenshot("tasks-empty");
  });

  it("C1 (finding N3): beside its title the view says where a new task goes", async () => {
    await (await window.view("Tasks")).getByText(new URL(home.baseUrl).host, { exact: true }).waitFor();
  });

  it("T6 (finding 18): each state has its row, in its group, and says what the icon does not say", async () => {
    const batch = randomUUID();
    const now = Date.now();
    await place({
      intent: { prompt: "a harbour in fog, long exposure, blue hour", createdAt: now - 30 * hour },
      remote: { state: "succeeded", rawStatus: "4", completedAt: now - 29 * hour },
    });
    await place({
      intent: { prompt: "a cathedral of glass" },
      remote: { state: "cancelled", rawStatus: "6", completedAt: now },
    });
    await place({
      intent: { prompt: "an expired balloon", type: "async-image" },
      remote: { state: "expired", rawStatus: "7", completedAt: now },
    });
    await place({
      intent: { prompt: "a refunded ticket", type: "stylized-image" },
      remote: { state: "refunded", rawStatus: "8", completedAt: now },
    });
    await place({
      intent: { prompt: "a paper lantern on black water, seen from above, soft light", type: "async-image" },
      remote: { state: "succeeded", rawStatus: "4", completedAt: now },
    });
    await place({
      intent: {
        prompt: `a train that never arrives, ${"with passengers who wait on the platform, ".repeat(6)}in winter`,
      },
      remote: { state: "failed", rawStatus: "5", completedAt: now, errorMessage: "content policy" },
    });
    await place({
      intent: { prompt: "a lighthouse whose answer was lost" },
      outcome: { type: "task-outcome-unknown", error: lost },
    });
    await place({
      intent: { prompt: "a gate that was not accepted" },
      outcome: { type: "task-not-accepted", error: { ...lost, notSent: true } },
    });
    for (const [index, name] of ["first", "second", "third"].entries()) {
      const taskId = `batch-${index}`;
      statuses.set(taskId, [1, 2, 3][index] ?? 3);
      await place({
        taskId,
        intent: { prompt: `${name} frame of a lighthouse at dusk, wide angle`, batch, createdAt: now },
        remote: { state: "created", rawStatus: "1" },
      });
    }
    statuses.set("odd", 42);
    await place({
      taskId: "odd",
      intent: { prompt: "a status that nobody knows" },
      remote: { state: "unknown", rawStatus: "42" },
    });
    await place({
      taskId: "cancelling",
      intent: { prompt: "a storm that is being cancelled" },
      remote: { state: "processing", rawStatus: "3" },
      cancel: { state: "requested", reason: "", at: now },
    });
    await window.treeRow("Tasks", /a storm[^]*cancel requested/);
    await window.treeRow("Tasks", "third frame");
    await window.screenshot("tasks-states-dark");
    const texts = (await rows()).map((text) => text.replaceAll(/\s+/g, " "));
    const at = (part: string): number => texts.findIndex((text) => text.includes(part));
    assert.ok(
      at("Needs attention") < at("a train") && at("a train") < at("Running"),
      "failed is under Needs attention",
    );
    assert.ok(at("first frame") < at("second frame") && at("second frame") < at("third frame"), "a batch in its order");
    assert.match(texts[at("a storm")] ?? "", /cancel requested/);
    assert.match(texts[at("a lighthouse whose answer")] ?? "", /outcome unknown/);
  });

  const titleAction = async (name: string | RegExp): Promise<void> => {
    const view = await window.view("Tasks");
    await view.locator(".pane-header").hover();
    await view.getByRole("button", { name }).first().click();
  };

  it("T6, P6: a screen reader hears each row as a sentence", async () => {
    const row = await window.treeRow("Tasks", "first frame");
    assert.match(
      (await row.getAttribute("aria-label")) ?? "",
      /^Video, created, submitted .+, reserved: first frame of a lighthouse at dusk, wide angle/,
    );
  });

  it("T6 (finding 18): a tooltip has the whole prompt, state and money without ids, and breaks between words", async () => {
    const row = await window.treeRow("Tasks", "a train");
    const hover = window.page.locator(".workbench-hover").filter({ hasText: "content policy" });
    await hoverUntilShown(row, hover);
    await window.screenshot("tasks-tooltip");
    const text = await hover.innerText();
    assert.match(text, /a train that never arrives/);
    assert.match(text, /Checking: not seen given back yet\./);
    assert.doesNotMatch(text, /hold/i);
    assert.doesNotMatch(text, /\u00a0/, "words that can't be separated are broken in the middle");
    await window.page.mouse.move(900, 500);
    await hover.waitFor({ state: "hidden" });
  });

  it("T6: grouped by type, by day and by batch, and the chosen grouping is named", async () => {
    for (const grouping of ["Type", "Day", "Batch"]) {
      await window.runCommand(`Sluice: Group by ${grouping}`);
      await (await window.view("Tasks")).getByText(`by ${grouping.toLowerCase()}`).waitFor();
      await window.screenshot(`tasks-by-${grouping.toLowerCase()}`);
    }
    await window.treeRow("Tasks", /first frame.*3 of 3 running/);
    await window.runCommand("Sluice: Group by State");
    await window.treeRow("Tasks", "Needs attention");
  });

  it("T6: the filter follows what is typed, says what is filtered, and one click ends it", async () => {
    await titleAction("Filter Tasks…");
    await window.quickInput().locator("input[type=text]").first().fill("lighthouse");
    await window.treeRow("Tasks", "4 of 13 shown");
    await window.quickInput().getByText("Running", { exact: true }).click();
    await window.treeRow("Tasks", "3 of 13 shown");
    await window.screenshot("tasks-filter-pick");
    await window.quickInput().locator("input[type=text]").first().press("Enter");
    await (await window.view("Tasks")).getByText("“lighthouse”, running").waitFor();
    await window.screenshot("tasks-filtered");
    await clickRow(await window.treeRow("Tasks", "3 of 13 shown"));
    await window.treeRow("Tasks", "a train");
  });

  it("T6: Esc takes back what was typed into the filter", async () => {
    await titleAction("Filter Tasks…");
    await window.quickInput().locator("input[type=text]").first().fill("nothing has these words");
    await window.treeRow("Tasks", "0 of 13 shown");
    await window.quickInput().locator("input[type=text]").first().press("Escape");
    await window.treeRow("Tasks", "a train");
  });

  it("T6 (finding 18): a failed task that is looked at stays where it is, and is no longer to be attended to", async () => {
    await clickRow(await window.treeRow("Tasks", "a train"));
    const badge = window.page.locator(".activitybar .badge-content").filter({ hasText: "2" });
    await badge.waitFor();
    await window.treeRow("Tasks", /Needs attention\s*3/);
    await clickRow(await window.treeRow("Tasks", "a cathedral"));
    await window.treeRow("Tasks", /Needs attention\s*2/);
  });

  it("T6: finished tasks are hidden and shown, cleared and restored", async () => {
    await window.runCommand("Sluice: Hide Finished Tasks");
    await window.treeRow("Tasks", "6 finished tasks are hidden");
    await window.screenshot("tasks-finished-hidden");
    await clickRow(await window.treeRow("Tasks", "6 finished tasks are hidden"));
    await window.treeRow("Tasks", "Finished today");
    await window.runCommand("Sluice: Clear Finished");
    await (await window.treeRows("Tasks")).filter({ hasText: "Finished today" }).waitFor({ state: "detached" });
    await window.runCommand("Sluice: Restore Cleared Tasks");
    await window.treeRow("Tasks", "Finished today");
  });

  it("T6, T4: what concerns all rows is said above them while it is so: offline, online, offline again, then paused by the gateway", async () => {
    const view = await window.view("Tasks");
    for (const picture of ["tasks-offline", "tasks-offline-again"]) {
      mode = "breaks";
      await window.runCommand("Sluice: Refresh Now");
      await view.getByText(/^Offline since/).waitFor();
      await window.screenshot(picture);
      mode = "answers";
      await window.runCommand("Sluice: Refresh Now");
      await view.getByText(/^Offline since/).waitFor({ state: "detached" });
    }
    mode = "limits";
    await window.runCommand("Sluice: Refresh Now");
    await view.getByText(/^Paused by the gateway until/).waitFor();
    await window.screenshot("tasks-paused");
    await window.page
      .locator(".statusbar-item")
      .filter({ hasText: /until \d/ })
      .waitFor();
  });
});
