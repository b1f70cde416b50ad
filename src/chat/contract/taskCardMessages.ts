/** The messages about the tasks of a chat. The page sends the ids of the tasks whose cards are drawn; the host answers with what each card shows. */
import * as z from "zod/mini";
import { promptCap } from "../../domain/chat/chat";
import { type CardAction, isCardAction, taskActions } from "../../domain/task/taskActions";
import { maxCompared } from "../../tasks/contract/galleryPageContract";
import { taskId } from "../../domain/task/taskId";
import type { ShownFile, StateTone } from "../../tasks/contract/taskPageContract";

const cardActions = taskActions.filter(isCardAction);

/** More cards are never near the view, but for those of one task entry that has more. */
export const maxWatched = 500;

export const taskCardIntents = {
  /** Asks in the quick pick what the prompt is to become, and submits it as a task. Empty: the prompt is asked for too. */
  "task-submit": { text: z.string().check(z.maxLength(promptCap)) },
  /** All tasks whose cards are drawn now, in place of those before. */
  "task-cards-watch": { tasks: z.array(taskId).check(z.maxLength(maxWatched)) },
  /** The results of tasks that were ordered together, beside each other. */
  "task-cards-compare": { tasks: z.array(taskId).check(z.maxLength(maxCompared)) },
  "task-card-action": { task: taskId, action: z.enum(cardActions) },
} as const;

export interface TaskCardView {
  /** The id of the task's intent. */
  readonly id: string;
  readonly state: { readonly name: string; readonly tone: StateTone };
  /** Its first line. */
  readonly prompt: string;
  /** Type, model, and what the state does not say: stale, cancel requested. */
  readonly facts: readonly string[];
  /** What went wrong and what it means, while there is something to decide. */
  readonly problem?: string;
  readonly money: string;
  readonly file?: ShownFile;
  readonly actions: readonly CardAction[];
  /** All of it in a sentence, for screen readers. */
  readonly spoken: string;
}

/** Without a view: the task is not on the list. */
export interface TaskCardState {
  readonly id: string;
  readonly view?: TaskCardView;
}
