/** A tool call in words: its line, its state, its arguments. Pure. */
import { t } from "@vscode/l10n";
import { html } from "lit-html";
import { definedFields } from "../../../base/definedFields";
import type { CappedText } from "../../../domain/chat/cappedText";
import { describeAllowed } from "../../../domain/words/describeRule";
import {
  baseName,
  describeAction,
  describeActivity,
  describeExploring,
  describeFileCall,
  describeRepairs,
  lineCounts,
} from "../../../domain/words/describeTool";
import { plural } from "../../../domain/words/plural";
import { fileOfAction } from "../../../domain/chat/changedLines";
import type {
  ArgumentNote,
  Input,
  ToolAction,
  ToolCallBlock,
  ToolProgress,
  WaitingCall,
} from "../../../domain/chat/chat";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import type { IconName } from "../../../webview/icons";

/** The line of a call in parts. The name between the parts opens the file. */
export interface CallLine {
  readonly before: string;
  /** `path` is the whole path, shown as the tooltip of the name. */
  readonly file?: { readonly name: string; readonly path: string };
  readonly after: string;
  /** The range of lines that was read, or the numbers of changed lines. */
  readonly detail?: string;
}

/** Stands for a file's name in a text. No path can contain this character. */
const place = "\0";

/** The line of a call: what it does or has done once that is known, otherwise its name and first arguments. */
export function callLine({ name, progress }: ToolCallBlock): CallLine {
  if ("action" in progress) {
    const { state, action } = progress;
    const file = fileOfAction(action);
    // A failed edit may have been prepared by a read and has changed no lines, so its line names the attempt.
    const isWrite = state === "failed" && name === "write_file" && action.type === "edit-file";
    const words = isWrite ? t("Write {0}", place) : describeFileCall(action, state, place);
    if (file !== undefined && words !== undefined) {
      const [before = "", after = ""] = words.split(place);
      return {
        before: revealName(before),
        file: { name: revealName(baseName(file.path)), path: revealName(file.path) },
        after: revealName(after),
        ...definedFields({ detail: callDetail(action, state) }),
      };
    }
    if (state === "failed" && action.type === "read-for-edit")
      return plainLine(name === "write_file" ? t("Write {0}", action.path) : t("Edit {0}", action.path));
    if ("path" in action && words !== undefined) return plainLine(words.replace(place, baseName(action.path ?? "")));
    if (words !== undefined) return plainLine(words);
    if (state !== "failed" || action.type !== "call") return plainLine(describeAction(action));
  }
  const about = progress.state === "ready" || progress.state === "failed" ? shortInput(progress.input) : "";
  return plainLine(about ? `${name} ${about}` : name);
}

function plainLine(words: string): CallLine {
  return { before: revealName(words), after: "" };
}

/** The line of a call as one text. */
export function callTitle(block: ToolCallBlock): string {
  const { before, file, after, detail } = callLine(block);
  return `${before}${file?.name ?? ""}${after}${detail === undefined ? "" : ` ${detail}`}`;
}

/** *1–80*, *+3 −1*. Nothing is counted for a change that was not made. */
function callDetail(action: ToolAction, state: ToolProgress["state"]): string | undefined {
  const isMade = state === "done" || state === "running";
  if (action.type === "edit-file" || action.type === "create-file")
    return isMade && action.lines !== undefined ? lineCounts(action.lines) : undefined;
  if (action.type !== "read-file" || action.lines === undefined) return undefined;
  const { first, last } = action.lines;
  return last === undefined ? t("from line {0}", first) : `${first}–${last}`;
}

/** The first plain arguments, shortened. They suffice to distinguish two calls. */
function shortInput(input: Input): string {
  const plain = Object.values(input).filter((value) => typeof value === "string" || typeof value === "number");
  const text = plain.slice(0, 2).join(", ").replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export function callIcon(progress: ToolProgress): IconName {
  switch (progress.state) {
    case "arriving":
    case "running":
      return "loading codicon-modifier-spin";
    case "ready":
      return "circle-large-outline";
    case "waiting":
    case "asking":
      return "question";
    case "done":
      return "check";
    case "invalid":
    case "failed":
      return "error";
    case "denied":
      return "circle-slash";
    case "stopped":
    case "interrupted":
      return "stop-circle";
  }
}

/** The state in words, so that it does not depend on colour. */
export function callState(progress: ToolProgress): string {
  switch (progress.state) {
    case "arriving":
      return t("arriving");
    case "ready":
      return t("not started");
    case "waiting":
      return t("waits for approval");
    case "asking":
      return t("waits for your answer");
    case "running":
      return t("running");
    case "done":
      return t("done");
    case "failed":
      return describeFailed(progress.result, "path" in progress.action ? progress.action.path : undefined);
    case "denied":
      return progress.note ? t("you said “{0}”", shorten(progress.note)) : t("not allowed");
    case "stopped":
      return t("stopped");
    case "interrupted":
      return t("interrupted");
    case "invalid":
      return progress.atLimit ? t("not run: cut at the length limit") : t("not run: {0}", progress.reason);
  }
}

const maxReasonLength = 90;

/** The first sentence of the error; the opened row shows all of it. `path` is left out, because the title contains it. */
function describeFailed(result: string, path: string | undefined): string {
  const [first = ""] = result.trim().split("\n", 1);
  const line = path !== undefined && first.startsWith(`${path} `) ? first.slice(path.length + 1) : first;
  const end = line.indexOf(". ");
  const sentence = (end === -1 ? line : line.slice(0, end)).replace(/[.:]$/, "");
  if (sentence === "") return t("failed");
  return t("failed: {0}", shorten(describeExit(sentence)));
}

/** Translates how a command ended, which is the most frequent result. Results are English, because the model reads them. */
function describeExit(sentence: string): string {
  const [, code, seconds = ""] = /^Exit code (-?\d+) after ([\d.]+) s$/.exec(sentence) ?? [];
  if (code !== undefined) return t("Exit code {0} after {1} s", code, seconds);
  const [, signal, time = ""] = /^Ended by the signal (\w+) after ([\d.]+) s$/.exec(sentence) ?? [];
  return signal === undefined ? sentence : t("Ended by the signal {0} after {1} s", signal, time);
}

function shorten(words: string): string {
  const isShort = words.length <= maxReasonLength;
  return revealName(isShort ? words : `${words.slice(0, maxReasonLength).toWellFormed()}…`);
}

/** Describes how an edit was adapted to fit the file. */
export function callRepairs({ progress }: ToolCallBlock): string | undefined {
  return progress.state === "done" ? describeRepairs(progress.action) : undefined;
}

/** Names the rule that allowed a call; `undefined` for a call that a person was asked about. */
export function callAllowed(progress: ToolProgress): string | undefined {
  return "allowed" in progress ? describeAllowed(progress.allowed) : undefined;
}

/** Whether a rule has allowed the call, so that it can be revoked. A sandbox needs no rule. */
export function isByRule(progress: ToolProgress): boolean {
  return "allowed" in progress && progress.allowed !== "sandbox";
}

/** Says that the session's profile ended with this result; `undefined` otherwise. */
export function callProfileEnd(progress: ToolProgress): string | undefined {
  const hasEnded = "profileEnded" in progress;
  return hasEnded ? t("commands ask again: others may have written its text") : undefined;
}

/** The whole arguments: decoded where possible, otherwise the raw text. */
export function callArguments(block: ToolCallBlock): string {
  return revealAll(callInput(block));
}

/** The command that a call runs, unchanged; `undefined` for other calls. */
export function callCommand({ progress }: ToolCallBlock): string | undefined {
  return "action" in progress && progress.action.type === "run-command" ? progress.action.command : undefined;
}

/** The arguments as the tool reads them; `undefined` where they could not be decoded. */
export function decodedArguments({ progress, reading }: ToolCallBlock): Input | undefined {
  return reading?.input ?? ("input" in progress ? progress.input : undefined);
}

/** The arguments as text, without marks for hidden characters. */
export function callInput(block: ToolCallBlock): string {
  const { argumentText } = block;
  const input = decodedArguments(block);
  return input === undefined ? argumentText : JSON.stringify(input, undefined, 2);
}

/** Lists what was read differently from what the model wrote, one a line; `undefined` for nothing. */
export function callReading({ calledAs, reading, written }: ToolCallBlock): string | undefined {
  const lines = [
    ...(written === undefined ? [] : [t("Written as text")]),
    ...(calledAs === undefined ? [] : [t("Called as {0}", calledAs)]),
    ...(reading?.notes ?? []).map(describeNote),
  ];
  return lines.length === 0 ? undefined : revealAll(lines.join("\n"));
}

function describeNote(note: ArgumentNote): string {
  switch (note.type) {
    case "renamed":
      return t("{0} was read as {1}", note.from, note.to);
    case "converted":
      return t("{0} was converted", note.name);
    case "ignored":
      return t("{0} was ignored: the tool has no such argument", note.name);
  }
}

/** The result for the opened row; `undefined` while there is none. */
export function callResult(progress: ToolProgress): { readonly label: string; readonly text: string } | undefined {
  switch (progress.state) {
    case "done":
      return { label: t("Result"), text: progress.result };
    case "failed":
      return { label: t("Error"), text: progress.result };
    case "denied":
      return progress.note ? { label: t("Word to the model"), text: progress.note } : undefined;
    case "arriving":
    case "invalid":
    case "ready":
    case "waiting":
    case "asking":
    case "running":
    case "stopped":
    case "interrupted":
      return undefined;
  }
}

/** How much of the result the model gets, where it was cut; `undefined` where it gets all. */
export function callCut(progress: ToolProgress, locale: string): string | undefined {
  if (progress.state !== "done" && progress.state !== "failed") return undefined;
  const { result, cutFrom } = progress;
  if (cutFrom === undefined) return undefined;
  const [some, all] = [Math.min(result.length, cutFrom), cutFrom].map((count) =>
    new Intl.NumberFormat(locale).format(count),
  );
  return plural(cutFrom, { other: "cut to {0} of {1} characters" }, some ?? "", all ?? "");
}

/** What a running call reported last. The calls of a reader are shown even once it has answered. */
export function callActivity({ activity, progress }: ToolCallBlock, locale: string): string | undefined {
  if (progress.state === "done" && progress.action.type === "explore")
    return progress.action.calls === undefined ? undefined : describeExploring(progress.action, locale);
  return activity === undefined || progress.state !== "running" ? undefined : describeActivity(activity, locale);
}

/** A command that may have failed because of the sandbox. `undefined` for a command of several lines, which a prompt would not quote. */
export function heldCommand(progress: ToolProgress): string | undefined {
  if (progress.state !== "failed" || progress.action.type !== "run-command" || progress.heldBack !== true)
    return undefined;
  const { command } = progress.action;
  return /[`\n]/.test(command) ? undefined : command;
}

/** The id of the background command that the call has started. */
export function startedProcess(progress: ToolProgress): string | undefined {
  if (progress.state !== "done" || progress.action.type !== "run-command") return undefined;
  return progress.action.process;
}

/** The id under which a running command can be moved to a terminal. */
export function movableCommand({ activity, progress }: ToolCallBlock): string | undefined {
  return activity?.type === "command-running" && progress.state === "running" ? activity.id : undefined;
}

/** The output of a call so far, or until it was stopped. Once the call has a result, the result is shown instead. */
export function callOutput({ output, progress }: ToolCallBlock, locale: string): string | undefined {
  if (output === undefined || (progress.state !== "running" && !("started" in progress))) return undefined;
  return revealAll(wholeOutput(output, locale));
}

function wholeOutput({ head, omitted, tail }: CappedText, locale: string): string {
  if (omitted === 0) return head + tail;
  const count = new Intl.NumberFormat(locale).format(omitted);
  const cut = plural(
    omitted,
    { one: "⋯ 1 character is not shown ⋯", other: "⋯ {0} characters are not shown ⋯" },
    count,
  );
  // A cut may fall between the halves of a surrogate pair.
  return `${head.toWellFormed()}\n${cut}\n${tail.toWellFormed()}`;
}

/** Leaves out the backticks around code in a sentence of the model, which is shown as plain text. */
export function withoutCodeMarks(words: string): string {
  return words.replaceAll(/`([^`]+)`/g, "$1");
}

/** The words of a call as a title without backticks: a command is code, and of the code in a sentence of the model only its words are shown. */
export function actionTitle(action: ToolAction, words: string): unknown {
  const { type } = action;
  if (type === "run-command" || type === "read-process" || type === "end-process") return commandTitle(words);
  // If the text has more backticks than those around the command, they don't show where the command begins and ends.
  if (type === "write-process") return action.text.includes("`") ? words : commandTitle(words);
  const isOfModel = type === "update-plan" || type === "present-plan" || type === "explore" || type === "ask-person";
  return isOfModel ? withoutCodeMarks(words) : words;
}

/** The words of a question about these calls. Where there are several, the words name none of them. */
export function questionTitle([first, ...others]: readonly WaitingCall[], words: string): unknown {
  return first === undefined || others.length > 0 ? words : actionTitle(first.action, words);
}

/** Shows the text between the first and the last backtick as code, because a command may contain backticks itself. Other texts stay plain. */
function commandTitle(words: string): unknown {
  const [from, to] = [words.indexOf("`"), words.lastIndexOf("`")];
  if (from < 0 || to === from) return words;
  return html`${words.slice(0, from)}<code>${words.slice(from + 1, to)}</code>${words.slice(to + 1)}`;
}
