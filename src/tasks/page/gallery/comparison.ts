/**
 * Compares results: one transform enlarges and moves all pictures, whose frames have the same size, and the differences of prompts and options are
 * found. Pure. Positions are in pixels from the middle of a frame.
 */
import type { ResultOption } from "../../contract/galleryPageContract";
import { WordComparer, type WordRun } from "../../../webview/changedWords";

export interface ZoomPan {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export const wholePicture: ZoomPan = { scale: 1, x: 0, y: 0 };
const maxScale = 16;

/** Zooms around that point of the frame: the part of the picture that is there stays there. */
export function zoomAt({ scale, x, y }: ZoomPan, factor: number, atX: number, atY: number, frame: FrameSize): ZoomPan {
  const next = Math.min(Math.max(scale * factor, 1), maxScale);
  const ratio = next / scale;
  return within({ scale: next, x: atX - (atX - x) * ratio, y: atY - (atY - y) * ratio }, frame);
}

export function panBy({ scale, x, y }: ZoomPan, byX: number, byY: number, frame: FrameSize): ZoomPan {
  return within({ scale, x: x + byX, y: y + byY }, frame);
}

/** Limits the pan, so that no edge of the enlarged picture comes inside the frame. */
function within({ scale, x, y }: ZoomPan, { width, height }: FrameSize): ZoomPan {
  const mostX = ((scale - 1) * width) / 2;
  const mostY = ((scale - 1) * height) / 2;
  return { scale, x: Math.min(Math.max(x, -mostX), mostX), y: Math.min(Math.max(y, -mostY), mostY) };
}

// Finds the differences of the compared results: the words of their prompts, and their options.

/** Splits each prompt into runs. `isChanged`: the first prompt lacks these words; in the first of two prompts: the second lacks them. */
export function comparePrompts(prompts: readonly string[]): readonly (readonly WordRun[])[] {
  const [first = "", ...others] = prompts;
  // The required share of common words is 0: otherwise one prompt might be marked as a whole, and the other word by word.
  const comparer = new WordComparer(undefined, 0);
  const compared = others.map((other) => comparer.compare(first.split("\n"), other.split("\n")));
  const ofFirst = compared.length === 1 ? compared[0]?.removed : undefined;
  return [runsOf(first, ofFirst), ...others.map((other, index) => runsOf(other, compared[index]?.added))];
}

/** A line that is new as a whole has no runs, so it becomes one changed run. */
function runsOf(prompt: string, lines: readonly (readonly WordRun[] | undefined)[] | undefined): readonly WordRun[] {
  if (lines === undefined) return [{ text: prompt, isChanged: false }];
  return prompt
    .split("\n")
    .flatMap((text, index) => [
      ...(index > 0 ? [{ text: "\n", isChanged: false }] : []),
      ...(lines[index] ?? [{ text, isChanged: true }]),
    ]);
}

interface ComparedFact {
  readonly name: string;
  /** One value for each result; empty where it has none. */
  readonly values: readonly string[];
}

/** The facts in which the results differ, in the order in which their names first occur. */
export function differingFacts(facts: readonly (readonly ResultOption[])[]): readonly ComparedFact[] {
  const names = new Set(facts.flatMap((some) => some.map(({ name }) => name)));
  return [...names]
    .map((name) => ({ name, values: facts.map((some) => some.find((one) => one.name === name)?.value ?? "") }))
    .filter(({ values }) => new Set(values).size > 1);
}
