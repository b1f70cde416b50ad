/** A task as its page shows it, with its history: the words are chosen here. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { formatDuration, createTimes, type Times } from "../../../domain/words/timeFormats";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { timeToResult } from "../../usualTimes";
import { shownFileOf, toneOf } from "../../view/pageFacts";
import { definedFields } from "../../../base/definedFields";
import { mediaKindOf } from "../../../domain/task/taskTypes";
import { acceptedOf, isAccepted, isOver, phaseOf } from "../../../domain/task/phase";
import { resultAddresses } from "../../../domain/task/resultAssets";
import type { Task, CancelProgress } from "../../../domain/task/task";
import { isPageAction, type PageAction } from "../../../domain/task/taskActions";
import type { LineageNode, TaskPageSnapshot, TaskResultView, TaskView } from "../../contract/taskPageContract";
import { hasResult, resultFile } from "../../results/resultFile";
import { taskCurl, taskParameters } from "../../submit/requestBody";
import { actionsOf } from "../../view/taskActions";
import { originWords } from "../../../domain/words/gatewayWords";
import { describePrice } from "../../../domain/words/describePrice";
import { priceOfTask } from "../../money";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import {
  moneyLine,
  moneySentence,
  moneyWord,
  phaseName,
  resultSentence,
  stateName,
  stateSentence,
} from "../../view/taskWords";
import { describeError } from "../../../domain/words/describeError";
import { ownWords } from "../../../domain/words/ownWords";

/** The facts that a page needs in addition to the task. */
export interface TaskPageContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: string;
  /** The result is being downloaded for this page. */
  readonly isGettingResult: boolean;
  readonly events: TaskView["events"];
  readonly isRawShown: boolean;
  /** The file as which the result was saved is gone. */
  readonly isSavedGone: boolean;
  /** How many tasks its batch has. */
  readonly batchSize: number;
  /** The request as it was sent, once it was read. */
  readonly body: string | undefined;
  readonly find: (id: string) => Task | undefined;
  /** The tasks that were made from it, the oldest first. */
  readonly ledTo: readonly Task[];
  /** The address by which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
  /** The folder in the settings; `undefined` where no folder is open. */
  readonly saveFolder: string | undefined;
  /** The name under which a file is shown, by its URI. */
  readonly nameOf: (file: string) => string;
}

/** Characters of raw JSON, which may contain a reference picture. */
const maxRawLength = 200_000;
const maxPromptLength = 100_000;
/** The most tasks made from this one that are shown; the newest are kept. */
const maxFollowers = 12;

export function taskPageSnapshot(subject: string, context: TaskPageContext): TaskPageSnapshot {
  const task = context.find(subject);
  return task === undefined ? { subject } : { subject, task: taskView(task, context) };
}

function taskView(task: Task, context: TaskPageContext): TaskView {
  const { intent } = task;
  const times = createTimes(context.locale, context.now);
  return {
    id: intent.id,
    gateway: originWords(intent.home.origin),
    title: cutLabel(intent.prompt),
    state: { name: stateName(task), tone: toneOf(task), sentence: outcomeSentence(task, times, context.locale) },
    facts: headFacts(task, times, context.locale),
    result: resultOf(task, context),
    prompt: cut(intent.prompt, maxPromptLength),
    parameters: taskParameters(context.body),
    details: [{ name: t("Money"), value: moneyLine(task, times) }, ...idFacts(task)],
    timeline: timelineOf(task).map(({ id, at, text, state }) => ({
      id,
      at: at === undefined ? "" : times.exact(at),
      text,
      ...definedFields({ state }),
    })),
    events: context.events,
    actions: pageActionsOf(task, context),
    ...definedFields({
      saveFolder: context.saveFolder,
      addresses: addressesOf(task),
      savedAs: savedFile(task, context),
      duplicatedFrom: sourceOf(task, context),
      ledTo: followersOf(context),
      batch: context.batchSize > 1 ? context.batchSize : undefined,
      unknown: phaseOf(task) === "outcome-unknown" ? unknownMeaning() : undefined,
      raw: context.isRawShown ? rawJson(task, context.body) : undefined,
    }),
  };
}

/** The addresses of a result that could not be fetched, and of further results, which are never fetched. */
export function addressesOf(task: Task): readonly string[] | undefined {
  if (!hasResult(task)) return undefined;
  const { remote } = task.submission;
  const all = resultAddresses(remote, task.intent.type, task.intent.home);
  const isMissing = resultFile(task) === undefined && task.submission.fetchFailure !== undefined;
  const [own] = resultAddresses({ ...remote, more: [] }, task.intent.type, task.intent.home);
  const left = isMissing ? all : all.filter((address) => address !== own);
  return left.length === 0 ? undefined : left;
}

function savedFile(task: Task, { nameOf, isSavedGone }: TaskPageContext): string | undefined {
  const placement = acceptedOf(task)?.placement;
  return placement?.state === "placed" && !isSavedGone ? nameOf(placement.file) : undefined;
}

function unknownMeaning(): string {
  return t(
    "The request may have reached the gateway, and its answer was lost. Asking again sends the same request with the same idempotency key: a task that exists is found, one that does not exist is created now. Nothing is paid twice.",
  );
}

function headFacts(task: Task, times: Times, locale: string): TaskView["facts"] {
  const { intent } = task;
  const finished = acceptedOf(task)?.remote.completedAt;
  const price = priceOfTask(task);
  return [
    { name: t("Type"), value: taskTypeName(intent.type) },
    { name: t("Model"), value: intent.model },
    { name: t("Created"), value: times.short(intent.createdAt) },
    ...(finished === undefined ? [] : [{ name: t("Finished"), value: times.short(finished) }]),
    ...(price === undefined ? [] : [{ name: t("Price"), value: describePrice(price, locale) }]),
  ];
}

function idFacts(task: Task): TaskView["details"] {
  if (!isAccepted(task)) return [];
  const { taskId, holdId, requestId } = task.submission;
  const ids: readonly (readonly [string, string | undefined])[] = [
    [t("Hold id"), holdId],
    [t("Task id"), taskId],
    [t("Request id"), requestId],
  ];
  return ids.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function resultOf(task: Task, { isGettingResult, urlOf }: TaskPageContext): TaskResultView {
  if (!hasResult(task)) {
    return isOver(task)
      ? { state: "none", why: t("There is no result."), isAwaited: false }
      : { state: "none", why: t("The result will be shown here."), isAwaited: true };
  }
  if (isGettingResult) return { state: "loading" };
  const file = resultFile(task);
  return file === undefined ? { state: "remote" } : { state: "here", file: shownFileOf(file, urlOf) };
}

function sourceOf({ intent }: Task, context: TaskPageContext): LineageNode | undefined {
  const { duplicatedFrom } = intent;
  if (duplicatedFrom === undefined) return undefined;
  const source = context.find(duplicatedFrom);
  return source ? lineageNode(source, context) : { title: t("a task that is no longer on the list") };
}

function followersOf(context: TaskPageContext): readonly LineageNode[] | undefined {
  const batches = new Map<string, { readonly first: Task; count: number }>();
  for (const task of context.ledTo) {
    const key = task.intent.batch ?? task.intent.id;
    const known = batches.get(key);
    if (known) known.count += 1;
    else batches.set(key, { first: task, count: 1 });
  }
  const newest = [...batches.values()].toReversed().slice(0, maxFollowers);
  const nodes = newest.map(({ first, count }) => ({ ...lineageNode(first, context), ...(count > 1 ? { count } : {}) }));
  return nodes.length === 0 ? undefined : nodes;
}

function lineageNode(task: Task, { urlOf }: TaskPageContext): LineageNode {
  const result = resultFile(task);
  const isPicture = result !== undefined && mediaKindOf(result.path) === "image";
  const small = result?.thumbnail ?? (isPicture ? result.path : undefined);
  const picture = small === undefined ? undefined : urlOf(small);
  return { task: task.intent.id, title: cutLabel(task.intent.prompt), ...definedFields({ picture }) };
}

function pageActionsOf(task: Task, { body, isSavedGone }: TaskPageContext): PageAction[] {
  return actionsOf(task, { hasCurl: taskCurl(task, body) !== undefined, isSavedGone }).filter(isPageAction);
}

/** The task as it is stored, with the request that was sent. */
function rawJson({ intent, submission }: Task, body: string | undefined): string {
  return cut(JSON.stringify({ intent: { ...intent, body }, submission }, undefined, 2), maxRawLength);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A sentence such as *Finished in 17 s · charged*; `moneyWord` supplies its last part. */
function outcomeSentence(task: Task, times: Times, locale: string): string {
  const { submission } = task;
  if (submission.state !== "accepted") return stateSentence(task, times);
  const { remote, checkedAt, placement } = submission;
  const money = moneyWord(task);
  switch (remote.state) {
    case "succeeded": {
      const duration = timeToResult(task);
      const end =
        duration === undefined
          ? t("Finished · {0}", money)
          : t("Finished in {0} · {1}", formatDuration(duration, locale), money);
      // The page's button already names the file of a result that was placed.
      const problem = placement?.state === "placed" ? undefined : resultSentence(submission);
      return problem === undefined ? end : `${end}. ${problem}`;
    }
    case "failed": {
      const why = [remote.errorCode, remote.errorMessage].filter(Boolean).join(": ");
      return why === ""
        ? t("The gateway gave no reason · {0}", money)
        : t("The gateway says: {0} · {1}", quoteForeign(why), money);
    }
    case "cancelled":
    case "expired":
    case "refunded":
      return t("{0}.", moneySentence(task, times));
    case "created":
    case "queued":
    case "processing":
      return submission.stale === undefined
        ? t("Read at {0} · {1}", times.short(checkedAt), money)
        : stateSentence(task, times);
    case "unknown":
      return stateSentence(task, times);
  }
}

// Lists the history of a task for its page (T7): the events of the gateway, and what was done here.

interface TimelineEntry {
  readonly id: string;
  /** Milliseconds since 1970; missing where the gateway gave none. */
  readonly at?: number;
  readonly text: string;
  /** The state that an event of the gateway names. */
  readonly state?: string;
}

/** Oldest first. An event without a time stays behind the one that the gateway listed before it. */
function timelineOf(task: Task): readonly TimelineEntry[] {
  const timed: { readonly order: number; readonly entry: TimelineEntry }[] = [];
  let order = -Infinity;
  for (const entry of [...ownEntries(task), ...gatewayEntries(task)]) {
    order = entry.at ?? order;
    timed.push({ order, entry });
  }
  return timed.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order)).map(({ entry }) => entry);
}

function ownEntries({ intent, submission }: Task): TimelineEntry[] {
  const text = intent.isWatched === true ? t("Put on the list here") : t("Submitted here");
  const entries: TimelineEntry[] = [{ id: "own:intended", at: intent.createdAt, text }];
  switch (submission.state) {
    case "prepared":
    case "sending":
      break;
    case "outcome-unknown":
    case "not-accepted":
      entries.push({ id: "own:error", at: submission.at, text: describeError(submission.error, "submit").title });
      if (submission.state === "outcome-unknown" && submission.reconcile?.state === "failed") {
        const { at, error } = submission.reconcile;
        entries.push({ id: "own:reconcile", at, text: describeError(error, "reconcile").title });
      }
      break;
    case "accepted":
      entries.push({ id: "own:accepted", at: submission.at, text: t("Accepted by the gateway") });
      if (submission.cancel) {
        const { at } = submission.cancel;
        entries.push({ id: "own:cancel", at, text: describeCancel(submission.cancel) });
      }
  }
  return entries;
}

function describeCancel({ state, reason }: CancelProgress): string {
  switch (state) {
    case "requested":
      return t("Cancel requested: {0}", reason);
    case "confirmed":
      return t("Cancel confirmed: {0}", reason);
    case "too-late":
      return t("Finished before the cancel arrived: {0}", reason);
    case "refused":
      return t("Cancel refused: {0}", reason);
    case "no-effect":
      return t("Cancel had no effect: {0}", reason);
  }
}

function gatewayEntries(task: Task): TimelineEntry[] {
  return (acceptedOf(task)?.events ?? []).map((event) => ({
    id: event.id,
    text: ownWords(event.message) || event.type,
    state: phaseName(event.state, event.rawStatus),
    ...(event.createdAt === undefined ? {} : { at: event.createdAt }),
  }));
}
