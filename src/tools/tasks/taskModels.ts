/** The models that a task may be submitted to: named to the model beforehand, and refused before a person is asked where the gateway lists others. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { revealHidden } from "../../base/text/revealHidden";
import { isAccepted, isRefused } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskModel, TaskPort } from "../../domain/task/taskPort";
import { type TaskType, taskTypes, typeMeantBy } from "../../domain/task/taskTypes";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import { defineTool } from "../base/defineTool";
import { isRecord, parseJson } from "../../base/jsonValue";
import {
  eachOption,
  isTaskOption,
  readOption,
  type TaskOption,
  taskOptionFacts,
  taskOptions,
} from "../../domain/task/commonOptions";
import { ArgumentRefusal, type ArgumentRule } from "../base/argumentRules";

/** The options of a task as models write them: common ones in the form that *New Task* sends, and how many tasks are meant. */
type Options = Readonly<Record<string, unknown>>;

/** Tasks of one call: each is paid, and the person is asked once about all. */
export const maxCopies = 4;

/** Reads the type from what the task makes, or from its word in requests. */
export const readTypeArgument: ArgumentRule = (draft) => {
  const given = draft.get("type");
  const type = typeof given === "string" ? typeMeantBy(given) : undefined;
  if (type === undefined || type === given) return;
  draft.set("type", type);
  draft.noteConverted("type");
};

/** The names of options that models write next to `options`. */
const besideOptions: Readonly<Record<string, readonly string[]>> = {
  ...eachOption((name) => [name, ...taskOptionFacts(name).otherNames]),
  n: ["n", "count", "num_images", "number_of_images"],
};

/** The options of each task, as models are told of them. */
export const toldOptions = taskOptions.map((name) => `${name} (${taskOptionFacts(name).told})`).join(", ");

/** Moves options that were written next to `options` into these, so that a number of tasks is bounded and asked about like any other. */
export const optionsBeside: ArgumentRule = (draft) => {
  for (const [option, names] of Object.entries(besideOptions)) {
    for (const name of names) {
      const from = draft.find(name);
      const value = from === undefined ? undefined : draft.get(from);
      const written = draft.get("options") ?? {};
      const options = typeof written === "string" ? parseJson(written) : written;
      if (from === undefined || !isRecord(options)) continue;
      draft.remove(from);
      if (options[option] !== undefined && !isDeepStrictEqual(options[option], value)) {
        draft.conflict = `${from} and options.${option} say different things; give options.${option} only.`;
        return;
      }
      draft.set("options", { ...options, [option]: value });
      draft.notes.push({ type: "renamed", from, to: `options.${option}` });
    }
  }
};

export interface SubmittedOptions {
  /** The options of each task; `undefined` without options. */
  readonly each: readonly (Options | undefined)[];
  /** The options without the number of tasks. */
  readonly options: Options;
}

/** Throws a `ToolRefusal` for an invalid number of tasks, or too large a one. */
export function readOptions({ n, ...given }: Options = {}): SubmittedOptions {
  const count = countIn(n ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > maxCopies)
    throw new ArgumentRefusal(`options.n is a whole number from 1 to ${maxCopies}: each is a task that is paid.`);
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, asSent(name, value)]));
  const { seed } = options;
  const each = Array.from({ length: count }, (_, index): Options | undefined => {
    // The same seed would make the same result again, and be paid again.
    if (typeof seed === "number" && index > 0) return { ...options, seed: seed + index };
    return Object.keys(options).length === 0 ? undefined : options;
  });
  return { each, options };
}

function countIn(n: unknown): number {
  return typeof n === "number" || typeof n === "string" ? Number(n) : NaN;
}

/** Spellings of models that a person would not type. */
const spellings: Readonly<Partial<Record<TaskOption, (text: string) => string>>> = {
  size: (text) => text.replaceAll("*", "x"),
  duration: (text) => text.replace(/sec(?:ond)?s?$/, "s"),
};

/** Converts a value to what the form of *New Task* would send; anything else stays as it is, for the gateway to judge. */
function asSent(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.replaceAll(/\s+/g, "").toLowerCase();
  return isTaskOption(name) ? (readOption(name, spellings[name]?.(text) ?? text) ?? value) : value;
}

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
 * Adds to the declaration of the tool that submits, for one chat, the models that were listed when it was first used. They stay as they
 * are, because a changed declaration would make the service read the whole prompt again, at its full price.
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

/** Tool: lists the models for agents outside of the chat, which get no declaration that names them. */
export function listTaskModels(tasks: AskedOfModels, name: string): Tool {
  return defineTool({
    name,
    effect: "reads",
    description:
      "The models that make images and videos, by the type of task, with what one costs where a price list says it, and the options that a task takes.",
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

const commonOptions = `Options: ${toldOptions}, n (1 to ${maxCopies}: each is paid), and what else the model takes.`;

type AskedOfModels = Pick<TaskPort, "models" | "priceOf" | "target">;

async function linesOf(tasks: AskedOfModels, type: TaskType, signal: AbortSignal): Promise<string> {
  const { home, type: state } = await tasks.target(type, signal);
  const names = namesOf(tasks.models().list, type);
  const priceOf = (model: string): string => {
    const price = tasks.priceOf({ type, model, prompt: "", home });
    if (price === undefined) return "";
    const by = price.source === "your-list" ? "the person's price list" : "the gateway's list";
    return `: ${price.isPartial ? "at least " : ""}${price.amount} ${price.currency} by ${by}`;
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
  // The gateway has accepted a task for this model, whether it lists the model or not.
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

/** The text that is added to the report of a task whose model was refused. */
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
