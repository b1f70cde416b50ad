/** Mounts the Tasks view with what goes with it: status bar, notifications, dragging, and the commands that arrange it. */
import type * as vscode from "vscode";
import type { App } from "../app/app";
import { systemClock } from "../base/async/systemClock";
import type { DisposableStore } from "../base/disposable";
import type { Connections } from "../domain/ports";
import type { Task } from "../domain/task/task";
import { createTaskCounts } from "../tasks/view/taskCounts";
import { UsualTimes } from "../tasks/money/usualTimes";
import type { Dialogs } from "../vscode/interface/dialogs";
import { createStatusBar } from "../vscode/tasks/view/statusBar";
import { registerTaskDrop } from "../vscode/tasks/view/taskDrag";
import { registerTaskListCommands } from "../vscode/tasks/view/taskListCommands";
import { expandWithFirst } from "../vscode/tasks/view/expandWithFirst";
import { createTaskNotifications } from "../vscode/tasks/view/taskNotifications";
import { TaskTree } from "../vscode/tasks/view/taskTree";
import { createTaskViewChoices } from "../vscode/tasks/view/taskViewChoices";
import type { HostServices } from "./hostServices";

export function mountTaskView(
  memory: vscode.Memento,
  {
    settings,
    attention,
    log,
    isLocal,
    connections,
    isChatInView,
    workspaceMemory,
  }: Pick<HostServices, "settings" | "attention" | "log"> & {
    readonly isLocal: () => boolean;
    readonly connections: Pick<Connections, "current">;
    readonly isChatInView: () => boolean;
    readonly workspaceMemory: vscode.Memento;
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
  const usual = mounted.add(new UsualTimes(board.all));
  const usualTime = (type: string, model: string) => usual.usualTime(type, model);
  const tree = mounted.add(new TaskTree({ board, poller, counts, choices, clock, loadEvents, usualTime, connections }));
  mounted.add(createStatusBar({ counts, poller, clock, isLocal }));
  mounted.add(createTaskNotifications({ board, attention, clock, log, settings, tree }));
  mounted.add(expandWithFirst({ board, tree, memory: workspaceMemory, isChatInView }));
  const awaitsResult = (task: Task): boolean => app.fetcher.awaits(task);
  const now = (): number => clock.now();
  const copies = { board, now, resultsFolder: () => settings.resultsFolder() };
  mounted.add(
    registerTaskDrop(board.all, async (...dropped) => {
      const { referencesTo } = await import("../vscode/tasks/commands/droppedResults");
      return referencesTo(copies, ...dropped);
    }),
  );
  mounted.add(registerTaskListCommands({ board, tree, choices, dialogs, memory, awaitsResult, now }));
  return tree;
}
