/** The plan that the model presents before the work: a Markdown document that the person edits, comments on and starts, whole or a step. Pure (A13). */

import { closesFence, openingFence } from "../../base/text/codeFence";

/** Characters, also of what the person makes of it. */
export const planDocumentCap = 200_000;

export interface DocumentStep {
  readonly number: string;
  /** Lines from 0, the last one included. */
  readonly first: number;
  readonly last: number;
  /** With the lines below it that belong to it. */
  readonly text: string;
}

/** The numbered steps at the margin, outside of code blocks; each with what is below it up to the next step, heading or line at the margin after a blank one. */
export function documentSteps(text: string): readonly DocumentStep[] {
  const lines = text.split(/\r\n|\r|\n/);
  const steps: { number: string; first: number; last: number }[] = [];
  let fence = "";
  let isOpen = false;
  let isAfterBlank = false;
  lines.forEach((line, at) => {
    const marks = openingFence(line);
    const isInFence = fence !== "";
    if (!isInFence) fence = marks;
    else if (closesFence(line, fence)) fence = "";
    const [, number] = isInFence ? [] : (/^(\d{1,3})[.)](?=\s|$)/.exec(line) ?? []);
    const isBlank = line.trim() === "";
    if (number !== undefined) {
      steps.push({ number, first: at, last: at });
      isOpen = true;
    } else if (!isInFence && (/^#{1,6}\s/.test(line) || (isAfterBlank && /^\S/.test(line) && marks === "")))
      isOpen = false;
    const last = steps.at(-1);
    if (isOpen && last !== undefined && !isBlank) last.last = at;
    isAfterBlank = isBlank;
  });
  return steps.map((step) => ({ ...step, text: lines.slice(step.first, step.last + 1).join("\n") }));
}
