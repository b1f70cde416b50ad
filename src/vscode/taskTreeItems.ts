/** The rows of the Tasks view as VS Code's tree items: a group, a task, an event of a task; for `TaskTree`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { quoteForeign } from "../domain/quoteForeign";
import type { Task, TaskEvent } from "../domain/task";
import { type TaskGroup, taskRow } from "../tasks/taskRow";
import { remoteStateName } from "../tasks/taskWords";
import { formatsOf } from "../tasks/timeFormats";
import { commands } from "./ids";
import { createRow, type ShownRow } from "./show";
import { shownLine, shownParagraphs } from "./shownText";

/** Length of a prompt in a tooltip, in characters. */
const longestPrompt = 600;

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function groupItem(group: TaskGroup, count: number): ShownRow {
  const state = group === "earlier" ? Collapsed : Expanded;
  const item = createRow({ label: groupName(group), description: String(count), state });
  item.id = `group:${group}`;
  item.contextValue = "group";
  return item;
}

function groupName(group: TaskGroup): string {
  switch (group) {
    case "attention":
      return t("Needs attention");
    case "running":
      return t("Running");
    case "today":
      return t("Finished today");
    case "earlier":
      return t("Earlier");
  }
}

/** `now` in milliseconds since 1970; `isOpen`: its events are shown. */
export function taskItem(id: string, task: Task, now: number, isOpen: boolean): ShownRow {
  const { label, description, spoken, contextValue, icon } = taskRow(task, now, vscode.env.language);
  const expandable = isOpen ? Expanded : Collapsed;
  const state = task.submission.state === "accepted" ? expandable : None;
  const item = createRow({ label, description, spoken, state });
  item.id = id;
  item.contextValue = contextValue;
  item.iconPath = new vscode.ThemeIcon(icon.id, icon.color ? new vscode.ThemeColor(icon.color) : undefined);
  if (contextValue.includes("openable")) {
    item.command = { command: commands.openResult, title: t("Open Result"), arguments: [{ kind: "task", id }] };
  }
  return item;
}

export function eventItem(task: string, event: TaskEvent): ShownRow {
  const { exact } = formatsOf(vscode.env.language);
  const at = event.createdAt === undefined ? "" : ` · ${exact.format(event.createdAt)}`;
  const state = remoteStateName(event.state, event.rawStatus);
  const item = createRow({ label: event.message || event.type, description: `${state}${at}` });
  item.id = `${task}:${event.id}`;
  item.iconPath = new vscode.ThemeIcon("circle-small-filled");
  item.contextValue = "event";
  return item;
}

/** Plain text: Markdown would turn the prompt, the gateway's text and bare addresses into links. */
export function tooltipOf(task: Task, now: number): string {
  const { submission, intent } = task;
  const row = taskRow(task, now, vscode.env.language);
  const ids = submission.state === "accepted" ? [submission.taskId, submission.holdId] : [];
  // Text from the gateway is reduced to one line: with line breaks it could imitate the line about the money.
  const lines = [row.state, row.money, shownId(intent.model), ids.map(shownId).filter(Boolean).join(" · ")].map(
    (line) => shownLine(line, 600),
  );
  return [shownParagraphs(intent.prompt, longestPrompt), ...lines].filter((line) => line !== "").join("\n\n");
}

/** An id unchanged; anything else in quotation marks, because words in its place could be taken for ours. */
function shownId(id = ""): string {
  return /^[\w.:/@+-]{0,200}$/.test(id) ? id : quoteForeign(id, 100);
}
