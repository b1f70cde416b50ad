/** Cuts a text that is kept for long: `slice` alone would keep the whole of it in memory behind the part. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : structuredClone(text.slice(0, most));
}
