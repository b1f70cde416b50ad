/** A text without a hit that a model may have meant as a regular expression. */
import { compileSearched } from "./lineFinder";

/** Alternatives, classes, quantifiers after something, anchors, escaped letters. */
const marks = /\S\||\\[bBdDsSwW|.(){}[\]]|\.[*+]|\[[^[\]]+\]|\([^()]*\||^\^|\$$|\w[*+]\S/u;

/** The expression, `\|` as grep has it for alternatives; `undefined` for a text that does not read like one, is none, or would find each line. */
export function patternMeant(text: string): string | undefined {
  if (!marks.test(text)) return undefined;
  const pattern = text.replaceAll("\\|", "|");
  try {
    const expression = compileSearched({ text: pattern, isPattern: true, matchCase: false });
    // An empty alternative, as at the end of `hour > 18 ||`, is in each line.
    return expression.test("") && expression.test("\0") ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/** `found`: of the pattern. */
export function describeAsPattern(found: string): string {
  if (found.startsWith("(no hits)")) return `${found}\n(neither as a text nor as a regular expression)`;
  return `${found}\n(the text itself has no hit: it was taken as a regular expression, as is_pattern does)`;
}
