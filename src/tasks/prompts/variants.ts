/** The variants of a prompt: one for each combination of the values of its variables and of the keys that have several. Pure. */
import { definedFields } from "../../base/definedFields";
import { comparedNames, type ComparedNames, nearestName } from "../../base/text/cutText";
import { listedKeys, type PromptProblem, type PromptSettings, type PromptVariable, maxValues } from "./directives";

export interface PromptVariant {
  readonly text: string;
  /** The settings without lists, and without keys that cannot be used. */
  readonly settings: Omit<PromptSettings, "lists" | "unusable">;
  /** The values that the variant has of its own, by the name of the variable or key; empty for a prompt with one variant. */
  readonly chosen: readonly { readonly name: string; readonly value: string }[];
}

/** Variants of one prompt. */
export const maxVariants = maxValues;
/** Characters of all variants of a file: a few long values that are named often would fill the memory. */
export const maxVariantText = 4_000_000;

/** `{{name}}` of any letters, with blanks around the name; `\\{{` is text. */
const placeholder = /(\\?)\{\{([^{}\r\n]*)\}\}/g;

/** A variable or key with several values: the word of each for the text, and what it sets. */
interface Axis {
  readonly name: string;
  readonly values: readonly { readonly word: string; readonly settings: PromptSettings }[];
}

/** `written` is the text in the prompt that the problem marks. */
type VariantProblem = Pick<PromptProblem, "reason" | "name"> & { readonly written?: string };

/** The variables of a file, by name. */
export type PromptVariables = ReadonlyMap<string, PromptVariable>;

/**
 * The share of the pairs of letters in two names; with no more than this the name is another word. Two letters of five that changed places leave a
 * quarter.
 */
const minLikeness = 0.2;
/** Characters of all names with which an unknown one is compared. */
const maxComparedLetters = 10_000;

/** The places that name a variable or a key, without those that are escaped and so are text. */
function placesIn(text: string): readonly { readonly written: string; readonly name: string }[] {
  return [...text.matchAll(placeholder)].flatMap(([written, escape, name = ""]) =>
    escape === "" ? [{ written, name: nameIn(name) }] : [],
  );
}

function nameIn(given: string): string {
  return given.trim().normalize("NFC");
}

/** The names of variables and of keys in the text, then in the destination, each once. */
function namesIn(text: string, settings: PromptSettings): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, written } of [text, settings.destination ?? ""].flatMap(placesIn))
    if (!names.has(name)) names.set(name, written);
  return names;
}

/** Matches single braces, also the wide ones of Chinese and Japanese keyboards. */
const singleBraces = /[{｛]([^{}｛｝\r\n]{1,200})[}｝]/g;

/** Braces outside of the placeholders that a person may have meant as one: the task would be paid for with the braces in its text. */
function unreadBraces(text: string, isName: (name: string) => boolean): string | undefined {
  const rest = text.replaceAll(placeholder, (whole, escape: string) =>
    escape === "" ? "\n" : "\n".repeat(whole.length),
  );
  const opened = /\{\{[^\r\n]{0,40}/.exec(rest)?.[0];
  if (opened !== undefined) return opened;
  for (const [written, name = ""] of rest.matchAll(singleBraces)) if (isName(nameIn(name))) return written;
  const [around] = /\{\{\{[^{}\r\n]{0,200}\}\}\}/.exec(text) ?? [];
  return around;
}

/** Whether the settings of a prompt give this key a value, so that its text can name it. */
function isSetIn({ lists = {}, ...plain }: PromptSettings, name: string): boolean {
  return listedKeys.some((key) => key === name && (key in lists || key in plain));
}

/** The variables of a file to compare unknown names with. Of very many, the first ones. */
export function comparedVariables(variables: PromptVariables): ComparedNames {
  let length = 0;
  const names: string[] = [];
  for (const name of variables.keys()) {
    length += name.length;
    if (length > maxComparedLetters) break;
    names.push(name);
  }
  return comparedNames(names);
}

/** The variable or key that a prompt may mean by an unknown name. */
export function nearestVariable(name: string, settings: PromptSettings, variables: ComparedNames): string | undefined {
  const keys = comparedNames(listedKeys.filter((key) => isSetIn(settings, key)));
  return nearestName(name, new Map([...variables, ...keys]), minLikeness);
}

export function expandVariants(
  { text, settings }: { readonly text: string; readonly settings: PromptSettings },
  variables: PromptVariables,
  room = maxVariantText,
  isAlone = false,
): {
  readonly variants: readonly PromptVariant[];
  readonly problems: readonly VariantProblem[];
  /** The names of variables and keys. */
  readonly names: readonly string[];
  /** Characters of the variants, at most. */
  readonly size: number;
} {
  const written = namesIn(text, settings);
  const names = [...written.keys()];
  const known = names.flatMap((name) => variables.get(name) ?? []).toSorted((one, other) => one.start - other.start);
  const { lists = {}, unusable, ...plain } = settings;
  const isSet = (name: string): boolean => isSetIn(settings, name);
  const problems = names.flatMap((name): VariantProblem[] => {
    if (isSet(name)) return [];
    const variable = variables.get(name);
    if (variable !== undefined && variable.values.length > 0) return [];
    const reason = variable === undefined ? "unknown-variable" : variable.isUnreadable ? "bad-form" : "no-value";
    return [{ reason, name, ...definedFields({ written: written.get(name) }) }];
  });
  const isName = (name: string): boolean => isSet(name) || variables.has(name);
  const left = isAlone ? [] : [text, settings.destination ?? ""].map((one) => unreadBraces(one, isName));
  for (const one of left) if (one !== undefined) problems.push({ reason: "unread-braces", name: one, written: one });
  const none = (...why: readonly VariantProblem[]): ReturnType<typeof expandVariants> => ({
    variants: [],
    problems: why,
    names,
    size: 0,
  });
  if (problems.length > 0 || unusable !== undefined) return none(...problems);
  const axes: Axis[] = [
    ...known.map(({ name, values }) => ({ name, values: values.map((word) => ({ word, settings: {} })) })),
    ...listedKeys.flatMap((key) => {
      const values = lists[key];
      return values === undefined
        ? []
        : [{ name: key, values: values.map((one) => ({ word: String(one[key] ?? ""), settings: one })) }];
    }),
  ];
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  // A list that is too long is read to one value more than can be used, so the count is at least that.
  const isMore = axes.some(({ values }) => values.length > maxVariants);
  if (count > maxVariants) return none({ reason: "too-many-variants", name: `${count}${isMore ? "+" : ""}` });
  const size = count * longestOf(text, axes);
  if (size > room) return none({ reason: "variants-too-long", name: "" });
  const variants = Array.from({ length: count }, (_, at) => variantAt(at, axes, text, plain));
  return { variants, problems: [], names, size };
}

/** Like `expandVariants`, for a prompt without variables around it: a name that is none of its keys is text. */
export function expandAlone(prompt: {
  readonly text: string;
  readonly settings: PromptSettings;
}): ReturnType<typeof expandVariants> {
  const alone = expandVariants(prompt, new Map(), maxVariantText, true);
  const unknown = alone.problems.filter(({ reason }) => reason === "unknown-variable");
  const asText = new Map(
    unknown.map(({ name, written = "" }) => [name, { name, values: [written], start: 0, end: 0 }]),
  );
  return asText.size === 0 ? alone : expandVariants(prompt, asText, maxVariantText, true);
}

/** Characters of the longest variant, at most. */
function longestOf(text: string, axes: readonly Axis[]): number {
  const words = new Map(axes.map(({ name, values }) => [name, Math.max(...values.map(({ word }) => word.length))]));
  return placesIn(text).reduce((sum, { name }) => sum + (words.get(name) ?? 0), text.length);
}

/** The last axis changes first, as in nested loops. */
function variantAt(
  at: number,
  axes: readonly Axis[],
  text: string,
  plain: Omit<PromptSettings, "lists">,
): PromptVariant {
  const words = new Map<string, string>(
    listedKeys.flatMap((key) => (plain[key] === undefined ? [] : [[key, String(plain[key])]])),
  );
  const chosen: { name: string; value: string }[] = [];
  let settings = plain;
  let left = at;
  for (const { name, values } of axes.toReversed()) {
    const one = values[left % values.length];
    left = Math.floor(left / values.length);
    if (one === undefined) continue;
    words.set(name, one.word);
    settings = { ...settings, ...one.settings };
    if (values.length > 1) chosen.unshift({ name, value: one.word });
  }
  const fill = (one: string): string =>
    one.replaceAll(placeholder, (whole, escape: string, name: string) =>
      escape === "" ? (words.get(nameIn(name)) ?? whole) : whole.slice(escape.length),
    );
  const { destination } = settings;
  const filled = destination === undefined ? settings : { ...settings, destination: fill(destination) };
  return { text: fill(text), settings: filled, chosen };
}
