/** What a person reads in full before a yes: the proposed change, the command, or else the arguments; and the words about it. */
import { t } from "@vscode/l10n";
import type { ToolCallBlock } from "../../../domain/chat/chat";
import { revealName } from "../../shared/hiddenCharacters";
import { type AskedCall, groupLines, isGroup } from "./approvalGroup";
import { type ChangeLine, diffLines, textLines } from "./changeLines";
import { callInput } from "./toolText";

/** `block`: of the first call. */
export function askedLines(block: ToolCallBlock, group: readonly AskedCall[]): readonly ChangeLine[] {
  if (isGroup(group)) return groupLines(group);
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return diffLines(change);
  return textLines(action?.type === "run-command" ? action.command : callInput(block));
}

export function askedLabel(group: readonly AskedCall[]): string {
  if (isGroup(group)) return t("Proposed changes");
  const { change, action } = group[0]?.call ?? {};
  if (change !== undefined) return t("Proposed change to {0}", revealName(change.path));
  return action?.type === "run-command" ? t("Command") : t("Arguments");
}
