/**
 * The fields of the form for media as a person fills them in: what is wrong with one, and the options that they make. Pure, for the page and its
 * host.
 */
import type { ExactFile } from "./exactFiles";
import {
  eachOption,
  optionsBy,
  readOption,
  takesOption,
  type TaskOption,
  type TaskOptions,
  taskOptions,
} from "./commonOptions";
import { destinationProblem } from "./destination";
import type { TaskType } from "./taskTypes";

/** The options are as typed; empty where none is sent. */
export interface MediaFields extends Readonly<Record<TaskOption, string>> {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  /** The results go into the project. */
  readonly isPlaced: boolean;
  /** A path from the workspace folder, as typed; empty: one that is made from the prompt. */
  readonly destination: string;
  /**
   * The files that the result is made into, set where a document names files that are not there. It counts as long as the destination is the first of
   * them.
   */
  readonly exact?: ExactPlaces;
  /** Whether a transparent background is asked of the model; missing where nothing is known of what the document wants. */
  readonly isTransparent?: boolean;
}

export interface ExactPlaces {
  /** The URI of the folder of the workspace. */
  readonly root: string;
  /** The URI of the document that names them, where its reference is corrected if the result comes in a format that can't be changed. */
  readonly document?: string;
  /** The paths are from `root`. */
  readonly files: readonly ExactFile[];
}

export type MediaFieldName = keyof MediaFields;
export type FieldProblem = "no-model" | "no-prompt" | "too-long" | "no-path" | OptionProblem;
export type OptionProblem = `no-${TaskOption}`;
export type FieldProblems = Readonly<Partial<Record<MediaFieldName, FieldProblem>>>;

export const maxMediaCount = 8;

export function emptyMediaFields(type: TaskType, model = ""): MediaFields {
  return { type, model, prompt: "", count: 1, ...eachOption(() => ""), isPlaced: false, destination: "" };
}

/** Counts characters as a person counts them. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** The files that the result is made into; `undefined` where it is placed as it is, as several results are, which can't have one path. */
export function exactOf({ exact, isPlaced, count, destination }: MediaFields): ExactPlaces | undefined {
  if (!isPlaced || count !== 1 || exact?.files[0]?.file !== typedPathOf(destination)) return undefined;
  return exact.files.every(({ file }) => destinationProblem(file) === undefined) ? exact : undefined;
}

/** The problems in the order of the form. `promptLimit` counts characters, where the gateway lists a limit for the model. */
export function problemsOf(fields: MediaFields, promptLimit = Infinity): FieldProblems {
  const { type, model, prompt, count, isPlaced, destination } = fields;
  const problems: Partial<Record<MediaFieldName, FieldProblem>> = {};
  if (model.trim() === "") problems.model = "no-model";
  if (prompt.trim() === "") problems.prompt = "no-prompt";
  else if (countCharacters(prompt.trim()) > promptLimit) problems.prompt = "too-long";
  for (const name of taskOptions) {
    const typed = fields[name].trim();
    if (takesOption(type, name) && typed !== "" && readOption(name, typed) === undefined) problems[name] = `no-${name}`;
  }
  // Each further task takes the next seed, so the last one must be exact too.
  const { seed } = optionsOf(fields);
  if (seed !== undefined && !Number.isSafeInteger(seed + (count - 1))) problems.seed = "no-seed";
  if (isPlaced && destination.trim() !== "" && destinationProblem(typedPathOf(destination)) !== undefined)
    problems.destination = "no-path";
  return problems;
}

/** Reads the options from fields that have no problem. Each task after the first takes the next seed. */
export function optionsOf(fields: MediaFields): TaskOptions {
  return optionsBy((name) => (takesOption(fields.type, name) ? readOption(name, fields[name].trim()) : undefined));
}

/** The path with forward slashes, because Windows accepts both. */
export function typedPathOf(typed: string): string {
  return typed.trim().replaceAll("\\", "/").replace(/^\.\//, "");
}
