/** What the built-in model writes about tool results: it quotes their first lines, and names refusals and errors. */
import { fenceCode } from "../../../base/text/codeFence";
import * as z from "zod/mini";
import type { ToolCallTurn } from "../../conversation/conversation";
import { describeImage, type PromptImage } from "../../conversation/images";
import { explainFile } from "./explainFile";
import { wordsOf } from "./toolCalls";

export interface FinishedCall {
  readonly call: ToolCallTurn;
  readonly result: string;
  readonly images: readonly PromptImage[];
  /** The request has a flag for it; chat completions have none, there the text begins with `Error`. */
  readonly failed: boolean;
}

const declined =
  /^\W*(?:error:\s*)?(?:the (?:person|user|call)\b[^.\n]{0,30}\b)?(?:declined|denied|rejected|not allow(?:ed)?)\b/i;

export function isFailure({ result, failed }: FinishedCall): boolean {
  return failed || declined.test(result) || /^\s*(?:\{\s*"error"|error\s*:)/i.test(result);
}

/** What a step was for, where the report is other than what the tool gave back. */
export type StepReport = "explain" | "none" | "written" | "submitted";

/** A call with what its step was for. */
export interface ReportedCall extends FinishedCall {
  readonly as?: StepReport | undefined;
}

/** `stepsLeft`: not begun, because a call before them failed. */
export function reportCalls(calls: readonly ReportedCall[], stepsLeft: number): string {
  const paragraphs = calls.flatMap((call) => (call.as === "none" && !isFailure(call) ? [] : [reportCall(call)]));
  if (stepsLeft === 1) paragraphs.push("I stopped here; one step was not begun.");
  if (stepsLeft > 1) paragraphs.push(`I stopped here; ${stepsLeft} steps were not begun.`);
  return paragraphs.join("\n\n");
}

function reportCall(finished: ReportedCall): string {
  const { images } = finished;
  if (images.length === 0) return reportResult(finished);
  return `${reportResult(finished)}\n\nWith it I was given ${images.map(describeImage).join(" and ")}.`;
}

function reportResult(finished: ReportedCall): string {
  const { call, result, as } = finished;
  const path = pathIn(call.arguments);
  const subject = path === undefined ? "" : ` for \`${path}\``;
  if (declined.test(result)) return `You did not allow \`${call.name}\`${subject}, so nothing was changed.`;
  const lines = result.split("\n").filter((line) => line.trim() !== "");
  if (isFailure(finished))
    return `\`${call.name}\`${subject} did not work:\n\n${fenceCode(lines.slice(0, 8).join("\n"), "text")}`;
  if (as === "explain" && path !== undefined) return explainFile(path, result);
  if (as === "written" && path !== undefined) return `\`${path}\` says now what files there are.`;
  if (as === "submitted") return "The task runs: its card shows the result, and so does the Tasks view.";
  if (lines.length === 0) return `\`${call.name}\`${subject} gave back nothing.`;
  const count = lines.length === 1 ? "1 line" : `${lines.length} lines`;
  const opening = `\`${call.name}\`${subject} gave back ${count}:`;
  if (!wordsOf(call.name).includes("list")) return `${opening}\n\n${fenceCode(lines.slice(0, 12).join("\n"), "text")}`;
  return `${opening}\n\n${lines
    .slice(0, 20)
    .map((line) => `- \`${line.trim()}\``)
    .join("\n")}`;
}

/** The first argument that is named as a path. */
function pathIn(json: string): string | undefined {
  const read = z.record(z.string(), z.unknown()).safeParse(parse(json));
  const path = Object.entries(read.data ?? {}).find(([name]) => /path|file/i.test(name))?.[1];
  return typeof path === "string" ? path : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
