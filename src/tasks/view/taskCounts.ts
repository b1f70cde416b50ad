/**
 * Counts the tasks that run, need attention and have an open hold, for the status bar and the badge; and chooses the message above the rows of the
 * view.
 */
import { t } from "@vscode/l10n";
import type { Clock } from "../../base/clock";
import { Coalescer } from "../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import { acceptedOf, conditionOf, isRunning } from "../../domain/task/phase";
import { isFreeTask } from "../../domain/task/sameHome";
import type { Task } from "../../domain/task/task";
import type { TaskBoard, TaskFileState } from "../board/board";
import { plural } from "../../domain/words/plural";
import { describeUnwritten } from "../../domain/words/describeError";
import { describeReplacedFile, describeUnreadable } from "../../domain/words/describeStorage";
import type { UnwrittenRecords } from "../board/unwrittenRecords";
import type { PollerStatus } from "../polling/pollingStatus";
import { createTimes, type Times } from "../../domain/words/timeFormats";

export interface TaskCounts {
  readonly running: number;
  readonly attention: number;
  /** The open holds of tasks that cost something. */
  readonly holdsOpen: number;
  /** Running tasks that can't be read because the key of their account is missing or refused. */
  readonly withoutKey: number;
}

type Counted = Pick<TaskBoard, "listed" | "onDidChange">;

const redrawDelay = 250;

/** Each task is counted again only when it has changed. */
export function createTaskCounts(board: Counted, clock: Clock): ReadonlyStore<TaskCounts> & Disposable {
  const registrations = new DisposableStore();
  const counted = new Map<string, TaskCounts>();
  const counts = new Store<TaskCounts>(nothing);
  const count = (ids: Iterable<string>): void => {
    let sum = counts.current;
    for (const id of ids) {
      const task = board.listed.get(id);
      const before = counted.get(id) ?? nothing;
      const after = task ? countsOf(task) : nothing;
      // Almost every task has ended and counts for nothing.
      if (isNothing(after)) counted.delete(id);
      else counted.set(id, after);
      sum = add(sum, before, after);
    }
    if (!isEqual(sum, counts.current)) counts.set(sum);
  };
  const changes = registrations.add(new Coalescer<string>({ clock, delay: redrawDelay, flush: count }));
  registrations.add(board.onDidChange((ids) => changes.add(ids)));
  count(board.listed.keys());
  return {
    get current() {
      return counts.current;
    },
    onDidChange: counts.onDidChange,
    dispose: () => registrations.dispose(),
  };
}

const nothing: TaskCounts = { running: 0, attention: 0, holdsOpen: 0, withoutKey: 0 };

function countsOf(task: Task): TaskCounts {
  const runs = isRunning(task);
  const condition = conditionOf(task);
  const accepted = acceptedOf(task);
  const obstacle = accepted?.stale?.error.kind;
  return {
    running: condition === "running" ? 1 : 0,
    attention: condition === "needs-attention" ? 1 : 0,
    holdsOpen: runs && accepted?.holdId !== undefined && !isFreeTask(task) ? 1 : 0,
    withoutKey: runs && (obstacle === "signed-out" || obstacle === "unauthorized") ? 1 : 0,
  };
}

function add(sum: TaskCounts, before: TaskCounts, after: TaskCounts): TaskCounts {
  return {
    running: sum.running - before.running + after.running,
    attention: sum.attention - before.attention + after.attention,
    holdsOpen: sum.holdsOpen - before.holdsOpen + after.holdsOpen,
    withoutKey: sum.withoutKey - before.withoutKey + after.withoutKey,
  };
}

function isNothing(counts: TaskCounts): boolean {
  return isEqual(counts, nothing);
}

function isEqual(one: TaskCounts, other: TaskCounts): boolean {
  return (
    one.running === other.running &&
    one.attention === other.attention &&
    one.holdsOpen === other.holdsOpen &&
    one.withoutKey === other.withoutKey
  );
}

// Chooses the message above the rows: only what concerns all of them, and only the most important of it.

export interface ViewState {
  readonly unwritten: UnwrittenRecords | undefined;
  readonly status: PollerStatus;
  readonly file: Pick<TaskFileState, "unreadable" | "replaced">;
  readonly counts: TaskCounts;
}

/** `undefined` when there is nothing to say. `now` in milliseconds since 1970. */
export function viewMessage(state: ViewState, now: number, locale: string): string | undefined {
  const { unreadable, replaced } = state.file;
  const sentences = [
    mostImportant(state, createTimes(locale, now)),
    replaced && describeReplacedFile(replaced),
    unreadable > 0 ? describeUnreadable(unreadable) : undefined,
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function mostImportant({ unwritten, status, counts }: ViewState, times: Times): string | undefined {
  const { pausedUntil, offlineSince, oldestRead } = status;
  if (unwritten) {
    const { title, meaning } = describeUnwritten(unwritten.accepted, unwritten.error);
    return `${title} ${meaning}`;
  }
  if (counts.withoutKey > 0) {
    return plural(counts.withoutKey, {
      one: "1 running task can't be read: the key of its account is not set or refused.",
      other: "{0} running tasks can't be read: the key of their account is not set or refused.",
    });
  }
  if (pausedUntil !== undefined) return t("Paused by the gateway until {0} (rate limit).", times.short(pausedUntil));
  if (offlineSince !== undefined) {
    return t("Offline since {0}. Rows show the last known state.", times.short(offlineSince));
  }
  if (oldestRead !== undefined) {
    return t("So many tasks run that each is read rarely. One was last read at {0}.", times.short(oldestRead));
  }
  return undefined;
}
