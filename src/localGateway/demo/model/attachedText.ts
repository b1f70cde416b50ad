/**
 * Removes attached texts from a prompt, so that words in a file are not read as requests of the person. It takes linear time.
 */

import { readSteps } from "./promptSteps";

export interface AttachedText {
  /** The name of the file, with its line numbers. */
  readonly label: string;
  readonly lines: number;
  readonly text: string;
}

/** Whether a question is only about attached files: *What does price.ts do?* with `src/price.ts` attached. */
export function isOfAttached(question: string, attached: readonly AttachedText[]): boolean {
  const steps = readSteps(question, []);
  return (
    steps.length > 0 &&
    steps.every(
      (step) => step.kind === "read" && step.isExplained && step.paths.every((path) => isAttached(path, attached)),
    )
  );
}

function isAttached(path: string, attached: readonly AttachedText[]): boolean {
  return attached.some(({ label }) => pathInLabel(label) === path || pathInLabel(label).endsWith(`/${path}`));
}

/** The path in a label, without line numbers. */
export function pathInLabel(label: string): string {
  return label.replace(/:\d+(?:-\d+)?$/, "");
}

/** The beginning and the end of the texts that Sluice writes before the first prompt, and lines that it writes before any prompt. */
const place = { first: "Where you work. ", last: "The conversation begins here." };
const reader = { first: "You are a reader for another agent, ", last: "The question:" };
const context =
  /^\((?:The person's active editor: .{1,2000}|Today is \d{4}-\d{2}-\d{2}\.|(?:This chat is in|The person has switched this chat to) [A-Z][a-z]+ mode: .{1,1000}|The person has changed the plan of the work\. .{1,20000})\)$/;

/** The prompt without Sluice's description of the workspace and the project's instructions. */
export function withoutPlace(prompt: string): string {
  if (!prompt.startsWith(place.first)) return prompt;
  const lines = prompt.split("\n");
  return lines
    .slice(lines.indexOf(place.last) + 1)
    .join("\n")
    .trimStart();
}

/** The tags around texts of other agents that the person did not write. */
const reminders = [
  "system-reminder",
  "environment_details",
  "environment_context",
  "user_instructions",
  "local-command-caveat",
];

/** The prompt without reminders of other agents to their model, so that they are not obeyed as requests of the person. */
export function withoutReminders(prompt: string): string {
  const text = reminders.reduce(withoutTag, prompt);
  return text === prompt ? prompt : text.trim();
}

function withoutTag(text: string, tag: string): string {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(opening, at);
    const end = start < 0 ? -1 : text.indexOf(closing, start);
    if (end < 0) return kept.join("") + text.slice(at);
    kept.push(text.slice(at, start));
    at = end + closing.length;
  }
}

/** The question in the prompt of a reader, without Sluice's instructions before it. Any other prompt is returned unchanged. */
export function readersQuestion(prompt: string): string {
  const lines = prompt.split("\n");
  const first = lines.findIndex((line) => line.startsWith(reader.first));
  const last = first < 0 ? -1 : lines.indexOf(reader.last, first);
  return last < 0 ? prompt : lines.slice(last + 1).join("\n");
}

/** Removes the attached files; `text` is the rest. Sluice writes a line *The person attached NAME:* and a code block for each file. */
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
    attached.push({ label, lines: end - at - 2, text: lines.slice(at + 2, end).join("\n") });
    at = /^\(the first \d+ of \d+ characters\)$/.test(lines[end + 1] ?? "") ? end + 1 : end;
  }
  return { text: kept.join("\n"), attached };
}
