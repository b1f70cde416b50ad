/** The selection of the Tasks view in the real window, while its rows change: what is painted is what a command takes. */
import assert from "node:assert/strict";
import type { RemoteTask } from "../../src/domain/task/task";
import type { TaskBoard } from "../../src/tasks/board/board";
import { makeRemote } from "../support/builders";
import { openBoardOf, placeTask } from "../support/placedTasks";
import { openWindow, type VsCodeWindow } from "../support/window";

describe("the selection of the Tasks view", () => {
  const names = ["one", "two", "three", "four", "five"];
  let window: VsCodeWindow;
  let board: TaskBoard;
  let ids: Readonly<Record<string, string>>;
  const place = (name: string): Promise<string> =>
    placeTask(board, { intent: { prompt: `gull ${name}.` }, remote: { state: "unknown", rawStatus: "2" } });
  before("open VS Code with five running tasks", async () => {
    window = await openWindow();
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
    board = await openBoardOf(window);
    const placed: [string, string][] = [];
    for (const name of names) placed.push([name, await place(name)]);
    ids = Object.fromEntries(placed);
    await window.treeRow("Tasks", "gull five");
    // Only rows that are in view are drawn.
    await window.page.locator(".pane-header", { hasText: "Chat" }).press("ArrowLeft");
    await window.treeRow("Tasks", "gull one");
  });
  after(async () => {
    await board.close();
    await window.close();
  });

  const namesIn = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => /gull (\w+)\./.exec(text)?.[1] ?? []).sort();
  const painted = async (): Promise<readonly string[]> =>
    namesIn(await window.page.locator(".pane .monaco-list-row.selected").allInnerTexts());
  /** What *Cancel…* would end. */
  const taken = async (): Promise<readonly string[]> => {
    window.begin("sluice.task.cancel");
    await window.quickInput().waitFor();
    const offered = namesIn(await window.quickPickItems());
    await window.page.keyboard.press("Escape");
    await window.quickInput().waitFor({ state: "hidden" });
    return offered;
  };
  const read = async (name: string, remote: Partial<RemoteTask>): Promise<void> => {
    const id = ids[name] ?? "";
    await board.writeThenApply({ type: "task-read", id, at: Date.now(), remote: makeRemote(remote) });
  };

  it("T6, T9 (M6): selected rows stay painted while states change and new rows come, and Cancel takes those that are painted", async () => {
    await (await window.treeRow("Tasks", "gull four")).click();
    await (await window.treeRow("Tasks", "gull two")).click({ modifiers: ["Shift"] });
    assert.deepEqual(await painted(), ["four", "three", "two"]);

    // The middle one, then the first one is drawn again.
    for (const name of ["three", "four"]) {
      await read(name, { state: "unknown", rawStatus: "3" });
      await (await window.treeRow("Tasks", `gull ${name}`)).getByText("status “3”").waitFor();
      assert.deepEqual(await painted(), ["four", "three", "two"], name);
    }
    await place("new");
    await window.treeRow("Tasks", "gull new");
    assert.deepEqual(await painted(), ["four", "three", "two"]);
    assert.deepEqual(await taken(), ["four", "three", "two"]);

    // It moves to the tasks that have ended, and is drawn there.
    await read("three", { state: "succeeded", rawStatus: "4", completedAt: Date.now() });
    await window.treeRow("Tasks", "Finished today");
    assert.deepEqual(
      (await painted()).filter((name) => name !== "three"),
      ["four", "two"],
    );
    assert.deepEqual(await taken(), ["four", "two"]);
  });
});
