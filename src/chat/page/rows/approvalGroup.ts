/** Calls of one answer that the person is asked about at once, with the same approval and one card. Pure. */
import { t } from "@vscode/l10n";
import { joinWords } from "../../../domain/words/joinWords";
import { plural } from "../../../domain/words/plural";
import { countLines } from "../../../domain/chat/changedLines";
import { describeAction, lineCounts } from "../../../domain/words/describeTool";
import {
  type AnswerEntry,
  type Chat,
  partId,
  previewsOf,
  type ToolCallBlock,
  toolCalls,
  type WaitingCall,
  type WaitingPart,
} from "../../../domain/chat/chat";
import { revealName } from "../../../webview/hiddenCharacters";
import { type ChangeLine, changeLinesOf } from "./changeLines";

export interface AskedCall {
  /** The id of the call. */
  readonly id: string;
  readonly call: WaitingCall;
}

/** All calls that are asked about together with this block, itself included, in order. Empty for a block that does not wait. */
export function askedTogether(answer: AnswerEntry, { progress }: ToolCallBlock): readonly ToolCallBlock[] {
  if (progress.state !== "waiting") return [];
  const { id } = progress.approval;
  return toolCalls(answer).filter((block) => block.progress.state === "waiting" && block.progress.approval.id === id);
}

/** The calls of each waiting question, in order. Only the running turn can ask. */
export function openQuestions({ running, entries }: Chat): readonly (readonly ToolCallBlock[])[] {
  if (!running) return [];
  const turn = entries.slice(entries.findLastIndex((entry) => entry.type === "user") + 1);
  return turn.flatMap((entry) =>
    entry.type === "answer"
      ? toolCalls(entry).flatMap((block) => {
          const group = askedTogether(entry, block);
          return group[0] === block ? [group] : [];
        })
      : [],
  );
}

export function askedCalls(blocks: readonly ToolCallBlock[]): readonly AskedCall[] {
  return blocks.flatMap(({ call: id, progress }) => (progress.state === "waiting" ? [{ id, call: progress }] : []));
}

/** *Edit src/app.ts: 3 lines changed*, *4 changes, 3 files*. */
export function askedTitle(calls: readonly WaitingCall[]): string {
  const [first] = calls;
  if (first === undefined) return "";
  if (calls.length === 1) return revealName(describeAction(first.action));
  const paths = calls.flatMap((call) => previewsOf(call).map(({ path }) => path));
  const files = new Set(paths);
  return files.size > 1
    ? joinWords([plural(calls.length, { other: "{0} changes" }), plural(files.size, { other: "{0} files" })])
    : plural(calls.length, { other: "{0} changes to {1}" }, calls.length, revealName(paths[0] ?? ""));
}

/** The title of the card, above the box with the content. It does not repeat what the box shows. */
export function cardTitle(calls: readonly WaitingCall[]): string {
  const [first] = calls;
  if (calls.length !== 1 || first?.action.type !== "run-command") return askedTitle(calls);
  const { folder, isBackground } = first.action;
  if (isBackground === true)
    return folder === undefined
      ? t("Start this in the background")
      : t("Start this in the background, in {0}", revealName(folder));
  return folder === undefined ? t("Run this command") : t("Run this command in {0}", revealName(folder));
}

/** The title in one line above the composer. The lines of a change are counted next to it. */
export function shortTitle(calls: readonly WaitingCall[]): string {
  const [first] = calls;
  return calls.length === 1 && first?.action.type === "edit-file"
    ? t("Edit {0}", revealName(first.action.path))
    : askedTitle(calls);
}

/** *+3 −1*: the lines that the changes add and remove; `undefined` where nothing is changed. */
export function describeCounts(calls: readonly WaitingCall[]): string | undefined {
  return lineCounts(countLines(calls.flatMap((call) => previewsOf(call).flatMap(({ hunks }) => hunks))));
}

/** The lines of all changes in turn, each below a line with its title. */
export function groupLines(calls: readonly AskedCall[]): readonly ChangeLine[] {
  return calls.flatMap(({ id, call: { action, change, changes } }) =>
    changes === undefined
      ? partLines({ action, ...(change && { change }) }, id)
      : changes.flatMap((part, at) => partLines(part, partId(id, at))),
  );
}

function partLines({ action, change }: WaitingPart, id: string): readonly ChangeLine[] {
  const head = { kind: "file" as const, text: describeAction(action) };
  return change === undefined ? [head] : [{ ...head, call: id }, ...changeLinesOf(change)];
}

/** Whether there is more than one file, or more than one call. */
export function isGroup(calls: readonly AskedCall[]): boolean {
  return calls.length > 1 || calls[0]?.call.changes !== undefined;
}

/** Groups the lines by change. Each group begins with the title of its change. */
export function linesByFile(lines: readonly ChangeLine[]): readonly (readonly ChangeLine[])[] {
  const files: ChangeLine[][] = [];
  for (const line of lines) {
    if (line.kind === "file") files.push([line]);
    else files.at(-1)?.push(line);
  }
  return files;
}
