/** A text as a Markdown code block. The fence is longer than each run of backticks in the text, so the text can't end it. */
export function fenceCode(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
