/** The contract of the page of one task. The host chooses the words; the page shows them. */
import * as z from "zod/mini";
import { isPageAction, type PageAction, taskActions } from "../../domain/task/taskActions";
import type { MediaKind } from "../../domain/task/taskTypes";
import { type IntentOf, type ProjectedContract } from "../../base/pageContract";
import { taskIdSchema } from "../../domain/task/taskId";

const pageActions = taskActions.filter(isPageAction);

const intents = {
  "task-action": { action: z.enum(pageActions) },
  /** Opens the page of another task: the one that this was made from. */
  "task-open": { task: taskIdSchema },
  "batch-open": {},
  /** Opens the address of a result; `at` is its index in `TaskView.addresses`. */
  "address-open": { at: z.number() },
  "address-copy": { at: z.number() },
  /** The person has expanded the raw JSON: from now on each snapshot contains it. */
  "raw-show": {},
  "events-load": {},
};

export type TaskPageContract = ProjectedContract<typeof intents, TaskPageSnapshot, TaskPageSnapshot>;
export const taskPageContract: TaskPageContract = { intents };
export type TaskPageIntent = IntentOf<TaskPageContract>;

/** A name and its value, in words. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** How a state is drawn next to its name: each tone has an icon and a colour. */
export type StateTone = "waiting" | "running" | "succeeded" | "failed" | "ended" | "attention";

/** A file of the results folder. `url` is its address for the page; `other`: a type that no page can show, or a picture that would take gigabytes. */
export type ShownFile =
  | { readonly kind: MediaKind; readonly url: string; readonly thumbnail?: string }
  | { readonly kind: "other"; readonly name: string; readonly isTooLarge?: true };

export type TaskResultView =
  /** There is none yet, or there will be none. */
  | { readonly state: "none"; readonly why: string; readonly isAwaited: boolean }
  /** The gateway has it, and this machine does not. */
  | { readonly state: "remote" }
  | { readonly state: "loading" }
  | { readonly state: "here"; readonly file: ShownFile };

export interface TimelineRow {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly state?: string;
}

/** A task that this one was made from, or that was made from it. */
export interface LineageNode {
  /** The task's id; missing for a task that is no longer on the list. */
  readonly task?: string;
  readonly title: string;
  /** The number of tasks of one batch; missing for a single task. */
  readonly count?: number;
  /** The address of its small picture. */
  readonly picture?: string;
}

export interface TaskView {
  readonly id: string;
  /** *Local · free*, or the host of the gateway that has it. */
  readonly gateway: string;
  readonly title: string;
  readonly state: { readonly name: string; readonly tone: StateTone; readonly sentence: string };
  /** The folder of the workspace into which a result is saved; missing where a dialog asks. */
  readonly saveFolder?: string;
  /** The path in the workspace where the result was saved. */
  readonly savedAs?: string;
  /** Type, model, created, finished. */
  readonly facts: readonly Fact[];
  readonly result: TaskResultView;
  /** The addresses of results that were not fetched. Their links expire. */
  readonly addresses?: readonly string[];
  readonly prompt: string;
  readonly parameters: readonly Fact[];
  /** The hold, and the ids by which a gateway's support finds it and the task. */
  readonly details: readonly Fact[];
  /** Oldest first. */
  readonly timeline: readonly TimelineRow[];
  /** Whether the gateway's events are part of the timeline. */
  readonly events: "none" | "loading" | "shown" | "failed";
  readonly duplicatedFrom?: LineageNode;
  /** The tasks that were made from it, newest first; the tasks of one batch are one node. */
  readonly ledTo?: readonly LineageNode[];
  /** How many tasks of its batch there are. */
  readonly batch?: number;
  /** Explains *Reconcile*; only while the outcome is unknown. */
  readonly unknown?: string;
  readonly raw?: string;
  /** The actions that the task allows now. */
  readonly actions: readonly PageAction[];
}

/** `subject` is the task's id; `task` is missing while the task is not on the list. */
export interface TaskPageSnapshot {
  readonly subject: string;
  readonly task?: TaskView;
}
