/** The title of a chat: the person's, or the first line of its first prompt or task. */
import { cutText } from "../../base/text/cutText";
import type { SessionState } from "./records";

/** Characters. */
export const maxTitleLength = 80;

/** Empty while there is no prompt. */
export function titleOf({ title, chat }: Pick<SessionState, "title" | "chat">): string {
  if (title !== undefined) return title;
  const first = chat.entries.find((entry) => "text" in entry);
  return first === undefined ? "" : titleOfPrompt(first.text);
}

/** Its first line, cut at a word; of a block of code the line below its opening mark. */
export function titleOfPrompt(prompt: string): string {
  const lines = prompt.trimStart().replace(/^(?:```|~~~).*\n/, "");
  const line = /\S.*/.exec(lines)?.[0].trim() ?? "";
  if (line.length <= maxTitleLength) return line;
  const cut = line.slice(0, maxTitleLength - 1);
  const space = cut.lastIndexOf(" ");
  return `${cutText(space > maxTitleLength / 2 ? cut.slice(0, space) : cut, maxTitleLength)}…`;
}
