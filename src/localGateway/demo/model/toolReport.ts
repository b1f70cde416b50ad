/** Writes the built-in model's report on tool results: it quotes their first lines, and names refusals and errors. */
import * as z from "zod/mini";
import { fenceCode } from "../../../base/text/codeFence";
import type { ToolCallTurn } from "../conversation";
import { describeImage, type PromptImage } from "../images";
import { subjectOf } from "../drawing/subjects";
import type { DemoWords } from "./demoWords";
import { explainFile, drawnOf } from "./freeText";
import { nameWords } from "./toolCalls";

export interface FinishedCall {
  readonly call: ToolCallTurn;
  readonly result: string;
  readonly images: readonly PromptImage[];
  /** The failure flag of the request. Chat completions have none; there the text begins with `Error`. */
  readonly failed: boolean;
}

const declined =
  /^\W*(?:error:\s*)?(?:the (?:person|user|call)\b[^.\n]{0,30}\b)?(?:declined|denied|rejected|not allow(?:ed)?)\b/i;

export function isFailure({ result, failed }: FinishedCall): boolean {
  return failed || declined.test(result) || /^\s*(?:\{\s*"error"|error\s*:)/i.test(result);
}

/** The purpose of a step whose report is not the tool's result. */
export type StepReport = "explain" | "none" | "changed" | "written" | "submitted" | "presented";

/** A call with the purpose of its step. */
export interface ReportedCall extends FinishedCall {
  readonly as?: StepReport | undefined;
}

/** The client of the report: only Sluice's chat has _Changes by Sluice_ and cards of tasks, which sentences may mention. */
export interface ReportPlace {
  readonly isSluice: boolean;
}

/** `stepsLeft`: the number of steps that were not begun because an earlier call failed. */
export function reportCalls(
  calls: readonly ReportedCall[],
  stepsLeft: number,
  words: DemoWords,
  place: ReportPlace,
): string {
  const paragraphs = calls.flatMap((call) =>
    call.as === "none" && !isFailure(call) ? [] : [reportCall(call, words, place)],
  );
  if (stepsLeft > 0) paragraphs.push(words.report.stepsLeft(stepsLeft));
  return paragraphs.join("\n\n");
}

function reportCall(finished: ReportedCall, words: DemoWords, place: ReportPlace): string {
  const { images } = finished;
  const result = reportResult(finished, words, place);
  return images.length === 0
    ? result
    : `${result}\n\n${words.report.withImages(words.join(images.map(describeImage)))}`;
}

/** The note at the end of the result of the tool that reads files, which is no line of the file. */
const readingNote = /\n\(lines \d{1,9} to \d{1,9} of \d{1,9}\)\s*$/;

function reportResult(finished: ReportedCall, words: DemoWords, { isSluice }: ReportPlace): string {
  const { report } = words;
  const { call, result, as } = finished;
  const path = pathIn(call.arguments);
  const tool = `\`${call.name}\``;
  const subject = path === undefined ? undefined : `\`${path}\``;
  if (declined.test(result)) {
    const isReading = nameWords(call.name).some((word) =>
      /^(?:read|list|find|search|view|look|fetch|grep)$/.test(word),
    );
    return report.declined(tool, subject, isReading);
  }
  const text = result.replace(readingNote, "");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (isFailure(finished))
    return `${report.failed(tool, subject)}\n\n${fenceCode(lines.slice(0, 8).join("\n"), "text")}`;
  if (as === "explain" && path !== undefined) return explainFile(path, result, words);
  if (as === "changed" && subject !== undefined)
    return isSluice ? report.changedHere(subject) : report.changed(subject);
  if (as === "written" && subject !== undefined) return report.written(subject);
  if (as === "presented") return report.presented;
  if (as === "submitted") {
    const submitted = isSluice ? report.submittedHere : report.submitted;
    const prompt = argumentOf(call.arguments, /^prompt$/);
    return prompt === undefined || subjectOf(prompt) !== undefined
      ? submitted
      : `${submitted} ${drawnOf(prompt, words)}`;
  }
  if (lines.length === 0) return report.nothing(tool, subject);
  const opening = report.lines(tool, subject, text.trim().split("\n").length);
  if (!nameWords(call.name).includes("list"))
    return `${opening}\n\n${fenceCode(lines.slice(0, 12).join("\n"), "text")}`;
  return `${opening}\n\n${lines
    .slice(0, 20)
    .map((line) => `- \`${line.trim()}\``)
    .join("\n")}`;
}

/** The first argument that is named as a path. */
const pathIn = (json: string): string | undefined => argumentOf(json, /path|file/i);

function argumentOf(json: string, names: RegExp): string | undefined {
  const read = z.record(z.string(), z.unknown()).safeParse(parse(json));
  const value = Object.entries(read.data ?? {}).find(([name]) => names.test(name))?.[1];
  return typeof value === "string" ? value : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
