/** What a person reads in full before a yes: the proposed change, the command, or else the arguments; and the words about it. */
import { t } from "@vscode/l10n";
import type { Input, ToolCallBlock } from "../../../domain/chat/chat";
import { revealName } from "../../../webview/hiddenCharacters";
import { type AskedCall, groupLines, isGroup } from "./approvalGroup";
import { type ChangeLine, diffLines, textLines } from "./changeLines";
import { callInput, readInput } from "./toolText";

/** `block`: of the first call. */
export function askedLines(block: ToolCallBlock, group: readonly AskedCall[]): readonly ChangeLine[] {
  if (isGroup(group)) return groupLines(group);
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return diffLines(change);
  if (action?.type === "run-command") return textLines(action.command);
  if (action?.type === "submit-task") return textLines(taskText(readInput(block) ?? {}));
  // After a redirect it is another one than the model named.
  return textLines(action?.type === "fetch-url" || action?.type === "view-page" ? action.url : callInput(block));
}

/** A line for each part of the task, the prompt first; its type and model are in the title. */
function taskText(input: Input): string {
  const names: Readonly<Record<string, string>> = {
    prompt: t("Prompt"),
    options: t("Options"),
    references: t("References"),
    save_as: t("Saved as"),
  };
  const { prompt, type: _type, model: _model, ...others } = input;
  return Object.entries({ prompt, ...others })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => t("{0}: {1}", names[key] ?? key, typeof value === "string" ? value : JSON.stringify(value)))
    .join("\n");
}

export function askedLabel(group: readonly AskedCall[]): string {
  if (isGroup(group)) return t("Proposed changes");
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return t("Proposed change to {0}", revealName(change.path));
  if (action?.type === "fetch-url" || action?.type === "view-page") return t("Address");
  if (action?.type === "submit-task") return t("Task");
  return action?.type === "run-command" ? t("Command") : t("Arguments");
}
