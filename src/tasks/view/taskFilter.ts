/** Filters the tasks of the Tasks view: by words of the prompt, model or id, by type and by state. */
import { t } from "@vscode/l10n";
import { createWordFilter, foldText } from "../../base/text/wordFilter";
import { joinWords } from "../../domain/words/joinWords";
import { acceptedOf, conditionOf, phaseOf } from "../../domain/task/phase";
import type { Task, TaskState, TaskType } from "../../domain/task/task";
import { isFinished } from "./taskGroups";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { phaseName } from "./taskWords";

/** A state as a person filters by it. */
export type FilterState = "attention" | "running" | EndState;
type EndState = Extract<TaskState, "succeeded" | "failed" | "cancelled" | "expired" | "refunded">;

export const filterStates: readonly FilterState[] = [
  "attention",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
  "refunded",
];

export interface TaskFilter {
  /** Each of its words must occur. */
  readonly text: string;
  /** An empty list stands for all types; an empty list of states for all states. */
  readonly types: readonly TaskType[];
  readonly states: readonly FilterState[];
}

export const noFilter: TaskFilter = { text: "", types: [], states: [] };

export function isFiltering({ text, types, states }: TaskFilter): boolean {
  return text.trim() !== "" || types.length > 0 || states.length > 0;
}

/** Whether a task is shown. */
export function createFilter(filter: TaskFilter, hidesFinished: boolean): (task: Task) => boolean {
  const hasWords = createWordFilter(filter.text);
  return (task) => {
    if (hidesFinished && isFinished(task)) return false;
    if (filter.types.length > 0 && !filter.types.some((type) => type === task.intent.type)) return false;
    if (filter.states.length > 0 && !filter.states.some((state) => isInState(task, state))) return false;
    if (hasWords === undefined) return true;
    const { intent } = task;
    const id = acceptedOf(task)?.taskId ?? "";
    return hasWords(foldText(`${intent.prompt}\n${intent.model}\n${id}`));
  };
}

function isInState(task: Task, state: FilterState): boolean {
  if (state === "attention") return conditionOf(task) === "needs-attention";
  if (state === "running") return conditionOf(task) === "running";
  return phaseOf(task) === state;
}

export function filterStateName(state: FilterState): string {
  if (state === "attention") return t("needs attention");
  return state === "running" ? t("running") : phaseName(state, "");
}

/** The filter in a few words, for the view's header: `“lighthouse”, video, failed`. */
export function describeFilter({ text, types, states }: TaskFilter): string {
  const words = text.trim() === "" ? [] : [t("“{0}”", text.trim())];
  return joinWords([...words, ...types.map(taskTypeName), ...states.map(filterStateName)]);
}
