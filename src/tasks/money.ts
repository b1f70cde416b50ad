/** Derives what is known of a task's money, by evidence only (T10): no amount and no hold is claimed that nothing has shown. */
import { definedFields } from "../base/definedFields";
import { type AcceptedSubmission, isFinal, type Task, type TaskEvent, type TaskState } from "../domain/task/task";
import type { TimeSlices } from "../base/async/timeSlices";
import { type Price, sumsOfPrices } from "../domain/prices/priceList";
import type { TokenUsage } from "../domain/prices/tokenDays";
import type { MoneyGroup } from "../domain/task/moneyGroup";
import { acceptedOf, isOver } from "../domain/task/phase";
import { homeMark, isFreeTask } from "../domain/task/sameHome";
import type { SpentSince } from "../gateway/balances";
import { type BillFinding, findingLifetime, leastInRow, maxEvidence } from "../gateway/bills";

/** The source of the evidence: the response to the create request, an event of the task, or a read of it. */
export type MoneyEvidence = "response" | "event" | "read";

export interface MoneyStep {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: MoneyEvidence;
}

export type HoldState =
  /** Nothing was sent, or the service refused it. */
  | "none"
  /** A request may have made a hold: its outcome is not known yet. */
  | "not-known"
  /** There is a task, and the service named no hold. */
  | "not-named"
  | "open"
  | "settled"
  | "released"
  /** The task has ended without success; nothing has shown yet that the hold was released. */
  | "release-not-seen"
  /** The task's state can't be read. */
  | "unclear";

interface TaskMoney {
  readonly hold: HoldState;
  readonly holdId?: string;
  readonly opened?: MoneyStep;
  /** Settled or released. */
  readonly ended?: MoneyStep;
  /** The number of further holds or tasks that the service made for the same key. */
  readonly others: number;
  /** The service made the task when it was reconciled: the first request may have made another one. */
  readonly mayHaveTwin: boolean;
}

const nothing = { others: 0, mayHaveTwin: false } as const;

export function moneyOf({ intent, submission }: Task): TaskMoney {
  switch (submission.state) {
    case "prepared":
    case "not-accepted":
      return { hold: "none", ...nothing };
    case "sending":
    case "outcome-unknown":
      return { hold: "not-known", ...nothing };
    case "accepted": {
      const { holdId, others = [] } = submission;
      const opened = openedBy(submission);
      const mayHaveTwin = wasMadeByReconcile(submission, intent.createdAt);
      const facts = { others: others.length, mayHaveTwin, ...definedFields({ holdId, opened }) };
      if (!opened) return { hold: "not-named", ...facts };
      const ended = endedBy(submission);
      return { hold: holdState(submission.remote.state, ended), ...facts, ...definedFields({ ended }) };
    }
  }
}

/** The end in milliseconds since 1970, by the service's clock where it names the time. */
export function endedAt({ remote, checkedAt }: AcceptedSubmission): number | undefined {
  return isFinal(remote.state) ? (remote.completedAt ?? checkedAt) : undefined;
}

/**
 * The cost that the gateway states, else the price by the gateway's list or the person's when the task was submitted. A task of the local gateway has
 * none: what that states is play money.
 */
export function priceOfTask(task: Task): Price | undefined {
  if (isFreeTask(task)) return undefined;
  return acceptedOf(task)?.remote.cost ?? task.intent.price;
}

/** Whether the task has ended without success, and no event or read has shown yet that its hold was released. */
export function isReleaseNotSeen(task: Task | undefined): boolean {
  return task !== undefined && moneyOf(task).hold === "release-not-seen";
}

function holdState(state: TaskState, ended: MoneyStep | undefined): HoldState {
  switch (state) {
    case "succeeded":
      return "settled";
    case "refunded":
      return "released";
    case "failed":
    case "cancelled":
    case "expired":
      return ended ? "released" : "release-not-seen";
    case "created":
    case "queued":
    case "processing":
      return "open";
    case "unknown":
      return "unclear";
  }
}

function openedBy({ holdId, at, events = [] }: AcceptedSubmission): MoneyStep | undefined {
  if (holdId !== undefined) return { at, by: "response" };
  const created = events.find(({ type }) => type === "created");
  return created && { at: created.createdAt ?? at, by: "event" };
}

/**
 * The evidence for the end of the hold. By the gateway's documentation a success settles it and state 8 (refunded) releases it. Any other end
 * releases it too, which counts only once an event shows it; events do not count before the task has ended.
 */
function endedBy(submission: AcceptedSubmission): MoneyStep | undefined {
  const { remote, events = [], checkedAt } = submission;
  if (remote.state === "succeeded" || remote.state === "refunded")
    return { at: remote.completedAt ?? checkedAt, by: "read" };
  const release = isFinal(remote.state) ? events.findLast(showsRelease) : undefined;
  return release && { at: release.createdAt ?? checkedAt, by: "event" };
}

/** Types of events that mean a release, in lower case with `_` between words; the gateway's documentation lists none. */
const releaseTypes: ReadonlySet<string> = new Set(["released", "refunded", "hold_released", "hold_refunded"]);

/** Compares the whole type: a search for a word would take `hold_release_failed` for a release. */
function showsRelease({ type, state }: TaskEvent): boolean {
  return state === "refunded" || releaseTypes.has(wordOfType(type));
}

function wordOfType(type: string): string {
  return type.toLowerCase().replaceAll(/[^a-z]+/g, "_");
}

// Finds charges for tasks that brought no result (T18).

/** Types of events that mean that a hold was taken. */
const chargeTypes: ReadonlySet<string> = new Set(
  ["settled", "charged", "captured"].flatMap((type) => [type, `hold_${type}`]),
);

/**
 * A finding for each gateway at which three tasks in a row ended without success and were charged all the same, with the charges that it lists as
 * events or states as cost. A task of which neither a release nor a charge is known is not counted.
 */
export async function chargesWithoutResult(
  tasks: Iterable<Task>,
  now: number,
  slices: TimeSlices,
): Promise<readonly BillFinding[]> {
  const ended: TaskCharge[] = [];
  let read = 0;
  for (const task of tasks) {
    if ((read += 1) % 500 === 0 && slices.isSpent) await slices.next();
    const charge = chargeOf(task);
    if (charge !== undefined && charge.at >= now - findingLifetime) ended.push(charge);
  }
  const byOrigin = Map.groupBy(ended, ({ origin }) => origin);
  return [...byOrigin].flatMap(([origin, all]): readonly BillFinding[] => {
    const inOrder = all.toSorted((one, other) => one.at - other.at);
    let inRow = 0;
    const isFound = inOrder.some(({ charge }) => (inRow = charge === undefined ? 0 : inRow + 1) >= leastInRow);
    if (!isFound) return [];
    const charged = inOrder.filter(({ charge }) => charge !== undefined);
    const rows = charged.slice(-maxEvidence).map(({ at, id, charge = "", state }) => {
      return { at, id, stated: charge, bound: state };
    });
    return [{ check: "charge", origin, model: "", judged: all.length, out: charged.length, rows }];
  });
}

interface TaskCharge {
  readonly origin: string;
  readonly at: number;
  readonly id: string;
  readonly state: TaskState;
  /** Missing where it was released. */
  readonly charge: string | undefined;
}

function chargeOf(task: Task): TaskCharge | undefined {
  const accepted = acceptedOf(task);
  if (accepted === undefined || isFreeTask(task)) return undefined;
  const { remote, events = [], taskId: id, checkedAt } = accepted;
  const { state, cost } = remote;
  if (state !== "failed" && state !== "cancelled" && state !== "expired") return undefined;
  const at = endedAt(accepted) ?? checkedAt;
  const base = { origin: task.intent.home.origin, at, id, state };
  if (events.some(showsRelease)) return { ...base, charge: undefined };
  const event = events.find(({ type }) => chargeTypes.has(wordOfType(type)));
  if (event !== undefined) return { ...base, charge: event.type };
  return cost !== undefined && cost.amount > 0 ? { ...base, charge: `${cost.amount} ${cost.currency}` } : undefined;
}

/**
 * Whether the time of the task's creation is closer to the Reconcile than to the first request. Only the distances are compared, because the clocks
 * may differ.
 */
function wasMadeByReconcile({ lostAt, replayed, at, remote }: AcceptedSubmission, intendedAt: number): boolean {
  if (lostAt === undefined || replayed === true || remote.createdAt === undefined) return false;
  return Math.abs(remote.createdAt - at) < Math.abs(remote.createdAt - intendedAt);
}

/** The sums of the prices; empty where none is known. Free tasks are left out: their missing price makes no sum a lower bound. */
export function pricesOfTasks(tasks: readonly Task[]): readonly Price[] {
  return sumsOfPrices(tasks.filter((task) => !isFreeTask(task)).map(priceOfTask));
}

/** The state of the money for a model, in English and without an amount. */
export function moneyForModel(task: Task): string {
  if (isFreeTask(task)) return "the task is free: the local gateway takes play money only";
  const { hold, holdId } = moneyOf(task);
  const named = holdId === undefined ? "the hold" : `the hold ${JSON.stringify(holdId)}`;
  switch (hold) {
    case "none":
      return "there is no hold, nothing is charged";
    case "not-known":
      return "not known";
    case "not-named":
      return "the gateway named no hold";
    case "open":
      return `${named} is open`;
    case "settled":
      return `${named} was settled: the task is charged`;
    case "released":
      return `${named} was released: the task is not charged`;
    case "release-not-seen":
      return `${named} was not seen released yet`;
    case "unclear":
      return `${named} is open or ended: not known`;
  }
}

// Compares what a gateway has counted as spent with the amounts of the chats and tasks here (T18).

export interface UnseenSpending {
  readonly since: number;
  /** What the gateway has counted since then. */
  readonly total: Pick<Price, "amount" | "currency">;
  /** The amounts of chats and tasks here, by source. They are lower bounds where answers or tasks have no amount in this currency. */
  readonly seen: readonly Price[];
  /** The part of the total that no chat or task here has. */
  readonly rest: number;
}

/** Milliseconds: what began shortly before the first total may have been counted after it, because gateways add up with a delay. */
const countingDelay = 60 * 60_000;
/** A smaller part of the total is rounding. */
const leastRest = 0.01;

/** The moment from which on answers and tasks may be in the total. */
export function spendingBegan({ since }: SpentSince): number {
  return since - countingDelay;
}

/**
 * `usages` are those since `spendingBegan`, of all gateways, because chats do not store which one answered: so the rest may be larger than this, and
 * nobody is accused wrongly. `undefined` where the amounts here come to the total, and while a task of the gateway is not over: some gateways count a
 * task when it is made, and its amount is known at its end.
 */
export async function unseenSpending(
  spent: SpentSince,
  tasks: Iterable<Task>,
  usages: readonly Pick<TokenUsage, "cost" | "isFree">[],
  slices: TimeSlices,
): Promise<UnseenSpending | undefined> {
  const { since, home, amount, currency } = spent;
  const began = spendingBegan(spent);
  const rows: (Price | undefined)[] = usages.flatMap(({ cost, isFree }) => (isFree ? [] : [cost]));
  let read = 0;
  for (const task of tasks) {
    if ((read += 1) % 500 === 0 && slices.isSpent) await slices.next();
    if (homeMark(task.intent.home) !== homeMark(home)) continue;
    const accepted = acceptedOf(task);
    if (!isOver(task) && (accepted?.at ?? task.intent.createdAt) >= began) return undefined;
    const ended = accepted && endedAt(accepted);
    if (accepted === undefined || ended === undefined || ended < began) continue;
    if (accepted.remote.cost !== undefined) rows.push(accepted.remote.cost);
    else if (accepted.remote.state === "succeeded") rows.push(task.intent.price);
    // The gateway may have charged for it, and has not stated how much.
    else if (moneyOf(task).hold !== "released") rows.push(undefined);
  }
  // An amount in another currency can't be compared, so it is like one that is not known.
  const seen = sumsOfPrices(rows.map((price) => (price?.currency === currency ? price : undefined)));
  const rest = amount - seen.reduce((sum, price) => sum + price.amount, 0);
  return rest > leastRest * amount ? { since, total: { amount, currency }, seen, rest } : undefined;
}

// Groups all tasks by what is known of their money (T10). It works in time slices, because there may be 100,000 tasks.

export interface TasksByMoney {
  /** The tasks of each group, the newest first; a group without tasks is missing. */
  readonly groups: ReadonlyMap<MoneyGroup, readonly Task[]>;
  /** The number of tasks for which the gateway has named each hold. */
  readonly holds: ReadonlyMap<string, number>;
  readonly count: number;
}

/** `tasks`: the oldest first; they must not change their order meanwhile. */
export async function groupByMoney(tasks: readonly Task[], slices: TimeSlices): Promise<TasksByMoney> {
  const groups = new Map<MoneyGroup, Task[]>();
  const holds = new Map<string, number>();
  let read = 0;
  for (const task of tasks.toReversed()) {
    const group = moneyGroupOf(task);
    const listed = groups.get(group);
    if (listed) listed.push(task);
    else groups.set(group, [task]);
    const hold = holdOf(task);
    if (hold !== undefined) holds.set(hold, (holds.get(hold) ?? 0) + 1);
    if ((read += 1) % 500 === 0 && slices.isSpent) await slices.next();
  }
  return { groups, holds, count: tasks.length };
}

/** The group of the task on the Money page. */
export function moneyGroupOf(task: Task): MoneyGroup {
  return isFreeTask(task) ? "free" : moneyGroup(moneyOf(task));
}

/** A task that may have a second hold is to be checked, whatever became of the first. */
function moneyGroup({ hold, others, mayHaveTwin }: TaskMoney): MoneyGroup {
  if (others > 0 || mayHaveTwin) return "toCheck";
  switch (hold) {
    case "open":
    case "unclear":
      return "reserved";
    case "settled":
      return "charged";
    case "none":
    case "released":
      return "notCharged";
    case "not-known":
    case "release-not-seen":
      return "toCheck";
    case "not-named":
      return "notNamed";
  }
}

/** The number of other tasks for which the gateway has named the hold of this one. */
export function othersWithHold({ holds }: TasksByMoney, task: Task): number {
  const hold = holdOf(task);
  return hold === undefined ? 0 : (holds.get(hold) ?? 1) - 1;
}

/** The tasks whose events may show a release: first those whose events were never read, then the others, each newest first. */
export function releasesNotSeen({ groups }: TasksByMoney): readonly string[] {
  const ended = (groups.get("toCheck") ?? []).filter(isReleaseNotSeen);
  const wasRead = (task: Task): number => (acceptedOf(task)?.events === undefined ? 0 : 1);
  return ended.toSorted((one, other) => wasRead(one) - wasRead(other)).map(({ intent }) => intent.id);
}

/** A key that is unique over all accounts; `undefined` where the gateway named no hold. */
function holdOf(task: Task): string | undefined {
  const { origin, account } = task.intent.home;
  const holdId = acceptedOf(task)?.holdId;
  return holdId === undefined ? undefined : JSON.stringify([origin, account, holdId]);
}
