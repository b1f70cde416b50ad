/** Windows that the tests of several files use one after the other: opening one takes as long as ten tests. */
import { isFinal } from "../../src/domain/task";
import { makeRemote } from "./builders";
import { openBoardOf } from "./placedTasks";
import { processWide } from "./processWide";
import { openWindow, type VsCodeWindow } from "./window";

const shared = processWide("windows", () => new Map<string, VsCodeWindow>());

/** The window of this name, opened by the first caller and closed at the end of the process. Its `close` leaves it without editors, notifications and tasks for the next one. */
export async function shareWindow(name: string, open: () => Promise<VsCodeWindow>): Promise<VsCodeWindow> {
  const window = shared.get(name) ?? (await open());
  shared.set(name, window);
  return { ...window, close: () => clean(window) };
}

/** Whether an earlier caller opened the window of this name. */
export function isWindowShared(name: string): boolean {
  return shared.has(name);
}

/** A shared window on the local gateway, whose tasks take that part of their time: with 0.1 they still run when they are to be cancelled. */
export function shareLocalWindow(speed = 20): Promise<VsCodeWindow> {
  return shareWindow(`local gateway, speed ${speed}`, async () => {
    const window = await openWindow({ settings: { "sluice.localGateway.speed": speed } });
    await window.showContainer("Sluice");
    await (await window.frameWith("textarea")).getByText("demo-chat").filter({ visible: true }).first().waitFor();
    return window;
  });
}

async function clean(window: VsCodeWindow): Promise<void> {
  await window.runCommand("View: Close All Editors");
  await window.runCommand("Notifications: Clear All Notifications");
  await window.showContainer("Sluice");
  const board = await openBoardOf(window);
  const at = Date.now();
  for (const { intent, submission } of [...board.tasks.values()]) {
    const { id } = intent;
    // The board removes only tasks that have ended, and the gateway that would report an end is closed.
    if (submission.state === "accepted" && !isFinal(submission.remote.state)) {
      const remote = makeRemote({ state: "cancelled", rawStatus: "6", completedAt: at });
      await board.record({ type: "task-read", id, at, remote });
    }
    await board.record({ type: "task-removed", id, at });
  }
  await board.close();
  await (await window.treeRows("Tasks")).first().waitFor({ state: "detached" });
}
