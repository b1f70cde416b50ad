/** Parts of a text by their size as UTF-8, without half a character at their ends. */

/** The longest beginning of a text that has at most so many bytes. */
export function firstBytes(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (Buffer.byteLength(whole) <= most) return whole;
  // A decoder that waits for more does not report the character that was cut.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(Buffer.from(whole).subarray(0, Math.max(0, most)), { stream: true });
}

/** The longest end of a text that has at most so many bytes. */
export function lastBytes(text: string, most: number): string {
  const whole = Buffer.from(text.toWellFormed());
  let from = Math.max(0, whole.length - Math.max(0, most));
  while (((whole[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return whole.subarray(from).toString();
}
