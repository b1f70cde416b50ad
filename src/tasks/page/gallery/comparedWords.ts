/** In what compared results differ: the words of their prompts, and their options. Pure. */
import type { ResultOption } from "../../contract/galleryPageContract";
import { WordComparer, type WordRun } from "../../../webview/changedWords";

/** Each prompt in runs: `isChanged` are the words that the first one lacks, and in the first one those that the second lacks, where there are two. */
export function comparePrompts(prompts: readonly string[]): readonly (readonly WordRun[])[] {
  const [first = "", ...others] = prompts;
  // Of prompts a few words in common are enough: else one may be marked whole, and the other in its words.
  const comparer = new WordComparer(undefined, 0);
  const compared = others.map((other) => comparer.compare(first.split("\n"), other.split("\n")));
  const ofFirst = compared.length === 1 ? compared[0]?.removed : undefined;
  return [runsOf(first, ofFirst), ...others.map((other, index) => runsOf(other, compared[index]?.added))];
}

/** A line that is new as a whole has no runs: all of it is one changed run. */
function runsOf(prompt: string, lines: readonly (readonly WordRun[] | undefined)[] | undefined): readonly WordRun[] {
  if (lines === undefined) return [{ text: prompt, isChanged: false }];
  return prompt
    .split("\n")
    .flatMap((text, index) => [
      ...(index > 0 ? [{ text: "\n", isChanged: false }] : []),
      ...(lines[index] ?? [{ text, isChanged: true }]),
    ]);
}

export interface ComparedFact {
  readonly name: string;
  /** One for each result; empty where it has none. */
  readonly values: readonly string[];
}

/** Those in which the results differ, in the order of their names. */
export function differingFacts(facts: readonly (readonly ResultOption[])[]): readonly ComparedFact[] {
  const names = new Set(facts.flatMap((some) => some.map(({ name }) => name)));
  return [...names]
    .map((name) => ({ name, values: facts.map((some) => some.find((one) => one.name === name)?.value ?? "") }))
    .filter(({ values }) => new Set(values).size > 1);
}
