/** The commands of the Tasks view that change nothing of a task but its place: grouping, filter, seen, cleared and restored. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { plural } from "../../../domain/words/plural";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { clearedWords, clearTasks, restoreTasks, markSeen } from "../../view/clearedTasks";
import type { Task } from "../../../domain/task/task";
import type { TaskBoard } from "../../board/board";
import { isFiltering, noFilter } from "../../view/taskFilter";
import { groupings } from "../../view/taskGroups";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { type CommandId, commands, internalCommands, views } from "../../../vscode/ids";
import { flashStatus, notifyInformation, showBusy } from "../../../vscode/interface/show";
import { askForFilter } from "./taskFilterPick";
import type { TaskTree } from "./taskTree";
import type { TaskViewChoices, TaskViewStore } from "./taskViewChoices";
import type { ViewChange } from "./taskViewPick";

interface TaskListOptions {
  readonly board: TaskBoard;
  readonly tree: TaskTree;
  readonly choices: TaskViewStore;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** The result of the task is still to be fetched without a click. */
  readonly awaitsResult: (task: Task) => boolean;
  readonly now: () => number;
}

const clearedKey = "tasks.cleared";

export function registerTaskListCommands(options: TaskListOptions): Disposable {
  const { board, tree, choices, dialogs } = options;
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(dialogs.register(id, run));
  };
  register(commands.viewTasks, async (wanted) => {
    // The picker is not needed at the start.
    const { askForView, viewChanges } = await import("./taskViewPick");
    const change = viewChanges.find((one) => one === wanted) ?? (await askForView(choices.current));
    if (change) await changeView(options, change);
  });
  register(internalCommands.showHiddenTasks, () =>
    changeView(options, isFiltering(choices.current.filter) ? "show-all" : "show-finished"),
  );
  register(internalCommands.showMoreTasks, (element) => tree.showMore(groupOf(element)));
  register(commands.clearFinished, (...args) =>
    // A group is cleared from its row. VS Code also passes the focused row to an entry of the title menu, so the row of a task means all tasks.
    clear(options, groupOf(args[0]) === undefined ? board.listed.keys() : tree.chosenIds(args)),
  );
  return store;
}

async function changeView(options: TaskListOptions, change: ViewChange): Promise<void> {
  const { board, choices, now } = options;
  const set = (changed: Partial<TaskViewChoices>): void => choices.set({ ...choices.current, ...changed });
  switch (change) {
    case "filter":
      await askForFilter(choices);
      return;
    case "show-all":
      set({ filter: noFilter });
      return;
    case "hide-finished":
    case "show-finished":
      set({ hidesFinished: change === "hide-finished" });
      return;
    case "mark-seen": {
      const count = await markSeen(board, board.listed.keys(), now());
      if (count === 0) void notifyInformation(t("Nothing is unseen: no failed task waits for a look."));
      return;
    }
    case "restore":
      await restore(options);
      return;
    case "group-by-state":
    case "group-by-type":
    case "group-by-day":
    case "group-by-batch":
      set({ grouping: groupings.find((one) => change === `group-by-${one}`) ?? choices.current.grouping });
  }
}

function groupOf(element: unknown): string | undefined {
  return typeof element === "object" && element !== null && "group" in element && typeof element.group === "string"
    ? element.group
    : undefined;
}

function clearOptions({ board, memory, now }: TaskListOptions): Parameters<typeof clearTasks>[0] {
  return {
    board,
    now,
    memory: {
      read() {
        const ids = memory.get<unknown>(clearedKey);
        return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
      },
      write: (ids) => void memory.update(clearedKey, ids),
    },
  };
}

async function clear(options: TaskListOptions, ids: Iterable<string>): Promise<void> {
  const cleared = await showBusy(views.tasks, clearTasks(clearOptions(options), ids));
  if (cleared.length === 0) {
    void notifyInformation(t("There is nothing to clear: no finished task is on the list."));
    return;
  }
  const undo = t("Undo");
  if ((await notifyInformation(clearedWords(cleared, options.awaitsResult), undo)) === undo) {
    await restore(
      options,
      cleared.map(({ intent }) => intent.id),
    );
  }
}

/** Without `ids`, restores the tasks that were cleared last. */
async function restore(options: TaskListOptions, ids?: readonly string[]): Promise<void> {
  const count = await showBusy(views.tasks, restoreTasks(clearOptions(options), ids));
  if (count === 0) void notifyInformation(t("There are no cleared tasks to restore."));
  else
    flashStatus(
      "check",
      plural(count, { one: "1 task is back on the list.", other: "{0} tasks are back on the list." }),
      5000,
    );
}
