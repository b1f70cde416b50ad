/** Windows that the tests of several files use one after the other: opening one takes as long as ten tests. */
import { cp, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isRunning } from "../../src/domain/task/phase";
import { isFinal } from "../../src/domain/task/task";
import type { TaskBoard } from "../../src/tasks/board/board";
import { makeRemote } from "./builders";
import { eventually } from "./eventually";
import { openBoardOf } from "./placedTasks";
import { processWide } from "./processWide";
import { setSideBarWidth } from "./sideBar";
import { stillSettings } from "./stillSettings";
import { changeUserSettings } from "./userSettings";
import { openWindow, type VsCodeWindow, type WindowOptions } from "./window";

const shared = processWide("windows", () => new Map<string, VsCodeWindow>());

/**
 * The window of this name, opened by the first caller and closed at the end of the process. A later caller gets it with its own user settings.
 * Its `close` leaves it as it was opened: without editors, notifications and tasks, with a new chat, the sample's files and the usual sizes.
 */
export async function shareWindow(name: string, options: WindowOptions = {}): Promise<VsCodeWindow> {
  const open = shared.get(name);
  const window = open ?? (await openWindow(options));
  shared.set(name, window);
  if (open) await ensureSettings(open, options.settings ?? {});
  return { ...window, close: () => clean(window) };
}

const usualSize = { width: 1280, height: 800 };
const usualSideBar = 300;

/** The shared window on the local gateway, at one speed, with which that gateway was started. A task with `[stuck]` in its prompt runs until it is cancelled. */
export async function shareLocalWindow(): Promise<VsCodeWindow> {
  const window = await shareWindow("local gateway", { settings: { "sluice.localGateway.speed": 10 } });
  await window.showContainer("Sluice");
  await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
  return window;
}

/** Changes the user's settings, unless those that tests change are these already. */
async function ensureSettings(window: VsCodeWindow, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  const text = await readFile(path.join(window.server.dataDir, "data", "User", "settings.json"), "utf8");
  // Without the line by which the file was last saved.
  const present = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, "")) as Record<string, unknown>;
  const changeable = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(settings).filter(([id]) => /^(?:sluice|window)\.|^workbench.colorTheme$/.test(id)),
    );
  if (!isDeepStrictEqual(changeable(present), changeable({ ...stillSettings, ...wanted })))
    await changeUserSettings(window, wanted);
}

async function clean(window: VsCodeWindow): Promise<void> {
  await window.runCommand("View: Close All Editors");
  await window.runCommand("Notifications: Clear All Notifications");
  await window.page.setViewportSize(usualSize);
  await window.showContainer("Sluice");
  // Opens it where a test has closed it.
  await window.view("Chat");
  await setSideBarWidth(window, usualSideBar);
  const chat = await window.frameWith("textarea");
  // A new chat takes over what waits in the composer.
  await chat.locator("textarea").first().fill("");
  await window.runCommand("Sluice: New Chat");
  await chat.locator(".row").first().waitFor({ state: "detached" });
  await removeTasks(window);
  await restoreSample(window.workspace);
}

/** Until its view has no row. Tasks that run on the gateway are as if it had cancelled them. */
async function removeTasks(window: VsCodeWindow): Promise<void> {
  const board = await openBoardOf(window);
  const rows = await window.treeRows("Tasks");
  let isRemoved = false;
  await eventually("no row of a task, and none that runs off the list", async () => {
    // A read that the window had begun before brings its task back, or has it run on off the list, at a gateway that is then closed.
    await board.readOtherWindows();
    const left = await removeAll(board);
    const wasRemoved = isRemoved;
    isRemoved = left === 0 && (await rows.count()) === 0;
    return wasRemoved && isRemoved;
  });
  await board.close();
}

/** How many there were. */
async function removeAll(board: TaskBoard): Promise<number> {
  const at = Date.now();
  const left = [...board.all.tasks.values()].filter((task) => board.tasks.has(task.intent.id) || isRunning(task));
  for (const { intent, submission } of left) {
    const { id } = intent;
    if (submission.state === "accepted") {
      // The board removes only tasks that have ended, and the gateway that would report an end is closed.
      const cancelled = makeRemote({ state: "cancelled", rawStatus: "6", completedAt: at });
      const remote = isFinal(submission.remote.state) ? submission.remote : cancelled;
      // As if the later look had been taken: a task off the list is read on, and runs on at its gateway.
      await board.writeThenApply({ type: "task-read", id, at, remote, isRecheck: true });
    }
    await board.writeThenApply({ type: "task-removed", id, at });
  }
  return left.length;
}

async function restoreSample(workspace: string): Promise<void> {
  const sample = path.join("media", "sample");
  const kept = new Set(await readdir(sample));
  for (const name of await readdir(workspace))
    if (!kept.has(name)) await rm(path.join(workspace, name), { recursive: true, force: true });
  await cp(sample, workspace, { recursive: true });
}
