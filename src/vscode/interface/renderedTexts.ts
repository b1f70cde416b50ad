/** The texts in what `@vscode/prompt-tsx` renders, which comes as a tree of any shape. */

/** In their order. */
export function renderedTexts(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === "text" && typeof member === "string" ? [member] : renderedTexts(member),
  );
}
