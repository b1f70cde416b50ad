/** A task as its page shows it: the words are chosen here. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { basename, extname } from "node:path";
import { definedFields } from "../base/definedFields";
import { isRunning, type Task } from "../domain/task";
import type {
  ShownFile,
  StateTone,
  TaskAction,
  TaskPageSnapshot,
  TaskResultView,
  TaskView,
} from "../protocol/taskPageMessages";
import { type LocalResult, resultFile } from "../tasks/resultFile";
import { taskCurl } from "../tasks/taskCurl";
import { taskParameters } from "../tasks/taskParameters";
import { cutLabel, taskRow } from "../tasks/taskRow";
import { createTimes, moneyLine, stateName, stateSentence, taskTypeName, type Times } from "../tasks/taskWords";
import { timelineOf } from "../tasks/timeline";

/** What a page knows beside the task. */
export interface TaskPageContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: string;
  /** The result is being downloaded for this page. */
  readonly isGettingResult: boolean;
  readonly events: TaskView["events"];
  readonly isRawShown: boolean;
  /** How many tasks of its batch are on the list. */
  readonly batchSize: number;
  /** The request as it was sent, once it was read. */
  readonly body: string | undefined;
  readonly find: (id: string) => Task | undefined;
  /** The address by which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
}

/** Characters of raw JSON: a reference picture may be in it. */
const longestRaw = 200_000;
const longestPrompt = 100_000;

export function taskPageSnapshot(subject: string, context: TaskPageContext): TaskPageSnapshot {
  const task = context.find(subject);
  return task === undefined ? { subject } : { subject, task: taskView(task, context) };
}

function taskView(task: Task, context: TaskPageContext): TaskView {
  const { intent } = task;
  const times = createTimes(context.locale, context.now);
  return {
    id: intent.id,
    title: cutLabel(intent.prompt),
    state: { name: stateName(task), tone: toneOf(task), sentence: stateSentence(task, times) },
    facts: headFacts(task, times),
    result: resultOf(task, context),
    prompt: cut(intent.prompt, longestPrompt),
    parameters: taskParameters(context.body),
    money: moneyLine(task, times),
    ids: idFacts(task),
    timeline: timelineOf(task).map(({ id, at, text, state }) => ({
      id,
      at: at === undefined ? "" : times.exact(at),
      text,
      ...definedFields({ state }),
    })),
    events: context.events,
    actions: actionsOf(task, context.body),
    ...definedFields({
      duplicatedFrom: sourceOf(task, context),
      batch: context.batchSize > 1 ? context.batchSize : undefined,
      unknown: task.submission.state === "outcome-unknown" ? unknownMeaning() : undefined,
      raw: context.isRawShown ? rawJson(task, context.body) : undefined,
    }),
  };
}

function unknownMeaning(): string {
  return t(
    "The request may have reached the gateway, and its answer was lost. Reconcile sends the same request with the same idempotency key: a task that exists is found, one that does not exist is created now. Nothing is paid twice.",
  );
}

export function toneOf(task: Task): StateTone {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return "running";
    case "outcome-unknown":
      return "attention";
    case "not-accepted":
      return "failed";
    case "accepted":
      switch (submission.remote.state) {
        case "created":
        case "queued":
        case "unknown":
          return "waiting";
        case "processing":
          return "running";
        case "succeeded":
          return "succeeded";
        case "failed":
          return "failed";
        case "cancelled":
        case "expired":
        case "refunded":
          return "ended";
      }
  }
}

function headFacts({ intent, submission }: Task, times: Times): TaskView["facts"] {
  const finished = submission.state === "accepted" ? submission.remote.completedAt : undefined;
  return [
    { name: t("Type"), value: taskTypeName(intent.type) },
    { name: t("Model"), value: intent.model },
    { name: t("Created"), value: times.short(intent.createdAt) },
    ...(finished === undefined ? [] : [{ name: t("Finished"), value: times.short(finished) }]),
  ];
}

function idFacts({ submission }: Task): TaskView["ids"] {
  if (submission.state !== "accepted") return [];
  const { taskId, holdId, requestId } = submission;
  const ids: readonly (readonly [string, string | undefined])[] = [
    [t("Hold id"), holdId],
    [t("Task id"), taskId],
    [t("Request id"), requestId],
  ];
  return ids.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function resultOf(task: Task, { isGettingResult, urlOf }: TaskPageContext): TaskResultView {
  const { submission } = task;
  if (submission.state !== "accepted" || submission.remote.state !== "succeeded") {
    const isOpen = submission.state !== "not-accepted" && (submission.state !== "accepted" || isRunning(task));
    return isOpen
      ? { state: "none", why: t("The result will be shown here."), isAwaited: true }
      : { state: "none", why: t("There is no result."), isAwaited: false };
  }
  if (isGettingResult) return { state: "loading" };
  const file = resultFile(task);
  return file === undefined ? { state: "remote" } : { state: "here", file: shownFileOf(file, urlOf) };
}

const imageEndings = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".avif", ".bmp"]);
const videoEndings = new Set([".mp4", ".webm", ".mov", ".m4v"]);

export function shownFileOf({ path, thumbnail }: LocalResult, urlOf: (path: string) => string): ShownFile {
  const ending = extname(path).toLowerCase();
  const kind = imageEndings.has(ending) ? "image" : videoEndings.has(ending) ? "video" : undefined;
  const small = definedFields({ thumbnail: thumbnail === undefined ? undefined : urlOf(thumbnail) });
  if (kind !== undefined) return { kind, url: urlOf(path), ...small };
  return { kind: "other", name: basename(path) };
}

function sourceOf({ intent }: Task, { find }: TaskPageContext): TaskView["duplicatedFrom"] {
  const { duplicatedFrom } = intent;
  if (duplicatedFrom === undefined) return undefined;
  const source = find(duplicatedFrom);
  return source
    ? { task: duplicatedFrom, title: cutLabel(source.intent.prompt) }
    : { title: t("a task that is no longer on the list") };
}

export function actionsOf(task: Task, body: string | undefined): TaskAction[] {
  const flags = new Set(taskRow(task, 0, "en").contextValue.split(" "));
  const actions: TaskAction[] = ["duplicate"];
  if (flags.has("reconcilable")) actions.push("reconcile");
  if (flags.has("resendable")) actions.push("send-again");
  if (flags.has("cancelable")) actions.push("cancel");
  if (taskCurl(task, body) !== undefined) actions.push("copy-curl");
  if (flags.has("openable")) {
    actions.push("open-result");
    if (resultFile(task) !== undefined) actions.push("open-externally");
    actions.push("save-into-workspace", "insert-link", "copy-path");
  }
  return actions;
}

/** The task as it is stored, with the request that was sent. */
function rawJson({ intent, submission }: Task, body: string | undefined): string {
  return cut(JSON.stringify({ intent: { ...intent, body }, submission }, undefined, 2), longestRaw);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…`;
}
