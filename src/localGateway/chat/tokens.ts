/** Splits text into the tokens that the built-in model streams; joined they are the text, and no character is split. */

export function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,5}|\s+$/gu) ?? [];
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
