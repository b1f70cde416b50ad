/** The Tasks view in the real window: every state, groups, filter, narrow and wide, in each kind of theme; pictures in test-results/ui. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { TaskHome } from "../../../src/domain/task/task";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { eventually } from "../../support/eventually";
import { hoverUntilShown } from "../../support/hoverUntilShown";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";
import { homeOf, openBoardOf, type PlacedTask, placeTask } from "../../support/placedTasks";
import { clickRow, inMenu } from "../../support/rowMenu";
import { setSideBarWidth } from "../../support/sideBar";
import type { VsCodeWindow } from "../../support/window";
import { shareWindowOnGateway } from "../../support/windowOnGateway";

const key = "sk-canary-window";
const hour = 3_600_000;
const lost = { kind: "unreachable", message: "The connection broke." } as const;

interface ReadRow {
  readonly text: string;
  /** How many of its characters lie in the row. */
  readonly shown: number;
  /** Between the text and what is behind it. */
  readonly contrast: number;
}

/** The labels of the rows that are drawn. */
const readRows = `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [red, green, blue] = parts(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((parts(colour)[3] ?? 1) === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll(".part.sidebar .pane .monaco-list-row .label-name")].map((label) => {
    const row = label.closest(".monaco-list-row").getBoundingClientRect();
    const node = document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode();
    const text = node?.data ?? "";
    const range = document.createRange();
    let shown = 0;
    for (; shown < text.length; shown += 1) {
      range.setStart(node, shown);
      range.setEnd(node, shown + 1);
      if (range.getBoundingClientRect().right > row.right + 1) break;
    }
    const [one, other] = [light(getComputedStyle(label).color), light(behind(label))].sort((a, b) => b - a);
    return { text, shown, contrast: (one + 0.05) / (other + 0.05) };
  });
})()`;

describe("the Tasks view", () => {
  let gateway: TestServer;
  let window: VsCodeWindow;
  let board: TaskBoard;
  let home: TaskHome;
  /** The status of each task that runs. */
  const statuses = new Map<string, number>();
  /** How reads of tasks are answered. */
  let mode: "answers" | "breaks" | "limits" = "answers";
  const settings = (theme: string): Record<string, unknown> => ({
    "workbench.colorTheme": theme,
    "sluice.baseUrl": home.baseUrl,
  });

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

  it("T11 (finding P1): nothing turns while a task runs: neither its row nor its lens nor the status bar", async () => {
    const { page } = window;
    const prompt = "third frame of a lighthouse at dusk, wide angle";
    await writeFile(path.join(window.workspace, "running.prompts.md"), `# Frames\n\n- ${prompt}\n`);
    const row = await window.treeRow("Tasks", "third frame");
    await window.openFile("running.prompts.md");
    await page.locator(".codelens-decoration").getByText("Processing").waitFor();
    await row.locator(".codicon-sync").waitFor();
    await page.locator("[id='sluice.sluice.sluice.tasks'] .codicon-sync").waitFor();
    // Those of VS Code itself turn for a moment, as while an extension of its own is activated.
    const ours = [".codelens-decoration", "[id='sluice.sluice.sluice.tasks']"].map((place) => page.locator(place));
    for (const place of [await window.view("Tasks"), ...ours])
      assert.equal(await place.locator(".codicon-modifier-spin").count(), 0);
    await window.runCommand("View: Close All Editors");
  });

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

  it("T6: the rows can be read in a narrow and in a wide side bar, in each kind of theme", async () => {
    const assertReadable = async (look: string): Promise<void> => {
      let wrong: readonly string[] = [];
      // The mark of a theme may be there before its colours.
      const isReadable = async (): Promise<boolean> => {
        const seen = await window.page.evaluate<readonly ReadRow[]>(readRows);
        wrong = seen.flatMap(({ text, shown, contrast }) => [
          ...(shown < Math.min(12, text.length) ? [`${shown} characters of “${text}” are in view`] : []),
          ...(contrast < 4.5 ? [`“${text}” has a contrast of ${contrast}`] : []),
        ]);
        if (seen.length <= 10) wrong = [...wrong, `${seen.length} rows`];
        return wrong.length === 0;
      };
      await eventually(() => `${look}: ${wrong.join("; ")}`, isReadable);
    };
    for (const width of [200, 300, 480]) {
      await setSideBarWidth(window, width);
      await window.screenshot(`tasks-${width}-dark`);
      await assertReadable(`${width} px, dark`);
    }
    await setSideBarWidth(window, 300);
    for (const [name, theme] of [
      ["light", "Default Light Modern"],
      ["contrast", "Default High Contrast"],
    ] as const) {
      await window.changeSettings(settings(theme));
      await window.page.locator(name === "light" ? ".monaco-workbench.vs" : ".monaco-workbench.hc-black").waitFor();
      await window.screenshot(`tasks-300-${name}`);
      await assertReadable(`300 px, ${name}`);
    }
    await window.changeSettings(settings("Default Dark Modern"));
    await window.page.locator(".monaco-workbench.vs-dark").waitFor();
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

  it("T6: the menus of a group, of a row and of the view offer what can be done", async () => {
    const through = async (...entries: readonly string[]): Promise<void> => {
      const menu = window.page.locator(".context-view .monaco-menu");
      for (const entry of entries) await menu.getByText(entry, { exact: true }).hover({ timeout: 5_000 });
    };
    const closeMenus = async (count: number): Promise<void> => {
      for (let closed = 0; closed < count; closed += 1) await window.page.keyboard.press("Escape");
    };
    for (const [name, row, entries] of [
      ["group", "Running", ["Cancel All Running…"]],
      ["row", "a paper lantern", ["Copy", "Copy Prompt"]],
    ] as const) {
      const open = async (): Promise<void> => (await window.treeRow("Tasks", row)).click({ button: "right" });
      await inMenu(window, open, () => through(...entries));
      await window.screenshot(`tasks-menu-${name}`);
      await closeMenus(entries.length);
    }
    for (const [picture, ...entries] of [
      ["tasks-menu-view", "Group By", "✓ Group by State"],
      ["tasks-menu-gateway", "Gateway", "Choose Gateway…"],
      ["tasks-menu-clean-up", "Clean Up", "Clear Finished"],
    ] as const) {
      await inMenu(
        window,
        () => titleAction(/More Actions/),
        () => through(...entries),
      );
      await window.screenshot(picture);
      await closeMenus(entries.length);
    }
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
