/** Text in the pieces in which the built-in model writes it. Joined they are the text again; no character is cut. */

export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,5}|\s+$/gu) ?? [];
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
