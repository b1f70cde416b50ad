/**
 * The status of polling as a whole. The window that polls knows it from its own requests. The others read it from the note that this window leaves.
 */
import * as z from "zod/mini";
import type { MonotonicClock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type ReadonlyStore, Store } from "../../base/store";
import type { AppError } from "../../domain/errors/appError";
import { acceptedOf, isAccepted, isWaitingToSend } from "../../domain/task/phase";
import { homeMark } from "../../domain/task/sameHome";
import type { TaskBoard } from "../board/board";
import type { ObservedRecord } from "../board/shownTask";
import type { LiveTasks } from "./liveTasks";
import type { AccountPaces } from "./accountPace";
import type { PollLeaseKeeper } from "./pollLeaseKeeper";
import { appErrorSchema } from "../../domain/errors/appErrorSchema";

/** Times in milliseconds since 1970. */
export interface PollerStatus {
  /** A service asked for a pause: the time at which the last such pause ends. */
  readonly pausedUntil?: number;
  /** The time since which no read of a task on the list has succeeded. */
  readonly offlineSince?: number;
  /** The key is missing or refused: nothing is read until one is set. */
  readonly refused?: { readonly since: number; readonly error: AppError };
  /** Each running task was last read at some time; this is the oldest of these times. Set only when it is over a minute ago. */
  readonly oldestRead?: number;
}

interface Checks {
  /** Whether this window reads the tasks, and not another one. */
  readonly isOurs: boolean;
  /** The time at which a read last succeeded, in whichever window; to the second. */
  readonly checkedAt?: number;
}

interface PollingStatusOptions {
  readonly board: TaskBoard;
  readonly paces: AccountPaces;
  readonly clock: MonotonicClock;
  readonly tasks: LiveTasks;
  readonly turn: PollLeaseKeeper;
}

/** Milliseconds after which the oldest read is shown. */
const longAgo = 60_000;
/** Milliseconds. A time that differs by less is not published again. */
const smallestShift = 1000;

export class PollingStatus {
  readonly #options: PollingStatusOptions;
  readonly #current = new Store<PollerStatus>({});
  readonly #checks = new Store<Checks>({ isOurs: false });
  #checkedAt: number | undefined;
  #oldestRead: number | undefined;
  /** The failure that the rows of an account show, by account. */
  readonly #shown = new Map<string, AccountNote["failure"]>();

  constructor(options: PollingStatusOptions) {
    this.#options = options;
  }

  get current(): ReadonlyStore<PollerStatus> {
    return this.#current;
  }

  get checks(): ReadonlyStore<Checks> {
    return this.#checks;
  }

  /** Notes that a read has succeeded. */
  checked(): void {
    this.#checkedAt = this.#options.clock.now();
  }

  /** Writes the note for the other windows. It is called with each step of the lease: every 3 s in the window that polls, every second in others. */
  note(): string {
    // While another window polls, the value is the one from its note.
    if (this.#options.turn.state.current !== "others") this.#oldestRead = this.#findOldestRead();
    const accounts = this.#accounts();
    return writePollNote({
      accounts: accounts.filter(({ pause, failure }) => pause ?? failure),
      ...definedFields({ checkedAt: this.#checkedAt, oldestRead: this.#oldestRead }),
    });
  }

  /** Takes over the note of the window that polls. `isOurs`: that is this one, now or before it was reloaded, so only the pauses are taken over. */
  follow(note: PollNote, isOurs: boolean): void {
    const { clock, paces } = this.#options;
    for (const { account, pause } of note.accounts)
      if (pause) paces.named(account).resumePause({ left: pause.until - clock.now(), length: pause.length });
    if (isOurs) return;
    this.#checkedAt = note.checkedAt;
    this.#oldestRead = note.oldestRead;
    this.#show(note.accounts);
  }

  /** Called in each turn of the loop. */
  update(): void {
    const { turn, tasks } = this.#options;
    // A window without tasks may take no part in the lease, and then no note reaches it.
    if (turn.state.current !== "others" || tasks.size === 0) this.#show(this.#accounts());
  }

  #show(accounts: readonly AccountNote[]): void {
    const { board, turn, tasks, clock, paces } = this.#options;
    const live = new Set([...tasks].map(({ pace }) => pace));
    const shown = accounts.filter(({ account }) => live.has(paces.named(account)));
    // Tasks that were cleared are still read, but have no row that could be out of date.
    const listed = new Set([...tasks].flatMap(({ id, pace }) => (board.listed.has(id) ? pace : [])));
    for (const { account, failure } of accounts) this.#showFailure(account, failure);
    for (const account of [...this.#shown.keys()])
      if (!accounts.some((known) => known.account === account)) this.#showFailure(account, undefined);
    const now = clock.now();
    // The value was found for the last note. The last running task may have ended since.
    const oldestRead = [...tasks].some(({ isRecheck }) => !isRecheck) ? this.#oldestRead : undefined;
    const failures = shown.flatMap(({ failure }) => failure ?? []);
    const pauses = accounts.filter((one) => one.pause && (shown.includes(one) || this.#hasWaiting(one.account)));
    const refused = failures.find(({ error }) => isRefusal(error));
    const unreached = shown.flatMap(({ account, failure }) =>
      failure && !isRefusal(failure.error) && listed.has(paces.named(account)) ? failure.since : [],
    );
    this.#set({
      pausedUntil: latest(pauses.flatMap(({ pause }) => (pause && pause.until > now ? pause.until : []))),
      offlineSince: earliest(unreached),
      refused,
      oldestRead: oldestRead !== undefined && now - oldestRead > longAgo ? oldestRead : undefined,
    });
    const checks = { isOurs: turn.isOurs, ...definedFields({ checkedAt: this.#checkedAt }) };
    const { current } = this.#checks;
    const isLater = Math.abs((checks.checkedAt ?? 0) - (current.checkedAt ?? 0)) >= smallestShift;
    if (checks.isOurs !== current.isOurs || isLater) this.#checks.set(checks);
  }

  /** Whether a task waits to be sent until the pause of its account is over. Looks at every task, but only while there is a pause. */
  #hasWaiting(account: string): boolean {
    const { listed: tasks } = this.#options.board;
    return [...tasks.values()].some((task) => isWaitingToSend(task) && homeMark(task.intent.home) === account);
  }

  #accounts(): AccountNote[] {
    const now = this.#options.clock.now();
    return [...this.#options.paces.all].map(([account, { pause, failure }]) => ({
      account,
      ...(pause ? { pause: { until: now + pause.left, length: pause.length } } : {}),
      ...definedFields({ failure }),
    }));
  }

  /** A gateway that is down, or a key that is refused, makes every row of the account stale, not only those that were tried. */
  #showFailure(account: string, failure: AccountNote["failure"]): void {
    const { board, tasks, turn } = this.#options;
    const before = this.#shown.get(account);
    if (before?.since === failure?.since && before?.error.kind === failure?.error.kind) return;
    if (failure) this.#shown.set(account, failure);
    else this.#shown.delete(account);
    const records: ObservedRecord[] = [];
    for (const { id, isRecheck } of tasks) {
      const task = board.listed.get(id);
      if (isRecheck || !isAccepted(task) || homeMark(task.intent.home) !== account) continue;
      if (failure) records.push({ type: "task-read-failed", id, at: failure.since, error: failure.error });
      // The next read clears the failure of a row in the window that polls. The others have only the note, which says that a read has succeeded.
      else if (turn.state.current === "others" && this.#checkedAt !== undefined)
        records.push({ type: "task-read", id, at: this.#checkedAt, remote: task.submission.remote });
    }
    board.applyTransient(...records);
  }

  #findOldestRead(): number | undefined {
    const { board, tasks } = this.#options;
    let oldest: number | undefined;
    for (const { id, isRecheck } of tasks) {
      const accepted = acceptedOf(board.listed.get(id));
      if (isRecheck || accepted === undefined) continue;
      if (oldest === undefined || accepted.checkedAt < oldest) oldest = accepted.checkedAt;
    }
    return oldest;
  }

  #set(status: { readonly [K in keyof PollerStatus]: PollerStatus[K] | undefined }): void {
    const { current } = this.#current;
    const { pausedUntil } = current;
    // The end of a pause is counted from the monotonic clock and differs by milliseconds each time.
    const isSamePause = pausedUntil !== undefined && Math.abs((status.pausedUntil ?? 0) - pausedUntil) < smallestShift;
    const next: PollerStatus = definedFields({ ...status, ...(isSamePause ? { pausedUntil } : {}) });
    if (JSON.stringify(next) !== JSON.stringify(current)) this.#current.set(next);
  }
}

function isRefusal({ kind }: AppError): boolean {
  return kind === "signed-out" || kind === "unauthorized";
}

function latest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.max(...times);
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

// The note holds pauses, failures and the time of the last check, for the other windows and for the one that polls next.

const moment = z.number();

const pollNoteSchema = z.object({
  /** The time at which a read last succeeded; milliseconds since 1970, like all times here. */
  checkedAt: z.exactOptional(moment),
  /** The oldest of the times at which the running tasks were last read. */
  oldestRead: z.exactOptional(moment),
  accounts: z.array(
    z.object({
      account: z.string(),
      pause: z.exactOptional(z.object({ until: moment, length: z.number() })),
      failure: z.exactOptional(z.object({ since: moment, error: appErrorSchema })),
    }),
  ),
});

export type PollNote = z.infer<typeof pollNoteSchema>;
type AccountNote = PollNote["accounts"][number];

export function writePollNote(note: PollNote): string {
  return JSON.stringify(note);
}

/** `undefined` where there is no note, or one that can't be read, such as that of a later version. */
export function readPollNote(text: string | undefined): PollNote | undefined {
  if (text === undefined) return undefined;
  try {
    const read = pollNoteSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
