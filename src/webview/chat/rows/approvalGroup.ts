/** Calls of one answer that a person is asked about at once: they have the same approval and one card. Pure. */
import { joinWords } from "../../../domain/words/joinWords";
import { plural } from "../../../domain/words/plural";
import { describeAction } from "../../../domain/words/describeTool";
import { type AnswerEntry, type ToolCallBlock, toolCalls, type WaitingCall } from "../../../domain/chat/chat";
import { revealName } from "../../shared/hiddenCharacters";
import { type ChangeLine, diffLines } from "./changeLines";

export interface AskedCall {
  /** Its id. */
  readonly id: string;
  readonly call: WaitingCall;
}

/** With the block itself, in order; empty for a block that does not wait. */
export function askedTogether(answer: AnswerEntry, { progress }: ToolCallBlock): readonly ToolCallBlock[] {
  if (progress.state !== "waiting") return [];
  const { id } = progress.approval;
  return toolCalls(answer).filter((block) => block.progress.state === "waiting" && block.progress.approval.id === id);
}

export function askedCalls(blocks: readonly ToolCallBlock[]): readonly AskedCall[] {
  return blocks.flatMap(({ call: id, progress }) => (progress.state === "waiting" ? [{ id, call: progress }] : []));
}

/** *Edit src/app.ts: 3 lines changed*, *4 changes, 3 files*. */
export function askedTitle(calls: readonly WaitingCall[]): string {
  const [first] = calls;
  if (first === undefined) return "";
  if (calls.length === 1) return revealName(describeAction(first.action));
  const files = new Set(calls.map(({ change }) => change?.path));
  return files.size > 1
    ? joinWords([plural(calls.length, { other: "{0} changes" }), plural(files.size, { other: "{0} files" })])
    : plural(calls.length, { other: "{0} changes to {1}" }, calls.length, revealName(first.change?.path ?? ""));
}

/** The changes under each other, each below a line with its title. */
export function groupLines(calls: readonly AskedCall[]): readonly ChangeLine[] {
  return calls.flatMap(({ id, call: { action, change } }): readonly ChangeLine[] => [
    { kind: "file", text: describeAction(action), call: id },
    ...(change === undefined ? [] : diffLines(change)),
  ]);
}

/** The lines of each change with its title first. */
export function linesByFile(lines: readonly ChangeLine[]): readonly (readonly ChangeLine[])[] {
  const files: ChangeLine[][] = [];
  for (const line of lines) {
    if (line.kind === "file") files.push([line]);
    else files.at(-1)?.push(line);
  }
  return files;
}
