/** What VS Code draws of Sluice: rows that can be read in each kind of theme, steps that are whole in a narrow window, settings in their groups. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { settingIds } from "../../src/domain/settingTable";
import { eventually } from "../support/eventually";
import { modelStep, picksOf, selectionStep, typeStep } from "../support/picks";
import { openBoardOf, placeTask } from "../support/placedTasks";
import { setSideBarWidth } from "../support/sideBar";
import { acceptSteps, stepIsReady } from "../support/steps";
import { openWindow, type VsCodeWindow } from "../support/window";

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

/** What of the open step does not lie whole in the window: the step itself, and labels of rows. */
const cutInQuickInput = `(() => {
  const step = [...document.querySelectorAll(".quick-input-widget")].find((one) => one.checkVisibility());
  const isIn = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const bounds = step.getBoundingClientRect();
  const cut = isIn(bounds, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }) ? [] : ["the step"];
  for (const label of step.querySelectorAll(".monaco-list-row .label-name"))
    if (label.checkVisibility() && (!isIn(label.getBoundingClientRect(), label.closest(".monaco-icon-label-container").getBoundingClientRect()) || !isIn(label.getBoundingClientRect(), bounds))) cut.push(label.textContent);
  return cut;
})()`;

/** The colour of text in the window, as computed styles name it. */
const windowForeground = `(() => {
  const probe = document.querySelector(".monaco-workbench").appendChild(document.createElement("span"));
  probe.style.color = "var(--vscode-foreground)";
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
})()`;

const themes = [
  ["Default Light Modern", ".vs:not(.vs-dark)"],
  ["Default High Contrast", ".hc-black"],
  ["Default Dark Modern", ".vs-dark"],
] as const;

describe("what VS Code draws", () => {
  let window: VsCodeWindow;
  before("open VS Code on the local gateway", async () => {
    window = await openWindow({ speed: 10 });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.run("workbench.action.closeAllEditors");
    await window.showContainer("Sluice");
  });

  const useTheme = async ([theme, mark]: readonly [string, string]): Promise<void> => {
    await window.configure({ "workbench.colorTheme": theme });
    await window.page.locator(`.monaco-workbench${mark}`).waitFor();
  };

  it("T6, T8, T11 (finding P1): rows can be read in a narrow and a wide side bar and in each kind of theme; nothing turns while a task runs; a result's picture is the icon of its row", async () => {
    const { page } = window;
    const running = "[stuck] a tower in the sea";
    await writeFile(
      path.join(window.workspace, "running.prompts.md"),
      `# Towers\n\n<!-- sluice: type=async-image -->\n\n- ${running}\n- a lantern\n`,
    );
    await window.openFile("running.prompts.md");
    for (const prompt of [running, "a lantern"]) {
      await window.selectText(prompt);
      const submitted = window.run("sluice.task.submitSelection");
      await acceptSteps(window, typeStep, modelStep, selectionStep);
      await submitted;
    }
    const icon = (await window.treeRow("Tasks", "a lantern")).locator(".custom-view-tree-node-item-icon");
    await eventually("the picture as icon", async () =>
      ((await icon.getAttribute("style")) ?? "").includes(".thumbnail.png"),
    );

    await page.locator(".codelens-decoration").getByText("Processing").waitFor();
    const row = await window.treeRow("Tasks", running);
    await row.locator(".codicon-sync").waitFor();
    const status = page.locator("[id='sluice.sluice.sluice.tasks']");
    await status.locator(".codicon-sync").waitFor();
    // Those of VS Code itself turn for a moment, as while an extension of its own is activated.
    for (const place of [await window.view("Tasks"), page.locator(".codelens-decoration"), status])
      assert.equal(await place.locator(".codicon-modifier-spin").count(), 0);

    const board = await openBoardOf(window);
    const remote = { completedAt: Date.now() };
    for (const [prompt, state, rawStatus] of [
      ["a train that never arrives", "failed", "5"],
      ["a lighthouse at dusk, wide angle, seen from the sea", "succeeded", "4"],
      ["a ferry whose task was called back", "cancelled", "6"],
      ["a status that nobody knows", "unknown", "42"],
    ] as const)
      await placeTask(board, { intent: { prompt }, remote: { ...remote, state, rawStatus } });
    await board.close();
    await window.treeRow("Tasks", "a status that nobody knows");
    // All of the side bar for the tasks.
    await page.locator(".pane-header").filter({ hasText: "Chat" }).press("ArrowLeft");
    const isReadable = async (look: string): Promise<void> => {
      let wrong: readonly string[] = [];
      // The mark of a theme may be there before its colours.
      await eventually(
        () => `${look}: ${wrong.join("; ")}`,
        async () => {
          const seen = await page.evaluate<readonly ReadRow[]>(readRows);
          wrong = seen.flatMap(({ text, shown, contrast }) => [
            ...(shown < Math.min(12, text.length) ? [`${shown} characters of “${text}” are in view`] : []),
            ...(contrast < 4.5 ? [`“${text}” has a contrast of ${contrast}`] : []),
          ]);
          if (seen.length < 6) wrong = [...wrong, `${seen.length} rows`];
          return wrong.length === 0;
        },
      );
    };
    for (const width of [200, 480, 300]) {
      await setSideBarWidth(window, width);
      await isReadable(`${width} px`);
    }
    for (const theme of themes) {
      await useTheme(theme);
      await isReadable(theme[0]);
    }
  });

  it("T2: a narrow window shows each step of a submission whole", async () => {
    await window.page.setViewportSize({ width: 900, height: 700 });
    await window.openFile("hero.prompts.md");
    await window.selectText("lighthouse");
    const submitted = window.run("sluice.task.submitSelection");
    for (const step of [typeStep, modelStep, selectionStep]) {
      await stepIsReady(window, step);
      // Rows of the step before are there for a moment.
      await eventually(`the step ${step} is whole`, async () => {
        return (await window.page.evaluate<readonly string[]>(cutInQuickInput)).length === 0;
      });
      if (step !== selectionStep) await acceptSteps(window, step);
    }
    await picksOf(window).press("Escape");
    await submitted;
  });

  it("V4 (newuser L17): the walkthrough opens, with a tick for what was done and pictures in the colours of the window", async () => {
    await window.page.setViewportSize({ width: 1700, height: 900 });
    await window.showContainer("Sluice");
    await window.run("workbench.action.openWalkthrough", "sluice.sluice#start");
    // What was done before VS Code has read the walkthrough is ticked too.
    const lookedAround = window.page.locator(".getting-started-step", { hasText: "Look around" });
    await lookedAround.locator(".codicon.complete").waitFor();
    await window.page.getByText("Connect to your gateway").first().click();
    await window.page.getByRole("button", { name: "Connect to a Gateway…" }).first().waitFor();
    const lines = async (): Promise<string> => {
      const frame = await window.frameWith("svg");
      // A change of theme may replace the frame while it is read.
      return frame.evaluate<string>("getComputedStyle(document.querySelector('svg')).stroke").catch(() => "");
    };
    const seen = new Set<string>();
    for (const theme of [themes[0], themes[2]]) {
      await useTheme(theme);
      await eventually(`the picture in ${theme[0]}`, async () => {
        const drawn = await lines();
        if (seen.has(drawn) || drawn !== (await window.page.evaluate<string>(windowForeground))) return false;
        seen.add(drawn);
        return true;
      });
    }
    assert.equal(seen.size, 2);
  });

  it("C1, V4 (findings 22, 23): Open Settings shows all settings under User, in their groups, without an error, and none under Remote and Workspace", async () => {
    // What is out of view is not drawn.
    await window.page.setViewportSize({ width: 1280, height: 2600 });
    await window.run("sluice.settings.open");
    const editor = window.page.locator(".settings-editor");
    await editor.getByText("Base Url").first().waitFor();
    const count = async (): Promise<string> => (await editor.locator(".settings-count-widget").textContent()) ?? "";
    // The search goes on after the first settings are shown.
    await eventually("all of them", async () => (await count()).startsWith(`${settingIds.length} `));
    for (const group of ["Gateway", "Chat", "Tasks", "Results"])
      await editor.locator(".settings-toc-container").getByText(group, { exact: true }).waitFor();
    const messages = window.page.locator(".setting-item-validation-message").filter({ visible: true });
    assert.deepEqual(await messages.allInnerTexts(), []);
    for (const tab of [/^Remote/, "Workspace"]) {
      await editor.locator(".settings-tabs-widget").getByText(tab).first().click();
      await editor.locator(".no-results-message").waitFor();
    }
  });
});
