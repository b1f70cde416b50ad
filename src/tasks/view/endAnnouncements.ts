/**
 * Finds the batches that have ended while this window was open, and decides what is notified of them (T11): once, in one window, and only while the
 * Tasks view is hidden.
 */
import { t } from "@vscode/l10n";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { joinWords } from "../../domain/words/joinWords";
import { cutLabel } from "../../domain/words/label";
import { plural } from "../../domain/words/plural";
import type { Attention, Log } from "../../domain/ports";
import { acceptedOf, phaseOf, type TaskPhase, conditionOf, isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { Emitter, type Event } from "../../base/event";

/** `attention`: only of batches in which a task failed or expired. */
export type NotificationLevel = "all" | "attention" | "none";

export interface AnnouncementOptions {
  readonly board: TaskBoard;
  readonly attention: Attention;
  readonly clock: Clock;
  readonly log: Log;
  readonly level: () => NotificationLevel;
  /** Whether the person can see the Tasks view of this window. */
  readonly isViewVisible: () => boolean;
  /** `first`: the task to show, a failed one where there is one. */
  readonly notify: (message: string, first: string) => void;
}

/** Milliseconds in which everything that ends shares one notification. */
const gathering = 1500;

/** Milliseconds. A batch that ended longer ago was found after a reload or a sleep, and only its rows show it. */
const oldest = 5 * 60_000;

interface GatheredBatch {
  readonly ids: readonly string[];
  /** The view showed the end. */
  readonly isSeen: boolean;
}

export class Announcements implements Disposable {
  readonly #options: AnnouncementOptions;
  readonly #registrations = new DisposableStore();
  readonly #ended = new AbortController();
  #gathered: GatheredBatch[] = [];
  #isGathering = false;
  #unfocusedSince: number;

  constructor(options: AnnouncementOptions) {
    this.#options = options;
    const { board, attention, clock } = options;
    this.#unfocusedSince = clock.now();
    const batches = this.#registrations.add(new FinishedBatches(board));
    this.#registrations.add(batches.onDidFinish((ids) => this.#gather(ids)));
    this.#registrations.add(
      attention.onDidChange((focused) => {
        if (!focused) this.#unfocusedSince = clock.now();
      }),
    );
  }

  dispose(): void {
    this.#ended.abort();
    this.#registrations.dispose();
  }

  #gather(ids: readonly string[]): void {
    if (!this.#isWorthIt(ids)) return;
    this.#gathered.push({ ids, isSeen: this.#options.isViewVisible() });
    if (this.#isGathering) return;
    this.#isGathering = true;
    void this.#announce();
  }

  #isWorthIt(ids: readonly string[]): boolean {
    const { clock, level } = this.#options;
    const tasks = this.#tasksOf(ids);
    if (level() === "none") return false;
    if (level() === "attention" && !tasks.some(hasFailed)) return false;
    // The person has cancelled them and needs no notice.
    if (tasks.every((task) => acceptedOf(task)?.cancel?.state === "confirmed")) return false;
    return tasks.some((task) => clock.now() - endOf(task) < oldest);
  }

  /** Never rejects. */
  async #announce(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await clock.delay(gathering + this.#turn(), this.#ended.signal);
      const batches = this.#gathered;
      this.#gathered = [];
      this.#isGathering = false;
      const claimed: string[] = [];
      for (const { ids, isSeen } of batches) {
        // A batch that was seen is claimed too: the window that the person looks at keeps the others quiet.
        const isOurs = await this.#claim(ids).catch((error: unknown) => {
          log.warn("A notification was not claimed.", { message: String(error) });
          return false;
        });
        if (isOurs && !isSeen) claimed.push(...ids);
      }
      if (claimed.length > 0 && !this.#ended.signal.aborted) this.#notify(claimed);
    } catch (error) {
      this.#isGathering = false;
      if (!this.#ended.signal.aborted) log.warn("A notification was not shown.", { message: String(error) });
    }
  }

  /**
   * Milliseconds that this window leaves to the others. The focused window is first; then the one that had the focus
   * last, wherever the person is now: each doubling of the time since adds half a second.
   */
  #turn(): number {
    const { attention, clock } = this.#options;
    if (attention.focused) return 0;
    const seconds = Math.max(0, clock.now() - this.#unfocusedSince) / 1000;
    return 1000 + 500 * Math.log2(1 + seconds);
  }

  /** Claims a batch, so that one of all windows notifies of it, by a conditional write to the first task of the batch. */
  async #claim(ids: readonly string[]): Promise<boolean> {
    const { board, clock } = this.#options;
    const id = [...ids].sort()[0] ?? "";
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await board.readOtherWindows();
      const accepted = acceptedOf(board.listed.get(id));
      if (accepted === undefined || accepted.announcedAt !== undefined) return false;
      // The write is refused when another window has written the task since, perhaps for another reason.
      if (await board.writeThenApply({ type: "task-announced", id, at: clock.now() }, { ifUnchanged: true }))
        return true;
    }
    return false;
  }

  #notify(ids: readonly string[]): void {
    const { isViewVisible, notify } = this.#options;
    if (isViewVisible()) return;
    const tasks = this.#tasksOf(ids);
    const first = tasks.find(hasFailed) ?? tasks[0];
    if (first) notify(describeEnds(tasks), first.intent.id);
  }

  #tasksOf(ids: readonly string[]): readonly Task[] {
    return ids.flatMap((id) => this.#options.board.listed.get(id) ?? []);
  }
}

function hasFailed(task: Task): boolean {
  const phase = phaseOf(task);
  return phase === "failed" || phase === "expired";
}

function endOf(task: Task): number {
  const accepted = acceptedOf(task);
  return accepted?.remote.completedAt ?? accepted?.checkedAt ?? 0;
}

/** `3 tasks finished: 2 succeeded, 1 failed.` */
export function describeEnds(tasks: readonly Task[]): string {
  const count = (phase: TaskPhase): number => tasks.filter((task) => phaseOf(task) === phase).length;
  const [succeeded, failed] = [count("succeeded"), count("failed")];
  const others = tasks.length - succeeded - failed;
  const ends = [
    succeeded > 0 ? plural(succeeded, { other: "{0} succeeded" }) : "",
    failed > 0 ? plural(failed, { other: "{0} failed" }) : "",
    others > 0 ? plural(others, { other: "{0} ended without a result" }) : "",
  ].filter((end) => end !== "");
  const [only] = tasks;
  return tasks.length === 1 && only
    ? describeEnd(only)
    : plural(tasks.length, { other: "{0} tasks finished: {1}." }, tasks.length, joinWords(ends));
}

function describeEnd(task: Task): string {
  const phase = phaseOf(task);
  const label = cutLabel(task.intent.prompt);
  if (phase === "succeeded") return t("Succeeded: {0}", label);
  return phase === "failed" ? t("Failed: {0}", label) : t("Ended without a result: {0}", label);
}

// Finds the batches that have ended. A task that was submitted alone is a batch of its own.

type Tasks = Pick<TaskBoard, "listed" | "onDidChange">;

interface LiveBatch {
  /** The ids of the tasks that are being sent or run. */
  readonly live: Set<string>;
  /** The ids of the tasks that ended while they were watched. */
  readonly ended: string[];
}

class FinishedBatches implements Disposable {
  readonly #board: Tasks;
  readonly #batches = new Map<string, LiveBatch>();
  readonly #finished = new Emitter<readonly string[]>();
  readonly #registration: Disposable;

  constructor(board: Tasks) {
    this.#board = board;
    for (const [id, task] of board.listed) if (isLive(task)) this.#batchOf(task).live.add(id);
    this.#registration = board.onDidChange((ids) => this.#look(ids));
  }

  /** The ids of the tasks of one batch that have ended, once none of it is left. */
  readonly onDidFinish: Event<readonly string[]> = this.#finished.event;

  dispose(): void {
    this.#registration.dispose();
    this.#finished.dispose();
  }

  #look(ids: ReadonlySet<string>): void {
    const touched = new Set<string>();
    for (const id of ids) {
      const task = this.#board.listed.get(id);
      if (!task) continue;
      if (isLive(task)) {
        this.#batchOf(task).live.add(id);
        continue;
      }
      const name = nameOf(task);
      const batch = this.#batches.get(name);
      if (!batch?.live.delete(id)) continue;
      touched.add(name);
      if (isAccepted(task)) batch.ended.push(id);
    }
    for (const name of touched) {
      const batch = this.#batches.get(name);
      // No event follows for a task that was removed meanwhile, so it does not keep its batch open.
      if (!batch || [...batch.live].some((id) => this.#board.listed.has(id))) continue;
      this.#batches.delete(name);
      if (batch.ended.length > 0) this.#finished.fire(batch.ended);
    }
  }

  #batchOf(task: Task): LiveBatch {
    const name = nameOf(task);
    let batch = this.#batches.get(name);
    if (!batch) this.#batches.set(name, (batch = { live: new Set(), ended: [] }));
    return batch;
  }
}

function nameOf({ intent }: Task): string {
  return intent.batch ?? intent.id;
}

function isLive(task: Task): boolean {
  return conditionOf(task) === "running";
}
