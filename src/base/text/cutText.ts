/** Cuts a text that is stored for long: the result of `slice` alone would keep the whole text in memory. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : structuredClone(text.slice(0, most));
}
