/**
 * The one gate for text on its way to VS Code's interface: whatever a gateway, a model, a file name or a workspace says comes out as text
 * that is shown as it is written. VS Code makes links of `[text](href)` in messages and prompts, `command:` ones included, and icons of
 * `$(name)` in quick picks and the status bar.
 */
import { revealHidden } from "../base/revealHidden";

declare const gated: unique symbol;
/** Text that has passed the gate. */
export type ShownText = string & { readonly [gated]: true };

/** One line: labels, titles, messages. `limit` in characters. */
export function shownLine(text: string, limit = 200): ShownText {
  return gate(text, limit, (known) => known.replaceAll(/\s+/g, " "));
}

/** Lines and paragraphs: tooltips. */
export function shownParagraphs(text: string, limit = 2000): ShownText {
  return gate(text, limit, (known) =>
    known
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll(/[^\S\n]+/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n"),
  );
}

/** Gated text is not changed by a second pass. */
function gate(text: string, limit: number, spaced: (text: string) => string): ShownText {
  // A hostile text may be long: only so much is read as could be shown.
  const trimmed = text.trim();
  const begun = trimmed.slice(0, limit * 16);
  const isCut = begun.length < trimmed.length;
  const whole = isCut && /[\ud800-\udbff]$/.test(begun) ? begun.slice(0, -1) : begun;
  const literal = spaced(revealHidden(whole)).trim().replaceAll("](", "] (").replaceAll("$(", "$ (");
  const characters = Array.from(literal);
  if (characters.length <= limit && !isCut) return literal as ShownText;
  // A joiner before the ellipsis would join nothing.
  const kept = characters.slice(0, limit - 1).join("");
  return `${kept.replace(/[\s\u200c\u200d]+$/u, "")}…` as ShownText;
}
