/** One file of ignore rules, read and matched as git does. Paths are byte strings (latin1) relative to where the rules lie. */
import { compileWildcard, type MatchBudget, type Matcher } from "./wildcard";

/** Above what real rule files have. A file over a bound is not used at all: its later rules may negate the earlier ones. */
export const ruleBounds = { bytes: 256 * 1024, rules: 10_000, ruleLength: 1024 };

export interface IgnoreRules {
  /** How many. */
  readonly count: number;
  /** Bytes. */
  readonly size: number;
  /**
   * By the last matching rule: true for ignored, false for re-included, `undefined` when none matches. Not valid once
   * the budget is spent. `folder` is empty or ends with `/`; `name` is that of an entry of it.
   */
  verdict(folder: string, name: string, isFolder: boolean, budget: MatchBudget): boolean | undefined;
}

interface Rule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Without a slash in the middle, only the last name of the path is compared. */
  readonly namesOnly: boolean;
  readonly pattern: string;
  matches?: Matcher;
}

/** `undefined` when the file is over a bound. */
export function parseIgnoreRules(bytes: Uint8Array, ignoreCase: boolean): IgnoreRules | undefined {
  if (bytes.length > ruleBounds.bytes) return undefined;
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    const rule = readRule(line);
    if (!rule) continue;
    if (rule.pattern.length > ruleBounds.ruleLength || rules.length === ruleBounds.rules) return undefined;
    rules.push(rule);
  }
  rules.reverse();
  return {
    count: rules.length,
    size: bytes.length,
    verdict(folder, name, isFolder, budget) {
      for (const rule of rules) {
        if (rule.foldersOnly && !isFolder) continue;
        // Compiled at its first use: most files of most workspaces are decided by the first few rules.
        if (!rule.matches) {
          rule.matches = compileRule(rule, ignoreCase);
          budget.left -= rule.pattern.length;
        }
        budget.left -= 1;
        if (rule.matches(rule.namesOnly ? name : folder + name, budget)) return !rule.isNegated;
        if (budget.left < 0) return undefined;
      }
      return undefined;
    },
  };
}

function readRule(line: string): Rule | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  // For git, a NUL ends the line.
  let rest = withoutTrailingSpaces(line.replace(/\r$/, "").replace(/\0.*$/s, ""));
  const isNegated = rest.startsWith("!");
  if (isNegated) rest = rest.slice(1);
  const foldersOnly = rest.endsWith("/");
  if (foldersOnly) rest = rest.slice(0, -1);
  return { isNegated, foldersOnly, namesOnly: !rest.includes("/"), pattern: rest };
}

/** An escaped space is kept. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

function compileRule({ pattern, namesOnly }: Rule, ignoreCase: boolean): Matcher {
  const folded = (text: string): string => (ignoreCase ? text.replace(/[A-Z]/g, (char) => char.toLowerCase()) : text);
  const whole = namesOnly || !pattern.startsWith("/") ? pattern : pattern.slice(1);
  const plainLength = lengthWithoutWildcards(whole);
  const plain = folded(whole.slice(0, plainLength));
  if (plainLength === whole.length) return (text) => text.length === plain.length && folded(text) === plain;
  if (namesOnly) {
    if (whole.startsWith("*") && lengthWithoutWildcards(whole.slice(1)) === whole.length - 1) {
      const ending = folded(whole.slice(1));
      return (text) => folded(text).endsWith(ending);
    }
    return compileWildcard(whole, { paths: false, ignoreCase });
  }
  // git compares the part before the first wildcard separately, so `a**/b` is `a` and then `**/b`.
  const matchRest = compileWildcard(whole.slice(plainLength), { paths: true, ignoreCase });
  return (text, budget) => folded(text.slice(0, plainLength)) === plain && matchRest(text.slice(plainLength), budget);
}

function lengthWithoutWildcards(pattern: string): number {
  const wildcard = pattern.search(/[*?[\\]/);
  return wildcard < 0 ? pattern.length : wildcard;
}
