/** A task as text for a model: its state in words, where the result is, and what can be done next. */
import { fileURLToPath } from "node:url";
import { quoteForeign } from "../../domain/words/quoteForeign";
import type { CallEffects } from "../../domain/tools/tool";
import { isFreeTask } from "../../domain/task/sameHome";
import { isFinal, type Task } from "../../domain/task/task";
import type { TaskPort } from "../../domain/task/taskPort";
import type { Workspace } from "../../domain/tools/workspace";
import { labelInWorkspace } from "../gate/pathNames";
import type { TaskToolNames } from "./taskToolNames";

const shownPrompt = 200;

export function reportTask(
  task: Task,
  workspace: Workspace,
  tasks: Pick<TaskPort, "moneyOf" | "fetchProblemOf">,
  names: TaskToolNames,
): string {
  const { id, type, model, prompt, createdAt } = task.intent;
  return [
    `id: ${id}`,
    `type: ${type}, model: ${model}, submitted: ${new Date(createdAt).toISOString()}`,
    `prompt: ${JSON.stringify(cut(prompt))}`,
    `money: ${tasks.moneyOf(task)}`,
    `state: ${stateOf(task)}`,
    ...nextOf(task, workspace, tasks, names),
  ].join("\n");
}

/** Reports text that others may have written: the gateway's message, and the prompt of a task that was submitted elsewhere. */
export function reportUntrustedTask(tasks: readonly Task[], effects: CallEffects | undefined): void {
  const foreign = tasks.find(({ intent, submission }) => intent.isWatched === true || hasMessage(submission));
  if (foreign !== undefined) effects?.untrusted?.(foreign.intent.home.origin);
}

function hasMessage(submission: Task["submission"]): boolean {
  if (submission.state === "accepted") return submission.remote.errorMessage !== undefined;
  return submission.state === "not-accepted";
}

/** A task in one line, because a list holds many. */
export function lineOfTask(task: Task): string {
  const { id, type, model, prompt } = task.intent;
  return `${id} ${type} ${model} ${stateOf(task)}: ${JSON.stringify(cut(prompt))}`;
}

/** The report of a task that goes on. */
export function lineOfState(task: Task): string {
  return `state: ${stateOf(task)}`;
}

function cut(prompt: string): string {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length > shownPrompt ? `${line.slice(0, shownPrompt).toWellFormed()} …` : line;
}

function stateOf({ submission }: Task): string {
  switch (submission.state) {
    case "prepared":
    case "sending":
      return "being submitted";
    case "outcome-unknown":
      return "submission without an answer";
    case "not-accepted":
      return submission.error.notSent ? "not sent" : "not accepted";
    case "accepted":
      return submission.remote.state;
  }
}

function nextOf(
  task: Task,
  workspace: Workspace,
  tasks: Pick<TaskPort, "fetchProblemOf">,
  { get }: TaskToolNames,
): string[] {
  const { submission, intent } = task;
  if (submission.state === "outcome-unknown")
    return ["The task may exist. Don't submit it again: the person can reconcile it in the Tasks view."];
  if (submission.state === "not-accepted") {
    const { message, notSent } = submission.error;
    if (notSent) return [`It was not sent, and nothing is paid: ${quoteForeign(message)}`];
    return [`The gateway did not take it: ${quoteForeign(message)}`];
  }
  if (submission.state !== "accepted") return [];
  const { remote, placement } = submission;
  if (!isFinal(remote.state)) return [`${get} with wait_seconds waits for its end.`, ...destinationOf(task, workspace)];
  if (remote.state !== "succeeded") {
    return remote.errorMessage === undefined ? [] : [`The gateway says: ${quoteForeign(remote.errorMessage)}`];
  }
  const file = placement?.file.startsWith("file:") && labelInWorkspace(workspace, fileURLToPath(placement.file));
  if (placement?.state === "placed" && file) return [`The result is ${file}.`];
  if (placement?.state === "occupied") return ["Another file has that name: the person decides in the Tasks view."];
  const problem = tasks.fetchProblemOf(task);
  if (problem !== undefined) return [unfetchedWords(task, problem)];
  if (intent.destination !== undefined && placement?.state !== "failed")
    return ["The result is being written into the project."];
  return ["The person can open the result in the Tasks view."];
}

function unfetchedWords(task: Task, problem: "retried" | "given-up"): string {
  const file = problem === "retried" ? "is not fetched yet: that failed, and is tried again" : "could not be fetched";
  const result = isFreeTask(task) ? "The task has succeeded" : "The task has succeeded, and what succeeds is charged";
  const remedy = "The person can fetch it with Open Result in the Tasks view, or at the address on the task's page";
  return `Its file ${file}. ${remedy}. ${result}. Don't submit it again.`;
}

function destinationOf({ intent: { destination } }: Task, workspace: Workspace): string[] {
  const place = destination?.file.startsWith("file:") && labelInWorkspace(workspace, fileURLToPath(destination.file));
  return place ? [`The result will go to ${place}, with the ending of its type.`] : [];
}
