/**
 * The fields of the form for media as a person fills them in: what is wrong with one, and the options that they make. Pure, for the page and its
 * host.
 */
import type { ExactFile } from "./exactFiles";
import { readSeconds, parseSeed, readSize } from "./commonOptions";
import { destinationProblem } from "./destination";
import { type TaskType, taskTypeFacts } from "./taskTypes";

export interface MediaFields {
  readonly type: TaskType;
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  /** This and the next two are as typed; empty where none is sent. */
  readonly size: string;
  readonly duration: string;
  readonly seed: string;
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
export type FieldProblem = "no-model" | "no-prompt" | "too-long" | "no-size" | "no-duration" | "no-seed" | "no-path";
export type FieldProblems = Readonly<Partial<Record<MediaFieldName, FieldProblem>>>;

export const maxMediaCount = 8;

export function emptyMediaFields(type: TaskType, model = ""): MediaFields {
  return { type, model, prompt: "", count: 1, size: "", duration: "", seed: "", isPlaced: false, destination: "" };
}

/** Counts characters as a person counts them. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

export function hasSize(type: TaskType): boolean {
  return taskTypeFacts(type).options.sizes.length > 0;
}

export function hasDuration(type: TaskType): boolean {
  return taskTypeFacts(type).options.durations.length > 0;
}

/** The files that the result is made into; `undefined` where it is placed as it is, as several results are, which can't have one path. */
export function exactOf({ exact, isPlaced, count, destination }: MediaFields): ExactPlaces | undefined {
  if (!isPlaced || count !== 1 || exact?.files[0]?.file !== typedPathOf(destination)) return undefined;
  return exact.files.every(({ file }) => destinationProblem(file) === undefined) ? exact : undefined;
}

/** The problems in the order of the form. `promptLimit` counts characters, where the gateway lists a limit for the model. */
export function problemsOf(fields: MediaFields, promptLimit = Infinity): FieldProblems {
  const { type, model, prompt, count, isPlaced } = fields;
  const [size, duration, seed, destination] = trimmed(fields);
  const problems: Partial<Record<MediaFieldName, FieldProblem>> = {};
  if (model.trim() === "") problems.model = "no-model";
  if (prompt.trim() === "") problems.prompt = "no-prompt";
  else if (countCharacters(prompt.trim()) > promptLimit) problems.prompt = "too-long";
  if (hasSize(type) && size !== "" && readSize(size) === undefined) problems.size = "no-size";
  if (hasDuration(type) && duration !== "" && readSeconds(duration) === undefined) problems.duration = "no-duration";
  // Each further task takes the next seed, so the last one must be exact too.
  const first = parseSeed(seed);
  if (seed !== "" && (first === undefined || !Number.isSafeInteger(first + (count - 1)))) problems.seed = "no-seed";
  if (isPlaced && destination !== "" && destinationProblem(typedPathOf(destination)) !== undefined)
    problems.destination = "no-path";
  return problems;
}

export interface MediaOptions {
  readonly size: string | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  /** The seed of the first task; each further task has the next number. */
  readonly seed: number | undefined;
}

/** Reads the options from fields that have no problem. */
export function optionsOf(fields: MediaFields): MediaOptions {
  const [size, duration, seed] = trimmed(fields);
  return {
    size: hasSize(fields.type) ? readSize(size) : undefined,
    duration: hasDuration(fields.type) ? readSeconds(duration) : undefined,
    seed: parseSeed(seed),
  };
}

function trimmed({ size, duration, seed, destination }: MediaFields): readonly [string, string, string, string] {
  return [size.trim(), duration.trim(), seed.trim(), destination.trim()];
}

/** The path with forward slashes, because Windows accepts both. */
export function typedPathOf(typed: string): string {
  return typed.trim().replaceAll("\\", "/").replace(/^\.\//, "");
}
