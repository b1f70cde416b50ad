/**
 * The gate for every text that VS Code shows: text from a gateway, a model, a file name or a workspace is displayed literally. Otherwise VS Code
 * turns `[text](href)` in messages and prompts into links, `command:` links included, and `$(name)` in quick picks and the status bar into icons.
 */
import { revealHidden } from "../../base/text/revealHidden";

declare const gated: unique symbol;
/** Text that has passed the gate. */
export type ShownText = string & { readonly [gated]: true };

/** Gates a text of one line, such as a label, title or message. `limit` in characters. */
export function shownLine(text: string, limit = 200): ShownText {
  return gate(text, limit, (known) => known.replaceAll(/\s+/g, " "));
}

/** Gates a text of lines and paragraphs, such as a tooltip. */
export function shownParagraphs(text: string, limit = 2000): ShownText {
  return gate(text, limit, (known) =>
    known
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll(/[^\S\n]+/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n"),
  );
}

/** Idempotent: gated text passes unchanged. */
function gate(text: string, limit: number, spaced: (text: string) => string): ShownText {
  // Hostile text may be very long: only a multiple of the limit is processed.
  const trimmed = text.trim();
  const begun = trimmed.slice(0, limit * 16);
  const isCut = begun.length < trimmed.length;
  const whole = isCut && /[\ud800-\udbff]$/.test(begun) ? begun.slice(0, -1) : begun;
  const literal = spaced(revealHidden(whole)).trim().replaceAll("](", "] (").replaceAll("$(", "$ (");
  const characters = Array.from(literal);
  if (characters.length <= limit && !isCut) return literal as ShownText;
  // A joiner before the ellipsis has nothing to join.
  const kept = characters.slice(0, limit - 1).join("");
  return `${kept.replace(/(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/u, "")}…` as ShownText;
}

// Collects the texts in the output of `@vscode/prompt-tsx`, which is a tree of any shape.

/** The texts in their order. */
export function renderedTexts(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === "text" && typeof member === "string" ? [member] : renderedTexts(member),
  );
}
