/** The grouping of the Tasks view and what it hides, remembered for this person except for the filter. */
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { Store } from "../../../base/store";
import { noFilter, type TaskFilter } from "../../view/taskFilter";
import { type Grouping, groupings } from "../../view/taskGroups";

export interface TaskViewChoices {
  readonly grouping: Grouping;
  readonly hidesFinished: boolean;
  readonly filter: TaskFilter;
}

export type TaskViewStore = Store<TaskViewChoices>;

const groupingKey = "tasks.grouping";
const hidesFinishedKey = "tasks.hidesFinished";

export function createTaskViewChoices(memory: vscode.Memento): TaskViewStore & Disposable {
  const registrations = new DisposableStore();
  const remembered = memory.get<unknown>(groupingKey);
  const choices = new Store<TaskViewChoices>({
    grouping: groupings.find((grouping) => grouping === remembered) ?? "state",
    hidesFinished: memory.get<unknown>(hidesFinishedKey) === true,
    // A filter that outlives the window would hide tasks for no reason that anybody remembers.
    filter: noFilter,
  });
  registrations.add(
    choices.onDidChange(({ now, before }) => {
      if (now.grouping !== before.grouping) void memory.update(groupingKey, now.grouping);
      if (now.hidesFinished !== before.hidesFinished) void memory.update(hidesFinishedKey, now.hidesFinished);
    }),
  );
  return Object.assign(choices, { dispose: () => registrations.dispose() });
}
