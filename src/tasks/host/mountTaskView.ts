/** Mounts the Tasks view with what goes with it: status bar, notifications, dragging, and the commands that arrange it. */
import type * as vscode from "vscode";
import type { TaskApp } from "../taskApp";
import { systemClock } from "../../base/async/systemClock";
import type { DisposableStore } from "../../base/disposable";
import type { Connections } from "../../domain/ports";
import type { Task } from "../../domain/task/task";
import { createTaskCounts } from "../view/taskCounts";
import { UsualTimes } from "../money/usualTimes";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { createStatusBar } from "./tree/statusBar";
import { registerTaskDrop } from "./tree/taskDrag";
import { registerTaskListCommands } from "./tree/taskListCommands";
import { expandWithFirst } from "./tree/expandWithFirst";
import { createTaskNotifications } from "./tree/taskNotifications";
import { TaskTree } from "./tree/taskTree";
import { createTaskViewChoices } from "./tree/taskViewChoices";
import type { HostServices } from "../../gateway/host/hostServices";

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
  app: TaskApp,
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
      const { referencesTo } = await import("./commands/droppedResults");
      return referencesTo(copies, ...dropped);
    }),
  );
  mounted.add(registerTaskListCommands({ board, tree, choices, dialogs, memory, awaitsResult, now }));
  return tree;
}
