/** Takes the comments out of the text of a prompt, and reads those of them that are directives. */
import { mergeSettings, type PromptProblem, type PromptSettings, readDirective } from "./directives";

/** The prompt of a document that holds one only, and what its own directives set. */
export function readSinglePrompt(text: string): ReturnType<typeof takeDirectives> {
  return takeDirectives(text, 0);
}

/** Comments taken out of a prompt, and what those of them that are directives set. */
export function takeDirectives(
  text: string,
  offset: number,
): { readonly text: string; readonly settings: PromptSettings; readonly problems: readonly PromptProblem[] } {
  let settings: PromptSettings = {};
  const problems: PromptProblem[] = [];
  let rest = "";
  let at = 0;
  for (let begin = text.indexOf("<!--"); begin >= 0; begin = text.indexOf("<!--", at)) {
    const inner = begin + 4;
    const close = text.indexOf("-->", inner);
    const end = close < 0 ? text.length : close;
    rest += text.slice(at, begin).replace(blanksAtEnd, "");
    at = close < 0 ? end : end + 3;
    const directive = directiveIn(text.slice(inner, end));
    if (!directive) continue;
    const read = readDirective(directive.text, offset + inner + directive.start);
    settings = mergeSettings(settings, read.settings);
    problems.push(...read.problems);
  }
  rest += text.slice(at);
  return { text: at === 0 ? text.trim() : rest.replaceAll(/\n{3,}/g, "\n\n").trim(), settings, problems };
}

/** The lookbehind makes it match from the first of several blanks only: tried from each of them it would take quadratic time. */
const blanksAtEnd = /(?<![ \t])[ \t]+$/;

/** The colon may be a wide one, and may be left out before a key with a value: else what was meant as a setting would be none, without a word. */
const directiveStart = /^\s*sluice(?:[ \t]*[:：]|(?=\s[^\n=]*=))/i;

function directiveIn(comment: string): { readonly text: string; readonly start: number } | undefined {
  const [begin] = directiveStart.exec(comment) ?? [];
  return begin === undefined ? undefined : { text: comment.slice(begin.length), start: begin.length };
}
