/** The options of a task as models write them: common ones in the form that *New Media Task…* sends, and how many tasks are meant. */
import { isDeepStrictEqual } from "node:util";
import { isRecord, parseJson } from "../../base/jsonValue";
import { readSeconds, readSeed, readSize } from "../../domain/task/commonOptions";
import { typeMeantBy } from "../../domain/task/taskTypes";
import { ArgumentRefusal, type ArgumentRule } from "../base/argumentRules";

type Options = Readonly<Record<string, unknown>>;

/** Tasks of one call: each is paid, and the person is asked once about all. */
export const maxCopies = 4;

/** The type that is meant by what the task makes, or by its word in requests. */
export const meantType: ArgumentRule = (draft) => {
  const given = draft.get("type");
  const type = typeof given === "string" ? typeMeantBy(given) : undefined;
  if (type === undefined || type === given) return;
  draft.set("type", type);
  draft.noteConverted("type");
};

/** Options by the names that models write beside `options`. */
const besideOptions: Readonly<Record<string, readonly string[]>> = {
  size: ["size", "resolution", "image_size"],
  duration: ["duration", "duration_seconds"],
  seed: ["seed"],
  n: ["n", "count", "num_images", "number_of_images"],
};

/** Options that were written beside `options`, whose number of tasks is bounded and asked about like any other. */
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
  /** One for each task; `undefined` without options. */
  readonly each: readonly (Options | undefined)[];
  /** Without the number of tasks. */
  readonly options: Options;
}

/** Throws a `ToolRefusal` for a number of tasks that is none, or too large. */
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

/** What the form of *New Media Task…* would send; anything else as it is, for the gateway to judge. */
function asSent(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.replaceAll(/\s+/g, "").toLowerCase();
  if (name === "size") return readSize(text.replaceAll("*", "x")) ?? value;
  if (name === "duration") return readSeconds(text.replace(/sec(?:ond)?s?$/, "s")) ?? value;
  return name === "seed" ? (readSeed(text) ?? value) : value;
}
