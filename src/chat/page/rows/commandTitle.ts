/** The title of a command: its words come with the command between backticks, which is shown as code. */
import { html } from "lit-html";

/** Up to the last backtick, for a command may have some itself. Text without two of them stays as it is. */
export function commandTitle(words: string): unknown {
  const [from, to] = [words.indexOf("`"), words.lastIndexOf("`")];
  if (from < 0 || to === from) return words;
  return html`${words.slice(0, from)}<code>${words.slice(from + 1, to)}</code>${words.slice(to + 1)}`;
}
