/** *Copy…*: copies the prompt, the id or the addresses of the chosen tasks, or the message of an event. *Copy Path* is in `resultCommands`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAccepted } from "../../../domain/task/phase";
import { resultAddresses, resultUrlOf } from "../../../domain/task/resultAssets";
import type { Task } from "../../../domain/task/task";
import type { TaskBoard } from "../../board/board";
import { hasResult } from "../../results/resultFile";
import type { TaskElement } from "../../view/taskGroups";
import { notifyInformation } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import type { TaskTree } from "../tree/taskTree";
import { chooseOne } from "../moreActions";

/** Copies from all chosen tasks at once. */
export async function copyOther(
  board: TaskBoard,
  tree: Pick<TaskTree, "chosenIds">,
  args: readonly unknown[],
): Promise<void> {
  const messages = messagesOf(args);
  if (messages.length > 0) {
    await vscode.env.clipboard.writeText(messages.join("\n"));
    return;
  }
  const tasks = tree.chosenIds(args).flatMap((id) => board.all.get(id) ?? []);
  const [first] = tasks;
  if (first === undefined) return;
  const choices = [
    { label: t("Copy Prompt"), value: "copy-prompt" as const },
    ...(tasks.some(isAccepted) ? [{ label: t("Copy Task Id"), value: "copy-id" as const }] : []),
    ...(tasks.some(hasResult) ? [{ label: t("Copy Result URL"), value: "copy-url" as const }] : []),
  ];
  switch (await chooseOne(first, t("What should be copied?"), choices, args[2])) {
    case undefined:
      return;
    case "copy-prompt":
      await copy(tasks.map(({ intent }) => intent.prompt).join("\n\n"));
      return;
    case "copy-id":
      await copy(tasks.flatMap(idOf).join("\n"));
      return;
    case "copy-url": {
      const urls = tasks.flatMap(urlsOf);
      if (urls.length > 0) await copy(urls.join("\n"));
      else void notifyInformation(t("The gateway has named no address of this result."));
    }
  }
}

async function copy(text: string): Promise<void> {
  if (text !== "") await vscode.env.clipboard.writeText(text);
}

/** The gateway chose the id: a line break in it would make a terminal run what is pasted. */
function idOf(task: Task): readonly string[] {
  return isAccepted(task) ? [shownLine(task.submission.taskId, 500)] : [];
}

/** All addresses, because a task may have several results. */
function urlsOf(task: Task): readonly string[] {
  if (!hasResult(task)) return [];
  const { remote } = task.submission;
  const { assets } = remote;
  const { type, home } = task.intent;
  const url = assets?.kind === "assets" ? resultUrlOf(assets, type) : undefined;
  // A line break in it would make a terminal run what is pasted.
  const data = url !== undefined && /^data:/i.test(url) ? [url.replaceAll(/\s/g, "")] : [];
  return [...data, ...resultAddresses(remote, type, home).map((one) => shownLine(one, 8000))];
}

/** The messages of the chosen events. They come from the gateway: a line break in one would make a terminal run what is pasted. */
function messagesOf([clicked, selected]: readonly unknown[]): readonly string[] {
  const elements = Array.isArray(selected) && selected.length > 0 ? (selected as readonly unknown[]) : [clicked];
  return elements.flatMap((element) => {
    if (!isEvent(element)) return [];
    const { message, type } = element.event;
    return [shownLine(message || type, 2000)];
  });
}

function isEvent(element: unknown): element is Extract<TaskElement, { readonly kind: "event" }> {
  return typeof element === "object" && element !== null && "kind" in element && element.kind === "event";
}
