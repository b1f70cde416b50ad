/** Asks which tasks the Tasks view should show: words to type, types and states to check, in one quick pick. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type TaskType, taskTypes } from "../../../domain/task/task";
import { type FilterState, filterStateName, filterStates, type TaskFilter } from "../../view/taskFilter";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { createPick, createSeparator, shownItem, type ShownItem } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import type { TaskViewStore } from "./taskViewChoices";

type FilterItem = ShownItem & { readonly type?: TaskType; readonly state?: FilterState };

/** The view follows while the person types; Esc takes back what was chosen here. */
export function askForFilter(choices: TaskViewStore): Promise<void> {
  const before = choices.current.filter;
  const pick = createPick<FilterItem>();
  pick.title = shownLine(t("Filter Tasks"));
  pick.placeholder = shownLine(t("Words of the prompt, a model or an id. Check states and types below."));
  pick.canSelectMany = true;
  // The pick stays open when the focus moves, because the text and the checks would be lost.
  pick.ignoreFocusOut = true;
  pick.items = [
    createSeparator(t("State")),
    // The typed text does not filter these rows, because it searches the tasks.
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
