/** *View Tasks…*: asks in one quick pick how the tasks are grouped, what is hidden, and whether cleared tasks are restored. */
import { t } from "@vscode/l10n";
import { isFiltering } from "../../view/taskFilter";
import { type Grouping, groupings } from "../../view/taskGroups";
import { type PickChoice, StepPicker } from "../../../vscode/interface/pickSteps";
import type { PickItem } from "../../../vscode/interface/show";
import type { TaskViewChoices } from "./taskViewChoices";

const otherChanges = ["filter", "show-all", "hide-finished", "show-finished", "mark-seen", "restore"] as const;

/** A keybinding may name one as the argument of the command. */
export type ViewChange = `group-by-${Grouping}` | (typeof otherChanges)[number];

export const viewChanges: readonly ViewChange[] = [
  ...groupings.map((grouping) => `group-by-${grouping}` as const),
  ...otherChanges,
];

function groupingLabel(grouping: Grouping): string {
  switch (grouping) {
    case "state":
      return t("Group by State");
    case "type":
      return t("Group by Type");
    case "day":
      return t("Group by Day");
    case "batch":
      return t("Group by Batch");
  }
}

/** Resolves with the chosen change; with `undefined` when the person leaves. */
export async function askForView(current: TaskViewChoices): Promise<ViewChange | undefined> {
  const picker = new StepPicker(t("View Tasks"));
  const choice = (value: ViewChange, label: string, icon?: "check"): PickChoice<ViewChange> => ({
    label,
    value,
    ...(icon ? { icon } : {}),
  });
  const heading = (label: string): PickItem => ({ label, isHeading: true });
  const answer = await picker.ask<ViewChange>({
    placeholder: t("How should the tasks be shown?"),
    choices: [
      choice("filter", t("Filter…")),
      ...(isFiltering(current.filter) ? [choice("show-all", t("Clear Filter"))] : []),
      current.hidesFinished
        ? choice("show-finished", t("Show Finished Tasks"))
        : choice("hide-finished", t("Hide Finished Tasks")),
      heading(t("Grouping")),
      ...groupings.map((grouping) => {
        const value = `group-by-${grouping}` as const;
        return choice(value, groupingLabel(grouping), grouping === current.grouping ? "check" : undefined);
      }),
      heading(t("All tasks")),
      choice("mark-seen", t("Mark All as Seen")),
      choice("restore", t("Restore Cleared Tasks")),
    ],
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value;
}
