/** Mounts the Tasks view with what goes with it: status bar, notifications, dragging, and the commands that arrange it. */
import type * as vscode from "vscode";
import type { App } from "../app";
import { systemClock } from "../base/systemClock";
import type { DisposableStore } from "../base/disposable";
import { createTaskCounts } from "../tasks/taskCounts";
import { UsualTimes } from "../tasks/usualTimes";
import type { Dialogs } from "../vscode/dialogs";
import { createStatusBar } from "../vscode/statusBar";
import { registerTaskDrop } from "../vscode/taskDrag";
import { registerTaskListCommands } from "../vscode/taskListCommands";
import { createTaskNotifications } from "../vscode/taskNotifications";
import { TaskTree } from "../vscode/taskTree";
import { createTaskViewChoices } from "../vscode/taskViewChoices";
import type { Access } from "./access";

export function mountTaskView(
  memory: vscode.Memento,
  {
    settings,
    attention,
    log,
    isLocal,
  }: Pick<Access, "settings" | "attention" | "log"> & {
    readonly isLocal: () => boolean;
  },
  app: App,
  dialogs: Dialogs,
  mounted: DisposableStore,
): TaskTree {
  const { board, poller } = app;
  const clock = systemClock;
  const counts = mounted.add(createTaskCounts(board, clock));
  const choices = mounted.add(createTaskViewChoices(memory));
  const loadEvents = (id: string): Promise<void> => app.loadEvents(id);
  const usual = mounted.add(new UsualTimes(board));
  const usualTime = (type: string, model: string) => usual.usualTime(type, model);
  const tree = mounted.add(new TaskTree({ board, poller, counts, choices, clock, loadEvents, usualTime }));
  mounted.add(createStatusBar({ counts, poller, clock, isLocal }));
  mounted.add(createTaskNotifications({ board, attention, clock, log, settings, tree }));
  mounted.add(registerTaskDrop(board));
  mounted.add(registerTaskListCommands({ board, tree, choices, dialogs, memory, now: () => clock.now() }));
  return tree;
}
