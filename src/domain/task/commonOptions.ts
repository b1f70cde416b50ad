/** The options that task types commonly take besides the prompt, as people and models write them: size, duration, seed. */
import { isRecord, parseJson } from "../../base/jsonValue";

/** The options that a gateway lists for the tasks of a model. */
export interface ListedOptions {
  readonly sizes?: readonly string[];
  /** Seconds. */
  readonly durations?: readonly number[];
  /** Characters of a prompt, at most. */
  readonly promptLimit?: number;
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
