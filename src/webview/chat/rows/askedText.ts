/** What a person reads in full before a yes: the proposed change, the command, or else the arguments; and the words about it. */
import { t } from "@vscode/l10n";
import type { ToolCallBlock, WaitingCall } from "../../../domain/chat/chat";
import { plural } from "../../../domain/words/plural";
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

/** Lines of a change or a command: those that are in the box, and all of them. */
export interface LineCounts {
  readonly shown: number;
  readonly all: number;
}

/** Why Allow does not work yet. `counts`: `undefined` when all lines are in the box. */
export function scrollHint(
  call: WaitingCall | undefined,
  startSeen: boolean,
  counts: LineCounts | undefined,
  locale: string | undefined,
): string {
  const isCommand = call?.action.type === "run-command";
  if (!startSeen) {
    return isCommand ? t("Scroll to the start of the command first.") : t("Scroll to the start of the change first.");
  }
  if (counts === undefined) {
    return isCommand ? t("Scroll to the end of the command first.") : t("Scroll to the end of the change first.");
  }
  const count = new Intl.NumberFormat(locale);
  const shownOfAll = [count.format(counts.shown), count.format(counts.all)];
  return isCommand
    ? plural(
        counts.all,
        { other: "Scroll to the end of the command first: {0} of {1} lines are shown." },
        ...shownOfAll,
      )
    : plural(
        counts.all,
        { other: "Scroll to the end of the change first: {0} of {1} lines are shown." },
        ...shownOfAll,
      );
}
