/** A text as a Markdown code block. The fence is longer than each run of backticks in the text, so the text can't end it. */
export function fenceCode(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(2, longestBackticks(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The length of the longest run of backticks. */
export function longestBackticks(text: string): number {
  let longest = 0;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return longest;
}
