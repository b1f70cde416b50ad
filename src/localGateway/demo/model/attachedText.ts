/**
 * Takes what a client attached out of a prompt, so that words in a file are not read as requests of the person. Time is linear.
 */

export interface AttachedText {
  /** The name of the file, with its lines. */
  readonly label: string;
  readonly lines: number;
}

/** The beginning and the end of what Sluice writes before the first prompt, and a line that it writes before any. */
const place = { first: "Where you work. ", last: "The conversation begins here." };
const context = /^\((?:The person's active editor: .{1,2000}|Today is \d{4}-\d{2}-\d{2}\.)\)$/;

/** The prompt without where the person works and the instructions of the project. */
export function withoutPlace(prompt: string): string {
  if (!prompt.startsWith(place.first)) return prompt;
  const lines = prompt.split("\n");
  return lines
    .slice(lines.indexOf(place.last) + 1)
    .join("\n")
    .trimStart();
}

/** `text`: what is left. Sluice writes a line *The person attached NAME:* and a code block for each file. */
export function takeAttached(prompt: string): { readonly text: string; readonly attached: readonly AttachedText[] } {
  const kept: string[] = [];
  const attached: AttachedText[] = [];
  const lines = prompt.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, label] = /^The person attached (.{1,1000}?):$/.exec(line) ?? [];
    const [fence] = /^`{3,}/.exec(lines[at + 1] ?? "") ?? [];
    const end = label === undefined || fence === undefined ? -1 : lines.indexOf(fence, at + 2);
    if (label === undefined || end < 0) {
      const isNote = context.test(line) || /^The person attached .{1,1000}, which could not be read: /.test(line);
      if (!isNote) kept.push(line);
      continue;
    }
    attached.push({ label, lines: end - at - 2 });
    at = /^\(the first \d+ of \d+ characters\)$/.test(lines[end + 1] ?? "") ? end + 1 : end;
  }
  return { text: kept.join("\n"), attached };
}
