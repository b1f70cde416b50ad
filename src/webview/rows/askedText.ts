/** What a person reads in full before a yes: the proposed changes or else the arguments; and the words about it. */
import { t } from "@vscode/l10n";
import type { ToolCallBlock } from "../../domain/transcript";
import { revealName } from "../hiddenCharacters";
import { type AskedCall, groupLines } from "./approvalGroup";
import { type ChangeLine, diffLines, textLines } from "./changeLines";
import { callInput } from "./toolText";

/** `block`: of the first call. */
export function askedLines(block: ToolCallBlock, group: readonly AskedCall[]): readonly ChangeLine[] {
  if (group.length > 1) return groupLines(group);
  const change = group[0]?.call.change;
  return change === undefined ? textLines(callInput(block)) : diffLines(change);
}

export function askedLabel(group: readonly AskedCall[]): string {
  if (group.length > 1) return t("Proposed changes");
  const change = group[0]?.call.change;
  return change === undefined ? t("Arguments") : t("Proposed change to {0}", revealName(change.path));
}

/** Why Allow does not work yet. `counts`: how many lines are in the box, of how many; `undefined` when all of them are. */
export function scrollHint(startSeen: boolean, counts: [string, string] | undefined): string {
  if (!startSeen) return t("Scroll to the start of the change first.");
  if (counts === undefined) return t("Scroll to the end of the change first.");
  return t("Scroll to the end of the change first: {0} of {1} lines are shown.", ...counts);
}
