/** The table of the options that task types commonly take besides the prompt, and how people and models write their values. */
import { keysOf } from "../../base/definedFields";
import { isRecord, parseJson } from "../../base/jsonValue";
import { type TaskType, taskTypeFacts } from "./taskTypes";

/** The options that a gateway lists for the tasks of a model. */
export interface ListedOptions {
  readonly sizes?: readonly string[];
  /** Seconds. */
  readonly durations?: readonly number[];
  /** Characters of a prompt, at most. */
  readonly promptLimit?: number;
}

interface TaskOptionFacts {
  /** Reads a value as a person types it, into the one that is sent; `undefined` for what is no value. */
  readonly read: (typed: string) => string | number | undefined;
  /**
   * The name of the list of its usual values, in the facts of a type and in what a gateway lists for a model. A type with an empty list does not take
   * the option. An option without a list is taken by each type.
   */
  readonly list?: Exclude<keyof ListedOptions, "promptLimit">;
  /** A value as a person types it. */
  readonly example: string;
  /** The values that are completed in prompt files, and without a list also those that form and quick pick offer. */
  readonly completed: readonly string[];
  /** Other names by which models call it. */
  readonly otherNames: readonly string[];
  /** The description of its value for a model, in English. */
  readonly told: string;
}

/**
 * The name of an option is the key in prompt files, the name of the form's field and the field of `metadata_json`. The order is that of the form, of
 * the request and of the words in a lens. The words of each are in `domain/words/taskOptionWords`.
 */
const taskOptionTable = {
  size: {
    read: readSize,
    list: "sizes",
    example: "1280x720",
    completed: ["1024x1024", "1280x720", "720x1280", "1536x1024", "1024x1536"],
    otherNames: ["resolution", "image_size"],
    told: '"1024x1024"',
  },
  /** Seconds. */
  duration: {
    read: readSeconds,
    list: "durations",
    example: "6",
    completed: [],
    otherNames: ["duration_seconds"],
    told: "seconds, for a video",
  },
  seed: { read: parseSeed, example: "7", completed: [], otherNames: [], told: "a whole number" },
} as const satisfies Readonly<Record<string, TaskOptionFacts>>;

export type TaskOption = keyof typeof taskOptionTable;
export const taskOptions = keysOf<TaskOption>(taskOptionTable);

/** Options with the values that are sent; one that is missing is not sent. */
export type TaskOptions = {
  readonly [Name in TaskOption]?: NonNullable<ReturnType<(typeof taskOptionTable)[Name]["read"]>>;
};

export function isTaskOption(name: string): name is TaskOption {
  return Object.hasOwn(taskOptionTable, name);
}

export function taskOptionFacts(name: TaskOption): TaskOptionFacts {
  return taskOptionTable[name];
}

export function readOption<Name extends TaskOption>(name: Name, typed: string): TaskOptions[Name] | undefined {
  // The table gives each name the type of what it reads.
  return taskOptionFacts(name).read(typed) as TaskOptions[Name] | undefined;
}

/** Whether the value of a request is the one that would be sent if a person typed it. */
export function isReadAs(name: TaskOption, value: unknown): value is string | number {
  return (typeof value === "string" || typeof value === "number") && readOption(name, String(value)) === value;
}

export function takesOption(type: TaskType, name: TaskOption): boolean {
  const { list } = taskOptionFacts(name);
  return list === undefined || taskTypeFacts(type).options[list].length > 0;
}

/** The usual values for a type, or those that the gateway lists for a model. */
export function usualValues(
  type: TaskType,
  name: TaskOption,
  listed: ListedOptions = {},
): readonly (string | number)[] {
  const { list, completed } = taskOptionFacts(name);
  return list === undefined ? completed : (listed[list] ?? taskTypeFacts(type).options[list]);
}

export function eachOption<Made>(make: (name: TaskOption) => Made): Readonly<Record<TaskOption, Made>> {
  return Object.fromEntries(taskOptions.map((name) => [name, make(name)])) as Record<TaskOption, Made>;
}

/** The options for which `valueOf` returns a value. */
export function optionsBy(
  valueOf: <Name extends TaskOption>(name: Name) => TaskOptions[Name] | undefined,
): TaskOptions {
  const values = taskOptions.map((name) => [name, valueOf(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function isSize(value: string): boolean {
  return /^[1-9]\d{0,4}[x×][1-9]\d{0,4}$/i.test(value);
}

/** Reads a size into the form in which it is sent: `1280x720`. */
export function readSize(value: string): string | undefined {
  return isSize(value) ? value.toLowerCase().replace("×", "x") : undefined;
}

/** `5`, `5s`, `2.5 s`. */
export function readSeconds(value: string): number | undefined {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*s?$/.exec(value) ?? [];
  const seconds = Number(digits);
  return digits !== undefined && seconds > 0 ? seconds : undefined;
}

export function isWholeNumber(value: string): boolean {
  return /^-?\d+$/.test(value);
}

/** `undefined` also for a whole number that JavaScript would round: another seed would be sent. */
export function parseSeed(value: string): number | undefined {
  return isWholeNumber(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

/**
 * The duration in the options of a request, which are JSON. `undefined` where there is none that can be read, or another
 * option may lengthen the result as well: which of them a gateway takes is not known.
 */
export function secondsIn(metadata: string | undefined): number | undefined {
  if (metadata === undefined) return undefined;
  const options = parseJson(metadata);
  if (!isRecord(options) || namesIn(options).filter((name) => lengthName.test(name)).length !== 1) return undefined;
  const { duration } = options;
  return typeof duration === "number" || typeof duration === "string" ? readSeconds(String(duration)) : undefined;
}

const lengthName = /dur|sec|frame|length|minute/iu;

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}
