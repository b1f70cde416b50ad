/**
 * The document of a plan (A13): Markdown whose numbered steps are the steps of the plan once it is started. The person edits, comments on and starts
 * it, and it follows the plan: what the person wrote in it stays. Pure.
 */
import { closesFence, openingFence } from "../../base/text/codeFence";
import { type PlanPlace, type PlanStep, stepCap, stepLengthCap } from "./plan";

/** Characters of the document, also after the person's edits. */
export const planDocumentCap = 200_000;

interface DocumentStep {
  readonly number: string;
  /** Lines from 0, the last one included. */
  readonly first: number;
  readonly last: number;
  /** Counts the lists of the document: a heading, or a line at the margin after a blank one, ends a list. */
  readonly list: number;
  /** The text of the step, with the lines below that belong to it. */
  readonly text: string;
  /** What follows the number: `.` or `)`. */
  readonly mark: string;
  /** The first line after its number and box. */
  readonly rest: string;
  /** The same as one line, cut to the length of a step. */
  readonly words: string;
  /** Whether its box is checked; `undefined` where it has no box. */
  readonly isChecked: boolean | undefined;
}

const lineEnd = /\r\n|\r|\n/;

/** The fence of the code block that is open after each line; empty where none is. */
function openFences(lines: readonly string[]): readonly string[] {
  let fence = "";
  return lines.map((line) => {
    if (fence === "") fence = openingFence(line);
    else if (closesFence(line, fence)) fence = "";
    return fence;
  });
}

/**
 * The numbered steps at the margin, outside of code blocks; each with what is below it up to the next step, heading or line at the margin after a
 * blank one.
 */
export function documentSteps(text: string): readonly DocumentStep[] {
  const lines = text.split(lineEnd);
  const fences = openFences(lines);
  const steps: { number: string; first: number; last: number; list: number }[] = [];
  let list = 0;
  let isOpen = false;
  let isAfterBlank = false;
  lines.forEach((line, at) => {
    const isInFence = at > 0 && fences[at - 1] !== "";
    const [, number] = isInFence ? [] : (/^(\d{1,9})[.)](?=\s|$)/.exec(line) ?? []);
    const isBlank = line.trim() === "";
    if (number !== undefined) {
      if (!isOpen) list += 1;
      steps.push({ number, first: at, last: at, list });
      isOpen = true;
    } else if (!isInFence && (/^#{1,6}\s/.test(line) || (isAfterBlank && /^\S/.test(line) && fences[at] === "")))
      isOpen = false;
    const last = steps.at(-1);
    if (isOpen && last !== undefined && !isBlank) last.last = at;
    isAfterBlank = isBlank;
  });
  return steps.map((step) => {
    const firstLine = lines[step.first] ?? "";
    const afterNumber = firstLine.slice(step.number.length + 1).trim();
    const [box = ""] = /^\[[ xX]\](?=\s|$)/.exec(afterNumber) ?? [];
    const rest = afterNumber.slice(box.length).trim();
    return {
      ...step,
      mark: firstLine.charAt(step.number.length),
      rest,
      words: wordsOf(rest),
      isChecked: box === "" ? undefined : box !== "[ ]",
      text: lines.slice(step.first, step.last + 1).join("\n"),
    };
  });
}

/** The text of a step as one line, cut to the length of a step. The words of words are the same words. */
function wordsOf(text: string): string {
  return oneLine(text).slice(0, stepLengthCap).trimEnd();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The steps of the plan as the document has them. Those of `known` keep their id, and the mark that one is being done, which no box shows. */
export function stepsOfDocument(text: string, known: readonly PlanStep[], place: PlanPlace): readonly PlanStep[] {
  const written = documentSteps(text)
    .filter(({ words }) => words !== "")
    .slice(0, stepCap);
  const pairs = rewordedPairs(
    known.map((step) => wordsOf(step.text)),
    written.map(({ words }) => words),
  );
  const ids = new Set(known.map(({ id }) => id));
  return written.map(({ words, isChecked = false }, at): PlanStep => {
    const before = known[pairs.get(at) ?? -1];
    const state = isChecked ? "done" : before?.state === "doing" ? "doing" : "pending";
    return { id: before?.id ?? freeId(place, ids), text: words, state };
  });
}

/** The id is counted and not random, because a replay of the events must give the same one. */
function freeId({ answer, call }: PlanPlace, ids: Set<string>): string {
  let at = 0;
  while (ids.has(`${answer}/${call}/${at}`)) at += 1;
  const id = `${answer}/${call}/${at}`;
  ids.add(id);
  return id;
}

/** Pairs indexes of `now` with indexes of `before` that have equal words, in order. */
function equalPairs(before: readonly string[], now: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const left = new Map<string, number[]>();
  before.forEach((words, at) => left.set(words, [...(left.get(words) ?? []), at]));
  now.forEach((words, at) => {
    const same = left.get(words)?.shift();
    if (same !== undefined) pairs.set(at, same);
  });
  return pairs;
}

/** Also pairs in order what is left between two equal pairs, where it is as many on both sides, as when the person rewords steps. */
function rewordedPairs(before: readonly string[], now: readonly string[]): ReadonlyMap<number, number> {
  const pairs = equalPairs(before, now);
  const used = new Set(pairs.values());
  let [first, firstBefore] = [0, 0];
  for (let at = 0; at <= now.length; at += 1) {
    const same = at === now.length ? before.length : pairs.get(at);
    if (same === undefined) continue;
    const isGap = at - first === same - firstBefore;
    for (let index = first; isGap && index < at; index += 1)
      if (!used.has(firstBefore + index - first)) pairs.set(index, firstBefore + index - first);
    [first, firstBefore] = [at + 1, same + 1];
  }
  return pairs;
}

/**
 * The steps of a plan with a document after the model has given its own: it checks steps off by their words, and adds steps while there is room. A
 * step that the model leaves out stays. `undefined` where these are the steps of other work: the plan is done, or fewer than most of its open steps
 * are among those given and the model has not given steps of the plan only.
 */
export function adoptSteps(
  before: readonly PlanStep[],
  given: readonly Omit<PlanStep, "id">[],
  newId: () => string,
): readonly PlanStep[] | undefined {
  const pairs = equalPairs(before.map(comparedWords), given.map(comparedWords));
  const again = new Set(pairs.values());
  const open = [...before.keys()].filter((at) => before[at]?.state !== "done");
  const isMost = open.filter((at) => again.has(at)).length > open.length / 2;
  if (open.length === 0 || !(isMost || pairs.size === given.length)) return undefined;
  const isDoing = given.some(({ state }) => state === "doing");
  const now: PlanStep[] = before.map((step) =>
    isDoing && step.state === "doing" ? { ...step, state: "pending" } : step,
  );
  let after = -1;
  const added: { readonly after: number; readonly step: PlanStep }[] = [];
  given.forEach(({ text, state }, at) => {
    const same = pairs.get(at);
    const step = same === undefined ? undefined : now[same];
    if (same !== undefined && step !== undefined) {
      now[same] = { ...step, state };
      after = same;
    } else if (wordsOf(text) !== "" && now.length + added.length < stepCap)
      added.push({ after, step: { id: newId(), text: wordsOf(text), state } });
  });
  const addedAfter = (at: number): readonly PlanStep[] => added.flatMap((one) => (one.after === at ? [one.step] : []));
  return [...addedAfter(-1), ...now.flatMap((step, at) => [step, ...addedAfter(at)])];
}

/** Models leave out the markup of a step, and its full stop. */
function comparedWords({ text }: Pick<PlanStep, "text">): string {
  return wordsOf(text.replaceAll(/[`*_]/g, ""))
    .replace(/[.:;]$/, "")
    .toLowerCase();
}

/**
 * Writes into a document what has changed from the steps `before` to those `now`. Everything else in it stays, also what the person is writing: the
 * document may be newer than both. With the first change in a list each of its steps gets a box. Other lists stay.
 */
export function followSteps(text: string, before: readonly PlanStep[], now: readonly PlanStep[]): string {
  const written = documentSteps(text);
  const left = Map.groupBy(written, ({ words }) => words);
  const places = new Map<string, DocumentStep>();
  const place = ({ id, text: words }: PlanStep): void => {
    const found = left.get(wordsOf(words))?.shift();
    if (found !== undefined) places.set(id, found);
  };
  before.forEach(place);
  const known = new Set(before.map(({ id }) => id));
  const added = new Map<DocumentStep | undefined, PlanStep[]>();
  let anchor: DocumentStep | undefined;
  for (const step of now) {
    // The document may have the new step already.
    if (!known.has(step.id)) place(step);
    const found = places.get(step.id);
    if (found === undefined && !known.has(step.id)) added.set(anchor, [...(added.get(anchor) ?? []), step]);
    anchor = found ?? anchor;
  }
  const kept = new Map(now.map((step) => [step.id, step]));
  const changed = before.filter((step) => {
    const after = kept.get(step.id);
    return places.has(step.id) && (after?.text !== step.text || isDone(after) !== isDone(step));
  });
  return changed.length === 0 && added.size === 0
    ? text
    : rewrite(text, written, { before, changed, kept, places, added });
}

/**
 * Writes the steps of a plan into a text of its document of which it is not known which steps it had: what is checked off in either stays checked
 * off, and steps that it lacks are added, because neither may be lost. Its own words stay.
 */
export function joinSteps(text: string, steps: readonly PlanStep[]): string {
  const open = new Set(documentSteps(text).flatMap(({ words, isChecked }) => (isChecked === true ? [] : [words])));
  const before = steps.filter((step) => open.has(wordsOf(step.text)));
  return followSteps(
    text,
    before.map((step): PlanStep => ({ ...step, state: "pending" })),
    steps,
  );
}

interface FollowedSteps {
  readonly before: readonly PlanStep[];
  /** Those of `before` that are reworded, removed, or checked off or not any more. */
  readonly changed: readonly PlanStep[];
  readonly kept: ReadonlyMap<string, PlanStep>;
  readonly places: ReadonlyMap<string, DocumentStep>;
  /** The new steps after each step of the document; `undefined`: before the first one. */
  readonly added: ReadonlyMap<DocumentStep | undefined, readonly PlanStep[]>;
}

function rewrite(text: string, written: readonly DocumentStep[], followed: FollowedSteps): string {
  const { before, changed, kept, places, added } = followed;
  const [ending = "\n"] = lineEnd.exec(text) ?? [];
  // The lines are at the even places, their ends at the odd ones.
  const parts = text.split(/(\r\n|\r|\n)/);
  const setLine = (at: number, lines: readonly string[]): void => void (parts[2 * at] = lines.join(ending));
  const lineAt = (at: number): string => parts[2 * at] ?? "";
  const lines = text.split(lineEnd);
  const fences = openFences(lines);
  // A code block that nothing ends would take in what is added after its first line.
  const bottom = fences.at(-1) === "" ? lines.length : fences.lastIndexOf("") + 1;
  const stepAt = new Map(before.map((step) => [places.get(step.id), step]));
  const [firstStep] = written;
  const numbered = new Set([...added.keys()].map((place = firstStep) => place?.list));
  const boxed = new Set([...numbered, ...changed.map(({ id }) => places.get(id)?.list)]);
  let last = 0;
  const newLines = (place: DocumentStep | undefined, mark = "."): readonly string[] =>
    (added.get(place) ?? []).map((step) => `${(last += 1)}${mark} ${boxOf(isDone(step))} ${wordsOf(step.text)}`);
  const atStart = newLines(undefined, firstStep?.mark);
  let list = firstStep?.list;
  for (const place of written) {
    const { first, number, mark, rest, words, isChecked = false } = place;
    if (place.list !== list) [list, last] = [place.list, 0];
    if (!boxed.has(list)) continue;
    const step = stepAt.get(place);
    const now = step && kept.get(step.id);
    if (step !== undefined && now === undefined) {
      parts.fill("", 2 * first, 2 * lastIndented(place, lines, fences) + 2);
      continue;
    }
    last = numbered.has(list) ? Math.max(Number(number), last + 1) : Number(number);
    if (now === undefined) setLine(first, [`${last}${lineAt(first).slice(number.length)}`]);
    else {
      const isReworded = now.text !== step?.text;
      const isNowChecked = isDone(now) === isDone(step) ? isChecked : isDone(now);
      const line = `${last}${mark} ${boxOf(isNowChecked)} ${isReworded ? wordsOf(now.text) : rest}`;
      // The step had the beginning of a long line only, so the person has not seen the tail when they changed its words.
      const tail = isReworded ? oneLine(rest).slice(words.length).trim() : "";
      setLine(first, tail === "" ? [line] : [line, `   ${tail}`]);
    }
    const end = Math.min(place.last, bottom - 1);
    setLine(end, [lineAt(end), ...newLines(place, mark)]);
  }
  if (firstStep !== undefined) setLine(firstStep.first, [...atStart, lineAt(firstStep.first)]);
  else if (bottom < lines.length) setLine(bottom, [...atStart, lineAt(bottom)]);
  const whole = parts.join("");
  if (firstStep !== undefined || bottom < lines.length || atStart.length === 0) return whole;
  const isApart = whole === "" || whole.endsWith(ending);
  return `${whole}${isApart ? "" : ending}${atStart.join(ending)}${ending}`;
}

/** The last line that Markdown counts as part of the step: what is indented below it, up to a line at the margin; a code block is whole or left. */
function lastIndented({ first, last }: DocumentStep, lines: readonly string[], fences: readonly string[]): number {
  let end = first;
  for (let at = first + 1; at <= last; at += 1) {
    const line = lines[at] ?? "";
    if (/^\S/.test(line)) break;
    if (line.trim() !== "" && fences[at] === "") end = at;
  }
  return end;
}

function boxOf(isChecked: boolean): string {
  return isChecked ? "[x]" : "[ ]";
}

function isDone(step: PlanStep | undefined): boolean {
  return step?.state === "done";
}
