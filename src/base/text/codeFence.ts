/** Writes Markdown code blocks and finds their fences. */

/** A text as a code block. The fence is longer than each run of backticks in the text, so the text can't end it. */
export function fenceCode(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(2, longestBackticks(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The length of the longest run of backticks. */
export function longestBackticks(text: string): number {
  let longest = 0;
  // A regular expression with a match for each run takes some hundred times as long.
  for (let start = text.indexOf("`"); start >= 0;) {
    let end = start + 1;
    while (text.charCodeAt(end) === 0x60) end += 1;
    longest = Math.max(longest, end - start);
    start = text.indexOf("`", end);
  }
  return longest;
}

/** The backticks or tildes with which a line begins a code block; empty for any other line. */
export function openingFence(line: string): string {
  return /^\s*(`{3,}|~{3,})/u.exec(line)?.[1] ?? "";
}

/** Whether a line ends the code block that `fence` began: by at least as many of the same mark, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.startsWith(fence) && bare === fence.slice(0, 1).repeat(bare.length);
}
