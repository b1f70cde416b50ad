/** Puts a text before the parts of a person's message. Pure. */
import type { UserPart } from "./message";

/** In one text with the first part where that is a text: some gateways accept no list of parts. An empty text adds nothing. */
export function startWithText(text: string, parts: readonly UserPart[]): readonly UserPart[] {
  if (text === "") return parts;
  const [first, ...others] = parts;
  if (first?.type !== "text") return [{ type: "text", text }, ...parts];
  return [{ type: "text", text: `${text}\n\n${first.text}` }, ...others];
}
