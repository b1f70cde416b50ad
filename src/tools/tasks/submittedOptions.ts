/** The options of a task as models write them: common ones in the form that *New Task* sends, and how many tasks are meant. */
import { isRecord, parseJson } from "../../base/jsonValue";
import { isSize, readSeconds, readSeed } from "../../domain/task/commonOptions";
import { typeMeantBy } from "../../domain/task/taskTypes";
import { ToolRefusal } from "../../domain/tools/tool";

type Options = Readonly<Record<string, unknown>>;

/** Tasks of one call: each is paid, and the person is asked once about all. */
export const maxCopies = 4;

const common = ["size", "duration", "seed", "n"] as const;

/** Synonyms of the type, and options that were written beside `options`. Arguments of any other shape are left to the schema. */
export function asSubmission(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { type, options: written, ...rest } = input;
  const given = typeof written === "string" ? (parseJson(written) ?? written) : written;
  const beside = common.filter((name) => rest[name] !== undefined && rest[name] !== null);
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !common.some((option) => option === name)));
  const isMerged = beside.length > 0 && (given === undefined || given === null || isRecord(given));
  const options = isMerged
    ? { ...Object.fromEntries(beside.map((name) => [name, rest[name]])), ...(isRecord(given) ? given : {}) }
    : given;
  return {
    ...(isMerged ? kept : rest),
    ...(type === undefined ? {} : { type: typeof type === "string" ? (typeMeantBy(type) ?? type) : type }),
    ...(options === undefined || options === null ? {} : { options }),
  };
}

export interface SubmittedOptions {
  /** One for each task; `undefined` without options. */
  readonly each: readonly (Options | undefined)[];
  /** Without the number of tasks. */
  readonly options: Options;
}

/** Throws a `ToolRefusal` for a number of tasks that is none, or too large. */
export function readOptions({ n, ...given }: Options = {}): SubmittedOptions {
  const count = countIn(n ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > maxCopies)
    throw new ToolRefusal(`options.n is a whole number from 1 to ${maxCopies}: each is a task that is paid.`);
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

/** What the form of *New Task* would send; anything else as it is, for the gateway to judge. */
function asSent(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.replaceAll(/\s+/g, "").toLowerCase();
  if (name === "size") {
    const size = text.replaceAll(/[×*]/g, "x");
    return isSize(size) ? size : value;
  }
  if (name === "duration") return readSeconds(text.replace(/sec(?:ond)?s?$/, "s")) ?? value;
  return name === "seed" ? (readSeed(text) ?? value) : value;
}
