/** The rows of the Tasks view as VS Code's tree items: a group, a task, an event of a task; for `TaskTree`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { describePrice } from "../../../domain/words/describePrice";
import { priceOfTask } from "../../money";
import { plural } from "../../../domain/words/plural";
import { startOfDay } from "../../../base/localDay";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { acceptedOf, isRunning } from "../../../domain/task/phase";
import type { Task, TaskEvent } from "../../../domain/task/task";
import { describeFilter, isFiltering } from "../../view/taskFilter";
import { type Grouping, needsAttention, singleTasks, type StateGroup, stateGroups } from "../../view/taskGroups";
import { type RowFacts, type TaskRow, taskRow, visibleParts } from "../../view/taskRow";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { phaseName } from "../../view/taskWords";
import { formatTime, createTimes } from "../../../domain/words/timeFormats";
import { commands, internalCommands } from "../../../vscode/ids";
import { createRow, type ShownRow } from "../../../vscode/interface/show";
import { shownLine, shownParagraphs } from "../../../vscode/interface/shownText";
import type { TaskViewChoices } from "./taskViewChoices";

/** Length of a prompt in a tooltip, in characters. */
const maxPromptLength = 600;

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** The facts that a row is drawn from in addition to its task. */
export interface DrawContext extends RowFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The most tasks of an earlier group that is shown expanded because it is the first or the view is filtered. */
const maxOpen = 50;

/** `ids`: the members of the group, in their order. `isFirst`: no group is above it. `isFiltered`: a filter is set. */
export function groupItem(
  grouping: Grouping,
  group: string,
  ids: readonly string[],
  tasks: ReadonlyMap<string, Task>,
  now: number,
  isFirst = false,
  isFiltered = false,
): ShownRow {
  const members = (): readonly Task[] => ids.flatMap((id) => tasks.get(id) ?? []);
  const isBatch = grouping === "batch" && group !== singleTasks;
  const isEarlier = group === "earlier" || (grouping === "day" && Number(group) !== startOfDay(now));
  const row = createRow({
    label: isBatch ? batchName(members()[0]) : groupName(grouping, group, now),
    description: isBatch ? describeBatch(members(), now) : String(ids.length),
    state: isBatch || (isEarlier && !((isFirst || isFiltered) && ids.length <= maxOpen)) ? Collapsed : Expanded,
  });
  // VS Code remembers by the id which rows are open. A filtered group has an id of its own, so that the list is as before when the filter ends.
  row.id = `group:${grouping}:${group}${isFiltered ? ":filtered" : ""}`;
  row.contextValue = isBatch ? "group mixed batched" : groupContext(grouping, group);
  return row;
}

/** The words that menus test, as in `viewItem =~ /\brunning\b/`: `group`, and which group it is. */
function groupContext(grouping: Grouping, group: string): string {
  if (grouping !== "state") return "group mixed";
  return group === "today" || group === "earlier" ? "group finished" : `group ${group}`;
}

function groupName(grouping: Grouping, group: string, now: number): string {
  switch (grouping) {
    case "state":
      return stateGroupName(stateGroups.find((state) => state === group) ?? "running");
    case "type": {
      const name = taskTypeName(group);
      return `${name.slice(0, 1).toLocaleUpperCase()}${name.slice(1)}`;
    }
    case "day":
      return dayName(Number(group), now);
    case "batch":
      return t("Submitted one by one");
  }
}

function stateGroupName(group: StateGroup): string {
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

function dayName(day: number, now: number): string {
  if (day === startOfDay(now)) return t("Today");
  // This also holds for the day before a day of 23 or 25 hours.
  if (day === startOfDay(startOfDay(now) - 1)) return t("Yesterday");
  return formatTime(vscode.env.language, "date", day);
}

function batchName(first: Task | undefined): string {
  return cutLabel(first?.intent.prompt ?? "", 200);
}

function describeBatch(members: readonly Task[], now: number): string {
  const times = createTimes(vscode.env.language, now);
  const at = times.short(members[0]?.intent.createdAt ?? now);
  const running = members.filter(isRunning).length;
  const attention = members.filter(needsAttention).length;
  if (attention > 0) {
    return plural(
      attention,
      { one: "{0} of {1} needs attention · {2}", other: "{0} of {1} need attention · {2}" },
      attention,
      members.length,
      at,
    );
  }
  if (running > 0) return plural(running, { other: "{0} of {1} running · {2}" }, running, members.length, at);
  return plural(members.length, { one: "{0} task · {1}", other: "{0} tasks · {1}" }, members.length, at);
}

/** The look of a task's row as one string. The tooltip is not part of it, because VS Code asks for it when it is shown. */
export function rowSignature(task: Task, context: DrawContext & { readonly isOpen: boolean }): string {
  const row = taskRow(task, context.now, vscode.env.language, context);
  const events = context.isOpen ? acceptedOf(task)?.events : undefined;
  return JSON.stringify([visibleParts(row), acceptedOf(task) !== undefined, events]);
}

/** `isOpen`: its events are shown. */
export function taskItem(task: Task, context: DrawContext & { readonly isOpen: boolean }): ShownRow {
  const { id } = task.intent;
  const row = taskRow(task, context.now, vscode.env.language, context);
  const { label, description, spoken, contextValue, icon, picture, actions } = row;
  const expandable = context.isOpen ? Expanded : Collapsed;
  const state = acceptedOf(task) ? expandable : None;
  const item = createRow({ label, description, spoken, state });
  item.id = id;
  item.contextValue = contextValue;
  item.iconPath = picture === undefined ? themeIcon(icon) : vscode.Uri.file(picture);
  const [command, title] = actions.includes("open-result")
    ? [commands.openResult, t("Open Result")]
    : [commands.openTask, t("Open Task")];
  item.command = { command, title, arguments: [{ kind: "task", id }] };
  return item;
}

function themeIcon({ id, color }: TaskRow["icon"]): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Loads the words for the messages of the local gateway with the first event, because the start needs none of them. */
export async function eventItem(task: string, event: TaskEvent): Promise<ShownRow> {
  const { ownWords } = await import("../../../domain/words/ownWords");
  const { createdAt } = event;
  const at = createdAt === undefined ? "" : ` · ${formatTime(vscode.env.language, "exact", createdAt)}`;
  const state = phaseName(event.state, event.rawStatus);
  const item = createRow({ label: ownWords(event.message) || event.type, description: `${state}${at}` });
  item.id = `${task}:${event.id}`;
  item.iconPath = new vscode.ThemeIcon("circle-small-filled");
  item.contextValue = "event";
  return item;
}

/** The row after the first page. `left`: how many follow it. */
export function moreItem(group: string | undefined, left: number, pageSize: number): ShownRow {
  const count = Math.min(left, pageSize);
  const item = createRow({ label: t("Show {0} more", count), description: left > count ? t("of {0}", left) : "" });
  item.id = `more:${group ?? ""}`;
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.contextValue = "more";
  item.command = {
    command: internalCommands.showMoreTasks,
    title: t("Show More"),
    arguments: [{ kind: "more", group }],
  };
  return item;
}

/** The first row, while tasks are hidden. A click shows them again. */
export function hiddenItem(choices: TaskViewChoices, shown: number, hidden: number): ShownRow {
  const isFiltered = isFiltering(choices.filter);
  const item = isFiltered
    ? createRow({ label: t("{0} of {1} shown", shown, shown + hidden), description: t("Show All") })
    : createRow({
        label: plural(hidden, { one: "1 finished task is hidden", other: "{0} finished tasks are hidden" }),
        description: t("Show"),
      });
  item.id = "hidden";
  item.iconPath = new vscode.ThemeIcon(isFiltered ? "filter-filled" : "eye-closed");
  item.contextValue = isFiltered ? "filtered" : "hidden";
  const title = isFiltered ? t("Clear Filter") : t("Show Finished Tasks");
  item.command = { command: internalCommands.showHiddenTasks, title };
  return item;
}

/** The words next to the view's title: the gateway of a new task, the grouping where it is not by state, and what is hidden. */
export function treeDescription({ grouping, hidesFinished, filter }: TaskViewChoices, gateway: string): string {
  const words = {
    state: "",
    type: t("by type"),
    day: t("by day"),
    batch: t("by batch"),
  }[grouping];
  return [gateway, words, hidesFinished ? t("finished hidden") : "", isFiltering(filter) ? describeFilter(filter) : ""]
    .filter((word) => word !== "")
    .join(" · ");
}

/** Plain text: Markdown would turn the prompt, the gateway's text and bare addresses into links. */
export function tooltipOf(task: Task, context: DrawContext): string {
  const { intent } = task;
  const row = taskRow(task, context.now, vscode.env.language, context);
  const state = isRunning(task) && row.usual !== "" ? `${row.state} ${t("Takes {0}.", row.usual)}` : row.state;
  const price = priceOfTask(task);
  const priced = price && t("{0}.", describePrice(price, vscode.env.language));
  // Text from the gateway is reduced to one line: with line breaks it could imitate the line about the money.
  const lines = [state, [`${row.money}.`, priced].filter(Boolean).join(" "), describeOrigin(task, context)].map(
    (line) => shownLine(line, 600),
  );
  return [shownParagraphs(intent.prompt, maxPromptLength), ...lines].filter((line) => line !== "").join("\n\n");
}

/** The model that was asked for, the one that the gateway named, and how the task came to be. */
function describeOrigin(task: Task, { now, elsewhere }: DrawContext): string {
  const { intent } = task;
  const accepted = acceptedOf(task);
  const used = accepted?.remote.model;
  const seed = accepted?.remote.assets?.kind === "assets" ? accepted.remote.assets.seed : undefined;
  const type = taskTypeName(intent.type);
  return [
    `${type.slice(0, 1).toLocaleUpperCase()}${type.slice(1)}`,
    shownId(intent.model),
    createTimes(vscode.env.language, now).short(intent.createdAt),
    elsewhere ?? "",
    used !== undefined && used !== intent.model ? t("run by {0}", shownId(used)) : "",
    seed === undefined ? "" : t("seed {0}", seed),
    intent.batch === undefined ? "" : t("part of a batch"),
    accepted?.replayed ? t("found by its idempotency key, not made anew") : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** An id unchanged; anything else in quotation marks, because words in its place could be taken for ours. */
function shownId(id = ""): string {
  return /^[\w.:/@+-]{0,200}$/.test(id) ? id : quoteForeign(id, 100);
}
