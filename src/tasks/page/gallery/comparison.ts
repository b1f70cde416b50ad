/**
 * Compares results: one transform enlarges and moves all pictures, whose frames have the same size; and the differences of prompts and options.
 * Pure; pixels from the middle of a frame.
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

/** What is at that point of the frame stays there. */
export function zoomAt({ scale, x, y }: ZoomPan, factor: number, atX: number, atY: number, frame: FrameSize): ZoomPan {
  const next = Math.min(Math.max(scale * factor, 1), maxScale);
  const ratio = next / scale;
  return within({ scale: next, x: atX - (atX - x) * ratio, y: atY - (atY - y) * ratio }, frame);
}

export function panBy({ scale, x, y }: ZoomPan, byX: number, byY: number, frame: FrameSize): ZoomPan {
  return within({ scale, x: x + byX, y: y + byY }, frame);
}

/** The frame is never empty: an edge of what fills it goes no further than the frame's edge. */
function within({ scale, x, y }: ZoomPan, { width, height }: FrameSize): ZoomPan {
  const mostX = ((scale - 1) * width) / 2;
  const mostY = ((scale - 1) * height) / 2;
  return { scale, x: Math.min(Math.max(x, -mostX), mostX), y: Math.min(Math.max(y, -mostY), mostY) };
}

// Finds in what the compared results differ: the words of their prompts, and their options.

/** Each prompt in runs: `isChanged` are the words that the first one lacks, and in the first one those that the second lacks, where there are two. */
export function comparePrompts(prompts: readonly string[]): readonly (readonly WordRun[])[] {
  const [first = "", ...others] = prompts;
  // Of prompts a few words in common are enough: else one may be marked whole, and the other in its words.
  const comparer = new WordComparer(undefined, 0);
  const compared = others.map((other) => comparer.compare(first.split("\n"), other.split("\n")));
  const ofFirst = compared.length === 1 ? compared[0]?.removed : undefined;
  return [runsOf(first, ofFirst), ...others.map((other, index) => runsOf(other, compared[index]?.added))];
}

/** A line that is new as a whole has no runs: all of it is one changed run. */
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
  /** One for each result; empty where it has none. */
  readonly values: readonly string[];
}

/** Those in which the results differ, in the order of their names. */
export function differingFacts(facts: readonly (readonly ResultOption[])[]): readonly ComparedFact[] {
  const names = new Set(facts.flatMap((some) => some.map(({ name }) => name)));
  return [...names]
    .map((name) => ({ name, values: facts.map((some) => some.find((one) => one.name === name)?.value ?? "") }))
    .filter(({ values }) => new Set(values).size > 1);
}
