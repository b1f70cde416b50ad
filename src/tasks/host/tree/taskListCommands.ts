/** The commands of the Tasks view that change nothing of a task but its place: grouping, filter, seen, cleared and restored. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { clearedWords, clearTasks, restoreTasks, markSeen } from "../../view/clearedTasks";
import { type Task, type TaskType, taskTypes } from "../../../domain/task/task";
import type { TaskBoard } from "../../board/board";
import type { Grouping, TaskElement } from "../../view/taskGroups";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { type CommandId, commands, views } from "../../../vscode/ids";
import {
  flashStatus,
  notifyInformation,
  showBusy,
  createPick,
  createSeparator,
  shownItem,
  type ShownItem,
} from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import type { TaskTree } from "./taskTree";
import type { TaskViewStore } from "./taskViewChoices";
import { type FilterState, filterStateName, filterStates, noFilter, type TaskFilter } from "../../view/taskFilter";
import { taskTypeName } from "../../../domain/words/taskTypeWords";

interface TaskListPorts {
  readonly board: TaskBoard;
  readonly tree: TaskTree;
  readonly choices: TaskViewStore;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** The result of the task is still to be fetched without a click. */
  readonly awaitsResult: (task: Task) => boolean;
  readonly now: () => number;
}

const groupCommands = [
  [commands.groupByState, commands.groupedByState, "state"],
  [commands.groupByType, commands.groupedByType, "type"],
  [commands.groupByDay, commands.groupedByDay, "day"],
  [commands.groupByBatch, commands.groupedByBatch, "batch"],
] as const satisfies readonly (readonly [CommandId, CommandId, Grouping])[];

const clearedKey = "tasks.cleared";

export function registerTaskListCommands(ports: TaskListPorts): Disposable {
  const { board, tree, choices, dialogs, now } = ports;
  const store = new DisposableStore();
  const register = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    store.add(dialogs.register(id, run));
  };
  for (const [choose, chosen, grouping] of groupCommands) {
    const group = (): void => choices.set({ ...choices.current, grouping });
    register(choose, group);
    // The chosen one is in the menu with a check mark, by a command of its own: VS Code has no checked menu items.
    register(chosen, group);
  }
  register(commands.filterTasks, () => askForFilter(choices));
  register(commands.clearFilter, () => clearFilter(choices));
  register(commands.hideFinished, () => choices.set({ ...choices.current, hidesFinished: true }));
  register(commands.showFinished, () => choices.set({ ...choices.current, hidesFinished: false }));
  register(commands.showMoreTasks, (element) => tree.showMore(groupOf(element)));
  register(commands.markSeen, (...args) => markSeen(board, tree.chosenIds(args), now()));
  register(commands.markAllSeen, async () => {
    const count = await markSeen(board, board.listed.keys(), now());
    if (count === 0) void notifyInformation(t("Nothing is unseen: no failed task waits for a look."));
  });
  register(commands.clearFinished, () => clear(ports, board.listed.keys()));
  register(commands.clearGroup, (...args) => clear(ports, tree.chosenIds(args)));
  register(commands.restoreCleared, () => restore(ports));
  register(commands.copyEvent, (...args) => copyEvents(args));
  return store;
}

function groupOf(element: unknown): string | undefined {
  return typeof element === "object" && element !== null && "group" in element && typeof element.group === "string"
    ? element.group
    : undefined;
}

function clearPorts({ board, memory, now }: TaskListPorts): Parameters<typeof clearTasks>[0] {
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

async function clear(ports: TaskListPorts, ids: Iterable<string>): Promise<void> {
  const cleared = await showBusy(views.tasks, clearTasks(clearPorts(ports), ids));
  if (cleared.length === 0) {
    void notifyInformation(t("There is nothing to clear: no finished task is on the list."));
    return;
  }
  const undo = t("Undo");
  if ((await notifyInformation(clearedWords(cleared, ports.awaitsResult), undo)) === undo) {
    await restore(
      ports,
      cleared.map(({ intent }) => intent.id),
    );
  }
}

/** `ids`: else those that were cleared last. */
async function restore(ports: TaskListPorts, ids?: readonly string[]): Promise<void> {
  const count = await showBusy(views.tasks, restoreTasks(clearPorts(ports), ids));
  if (count === 0) void notifyInformation(t("There are no cleared tasks to restore."));
  else
    flashStatus(
      "check",
      plural(count, { one: "1 task is back on the list.", other: "{0} tasks are back on the list." }),
      5000,
    );
}

/** Messages of the gateway: a line break in one would make a terminal run what is pasted. */
async function copyEvents([clicked, selected]: readonly unknown[]): Promise<void> {
  const elements = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]) as readonly TaskElement[];
  const lines = elements.flatMap((element) =>
    element.kind === "event" ? [shownLine(element.event.message || element.event.type, 2000)] : [],
  );
  if (lines.length > 0) await vscode.env.clipboard.writeText(lines.join("\n"));
}

// Asks which tasks the Tasks view should show: words to type, types and states to check, in one quick pick.

type FilterItem = ShownItem & { readonly type?: TaskType; readonly state?: FilterState };

/** The view follows while the person types; Esc takes back what was chosen here. */
function askForFilter(choices: TaskViewStore): Promise<void> {
  const before = choices.current.filter;
  const pick = createPick<FilterItem>();
  pick.title = shownLine(t("Filter Tasks"));
  pick.placeholder = shownLine(t("Words of the prompt, a model or an id. Check states and types below."));
  pick.canSelectMany = true;
  // What was typed and checked would be lost when the focus moves.
  pick.ignoreFocusOut = true;
  pick.items = [
    createSeparator(t("State")),
    // Not searched by what is typed, which searches the tasks.
    ...filterStates.map((state): FilterItem => ({ ...itemOf(filterStateName(state)), state })),
    createSeparator(t("Type")),
    ...taskTypes.map((type): FilterItem => ({ ...itemOf(taskTypeName(type)), type })),
  ];
  pick.value = before.text;
  pick.selectedItems = pick.items.filter(
    ({ state, type }) =>
      (state !== undefined && before.states.includes(state)) || (type !== undefined && before.types.includes(type)),
  );
  const apply = (filter: TaskFilter): void => choices.set({ ...choices.current, filter });
  const applyChosen = (): void => apply(filterOf(pick));
  return new Promise((resolve) => {
    let isAccepted = false;
    pick.onDidChangeValue(applyChosen);
    pick.onDidChangeSelection(applyChosen);
    pick.onDidAccept(() => {
      isAccepted = true;
      applyChosen();
      pick.hide();
    });
    pick.onDidHide(() => {
      if (!isAccepted) apply(before);
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

function clearFilter(choices: TaskViewStore): void {
  choices.set({ ...choices.current, filter: noFilter });
}

function itemOf(name: string): ShownItem {
  return shownItem({ label: `${name.slice(0, 1).toLocaleUpperCase()}${name.slice(1)}`, alwaysShow: true });
}

function filterOf(pick: Pick<vscode.QuickPick<FilterItem>, "value" | "selectedItems">): TaskFilter {
  return {
    text: pick.value.trim(),
    types: pick.selectedItems.flatMap(({ type }) => type ?? []),
    states: pick.selectedItems.flatMap(({ state }) => state ?? []),
  };
}
