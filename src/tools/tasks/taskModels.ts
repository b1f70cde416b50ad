/** The models that a task may be submitted to: named to the model beforehand, and refused before a person is asked where the gateway lists others. */
import * as z from "zod/mini";
import { revealHidden } from "../../base/text/revealHidden";
import { isAccepted, isRefused } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskModel, TaskPort } from "../../domain/task/taskPort";
import { type TaskType, taskTypes } from "../../domain/task/taskTypes";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import { defineTool } from "../base/defineTool";
import { maxCopies } from "./submittedOptions";

/** Models of a type that are named, and characters of one name: a gateway may list thousands. */
const maxNamed = 30;
const maxNameLength = 100;

/** *video: a, b; async-image: c*; empty where none are listed. */
function wordsOf(list: readonly TaskModel[]): string {
  return taskTypes
    .flatMap((type) => {
      const names = namesOf(list, type);
      return names.length === 0 ? [] : [`${type}: ${joined(names)}`];
    })
    .join("; ");
}

/** Sorted, so that the words stay the same when the gateway lists them in another order. */
function namesOf(list: readonly TaskModel[], type: TaskType): readonly string[] {
  return list.flatMap(({ id, types }) => (types.includes(type) ? [id] : [])).toSorted();
}

function joined(names: readonly string[]): string {
  const named = names.slice(0, maxNamed).map((name) => revealHidden(name.slice(0, maxNameLength)).toWellFormed());
  return `${named.join(", ")}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ""}`;
}

/**
 * For one chat: the declaration of the tool that submits, with the models that were listed when it was first used. They stay as they are
 * there, because a changed declaration would have the service read the whole prompt again, at its full price.
 */
export function declareTaskModels(
  tasks: Pick<TaskPort, "models">,
  submit: string,
): (tools: readonly Tool[]) => readonly Tool[] {
  const known = new Map<string, string>();
  return (tools) => {
    const { origin, list } = tasks.models();
    const words = known.get(origin) ?? wordsOf(list);
    known.set(origin, words);
    if (words === "") return tools;
    return tools.map((tool) => {
      const { declaration } = tool;
      if (declaration.name !== submit) return tool;
      return { ...tool, declaration: { ...declaration, description: `${declaration.description} Models: ${words}.` } };
    });
  };
}

/** For agents outside of the chat, which get no declaration that names the models. */
export function listTaskModels(tasks: AskedOfModels, name: string): Tool {
  return defineTool({
    name,
    effect: "reads",
    description:
      "The models that make images and videos, by the type of task, with what one costs by the person's price list, and the options that a task takes.",
    parameters: z.strictObject({}),
    prepare: () =>
      Promise.resolve({
        action: { type: "list-task-models" },
        async run(running) {
          const lines: string[] = [];
          for (const type of taskTypes) lines.push(await linesOf(tasks, type, running));
          return `${lines.join("\n\n")}\n\n${commonOptions}`;
        },
      }),
  });
}

const commonOptions = `Options: size ("1024x1024"), duration (seconds, for a video), seed (a whole number), n (1 to ${maxCopies}: each is paid), and what else the model takes.`;

type AskedOfModels = Pick<TaskPort, "models" | "priceOf" | "target">;

async function linesOf(tasks: AskedOfModels, type: TaskType, signal: AbortSignal): Promise<string> {
  const { home, type: state } = await tasks.target(type, signal);
  const names = namesOf(tasks.models().list, type);
  const priceOf = (model: string): string => {
    const price = tasks.priceOf({ type, model, prompt: "", home });
    if (price === undefined) return "";
    return `: ${price.isPartial ? "at least " : ""}${price.amount} ${price.currency}`;
  };
  const listed = names
    .slice(0, maxNamed)
    .map((model) => `- ${revealHidden(model.slice(0, maxNameLength)).toWellFormed()}${priceOf(model)}`);
  if (names.length > maxNamed) listed.push(`- and ${names.length - maxNamed} more`);
  if (names.length === 0) listed.push("- (the gateway lists none: ask the person which to use)");
  return [`${type} (${availabilityWords[state]})`, ...listed].join("\n");
}

const availabilityWords = {
  enabled: "enabled for this account",
  unknown: "not known whether it is enabled for this account",
  "not-enabled": "not enabled for this account",
} as const;

/** The model as the gateway names it. Throws a `ToolRefusal` with the models of the type for one that the gateway does not have. */
export function findTaskModel(tasks: Pick<TaskPort, "models" | "list">, type: TaskType, wanted: string): string {
  const names = namesOf(tasks.models().list, type);
  if (names.includes(wanted)) return wanted;
  const alike = names.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  const earlier = tasks.list().filter(({ intent }) => intent.type === type && intent.model === wanted);
  // The gateway had it, whether it lists it or not.
  if (earlier.some(isAccepted)) return wanted;
  if (names.length > 0)
    throw new ToolRefusal(
      `The gateway lists no model ${wanted} for the type ${type}, so nothing was submitted. Models for it: ${joined(names)}.`,
    );
  if (earlier.some(refusedItsModel))
    throw new ToolRefusal(
      `The gateway has refused the model ${wanted} for the type ${type} before, so nothing was submitted. Ask the person which model to use.`,
    );
  return wanted;
}

/** What to add to the report of a task whose model was refused. */
export function otherModels(tasks: Pick<TaskPort, "models">, task: Task): string {
  if (!refusedItsModel(task)) return "";
  const type = taskTypes.find((one) => one === task.intent.type);
  const names = type === undefined ? [] : namesOf(tasks.models().list, type);
  return names.length === 0 ? "" : `\nModels for ${type}: ${joined(names)}.`;
}

function refusedItsModel(task: Task): boolean {
  if (!isRefused(task) || task.submission.state !== "not-accepted") return false;
  const { kind, code = "" } = task.submission.error;
  return /model/i.test(code) || kind === "not-found";
}
