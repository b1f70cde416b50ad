/**
 * Cancels tasks (T9). One that waits to be sent is withdrawn; for any other one the service's response and a read after it decide the outcome.
 * Nothing is sent for a task that has ended.
 */
import type { Clock } from "../../base/clock";
import { type AppError, mayHaveHappened, toAppError } from "../../domain/errors/appError";
import type { AppErrorKind } from "../../domain/errors/errorKinds";
import type { Connections, Gateway } from "../../domain/ports";
import { isAccepted, isEnded, isRefused, isRunning, isUnsettled, isWaitingToSend } from "../../domain/task/phase";
import { withdrawn } from "../../domain/task/submission";
import type { AcceptedSubmission, CancelProgress, RemoteTask } from "../../domain/task/task";
import type { CancelOutcome } from "../../domain/task/taskPort";
import type { TaskRecord } from "../../domain/task/taskRecord";
import type { TaskBoard } from "../board/board";
import { isAttemptOpen } from "../board/shownTask";

export interface CancelOptions {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
}

/** Milliseconds between two reads of a task: the service asks for 2 s at least. */
const readGap = 2_000;
/** Milliseconds in which the cancel of another window may still be under way. */
const othersSilence = 60_000;
/** The number of times that a cancel is tried when other windows write the task meanwhile. */
const maxConflicts = 5;
/** Requests of one cancel while the rate limit refuses them; each one waits for the pause that the service asked for. */
const maxRequests = 5;

const overtaken: AppError = {
  kind: "conflict",
  message: "Other windows changed the task meanwhile.",
  notSent: true,
};

/** The refusals after which a read shows whether the task had ended already; after any other the read would be refused like the cancel. */
const readAfterRefusal: readonly AppErrorKind[] = ["conflict", "rejected", "not-found", "too-large"];

export class TaskCancels {
  readonly #options: CancelOptions;
  /** The cancels that are under way: a second click joins the first. */
  readonly #underWay = new Map<string, Promise<CancelOutcome>>();
  /** The tasks whose cancel was sent by this window and has ended: only these may be cancelled again at once. */
  readonly #ownEnded = new Set<string>();

  constructor(options: CancelOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  cancel(id: string, reason: string): Promise<CancelOutcome> {
    const known = this.#underWay.get(id);
    if (known) return known;
    const running = this.#cancel(id, reason)
      .catch((failure: unknown): CancelOutcome => ({ state: "failed", error: toAppError(failure) }))
      .finally(() => {
        this.#underWay.delete(id);
        this.#ownEnded.add(id);
      });
    this.#underWay.set(id, running);
    return running;
  }

  async #cancel(id: string, reason: string): Promise<CancelOutcome> {
    const { board } = this.#options;
    await board.readOtherWindows();
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      await this.#untilAnswered(id);
      const record = this.#firstStep(id, reason);
      if (!record) return this.#outcomeOf(id);
      try {
        if (!(await board.writeThenApply(record, { ifUnchanged: true }))) continue;
      } catch (failure) {
        return { state: "failed", error: { ...toAppError(failure), notSent: true } };
      }
      return record.type === "task-cancel" ? this.#send(id, reason) : this.#outcomeOf(id);
    }
    return { state: "failed", error: overtaken };
  }

  /**
   * The record that begins the cancel; `undefined` where there is nothing to do. It and the start of a request are both written only if the row is
   * unchanged, so the first of them wins.
   */
  #firstStep(id: string, reason: string): TaskRecord | undefined {
    const at = this.#options.clock.now();
    const task = this.#options.board.listed.get(id);
    if (task && isWaitingToSend(task)) return { type: "task-not-accepted", id, at, error: withdrawn };
    const running = this.#running(id);
    if (!running || this.#isOthers(id, running)) return undefined;
    return { type: "task-cancel", id, cancel: { state: "requested", reason, at } };
  }

  /** Waits for the response to a request that is under way: it can't be withdrawn, and afterwards there may be a task to cancel. */
  async #untilAnswered(id: string): Promise<void> {
    const { board } = this.#options;
    const isBeingSent = (): boolean => {
      const task = board.listed.get(id);
      return task !== undefined && isAttemptOpen(task) && !isWaitingToSend(task);
    };
    if (!isBeingSent()) return;
    await new Promise<void>((resolve) => {
      const listening = board.onDidChange(() => {
        if (isBeingSent()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  async #send(id: string, reason: string): Promise<CancelOutcome> {
    const { board, connections } = this.#options;
    const task = board.listed.get(id);
    if (!isAccepted(task)) return this.#outcomeOf(id);
    const { taskId } = task.submission;
    let gateway: Gateway | undefined;
    try {
      gateway = await connections.find(task.intent.home);
      const remote = await requestCancel(gateway, taskId, reason);
      if (remote) await this.#keepRead(id, remote);
    } catch (failure) {
      return this.#refused(id, reason, toAppError(failure), gateway);
    }
    const hasRead = await this.#readAfter(id, gateway).then(
      () => true,
      () => false,
    );
    if (hasRead) await this.#seenRunning(id);
    return this.#outcomeOf(id);
  }

  /** Handles a cancel that the service did not take: a read shows whether there was nothing left to cancel. */
  async #refused(id: string, reason: string, error: AppError, gateway: Gateway | undefined): Promise<CancelOutcome> {
    const isLost = mayHaveHappened(error);
    let hasRead = false;
    if (gateway && (isLost || readAfterRefusal.includes(error.kind))) {
      hasRead = await this.#readAfter(id, gateway).then(
        () => true,
        () => false,
      );
      if (!this.#running(id)) return this.#outcomeOf(id);
    }
    // A lost response may have been an acceptance, and without a read a conflict may mean that the task had ended: a later
    // read decides.
    if (isLost && hasRead) await this.#seenRunning(id);
    if (isLost || (readAfterRefusal.includes(error.kind) && !hasRead)) return { state: "failed", error };
    await this.#keep(id, { state: "refused", reason, at: this.#options.clock.now(), error });
    return error.notSent ? { state: "failed", error } : { state: "refused", error, isSeenRunning: hasRead };
  }

  /** Makes a read that begins after the cancel, no sooner than the service allows; none when the end is known. Rejects as a read does. */
  async #readAfter(id: string, gateway: Gateway): Promise<void> {
    const { clock } = this.#options;
    for (let last = this.#lastRead(id); last !== undefined && this.#running(id);) {
      // After the clock was set back the last read seems to be in the future, and the gap is enough.
      await clock.delay(Math.min(readGap, Math.max(0, last + readGap - clock.now())));
      const now = this.#lastRead(id);
      const submission = this.#running(id);
      if (submission && now === last) {
        await this.#keepRead(id, await gateway.getTask(submission.taskId));
        return;
      }
      // The poller has read it meanwhile, maybe with a request that is older than the cancel.
      last = now;
    }
  }

  /** Notes that the task ran after the cancel: whatever ends it from now on, it had not finished before. */
  async #seenRunning(id: string): Promise<void> {
    const cancel = this.#running(id)?.cancel;
    if (cancel?.state === "requested") await this.#keep(id, { ...cancel, seenRunningAt: this.#options.clock.now() });
  }

  async #keepRead(id: string, remote: RemoteTask): Promise<void> {
    const { board, clock } = this.#options;
    await board.applyThenWrite({ type: "task-read", id, at: clock.now(), remote });
  }

  async #keep(id: string, cancel: CancelProgress): Promise<void> {
    await this.#options.board.applyThenWrite({ type: "task-cancel", id, cancel });
  }

  #running(id: string): AcceptedSubmission | undefined {
    const task = this.#options.board.listed.get(id);
    return task && isRunning(task) ? task.submission : undefined;
  }

  #lastRead(id: string): number | undefined {
    return this.#running(id)?.checkedAt;
  }

  #isOthers(id: string, { cancel }: AcceptedSubmission): boolean {
    if (cancel?.state !== "requested" || this.#ownEnded.has(id)) return false;
    // The clock may have been set either way meanwhile, so only the distance counts.
    return Math.abs(this.#options.clock.now() - cancel.at) < othersSilence;
  }

  /** The outcome, also of a task that was taken off the list. */
  #outcomeOf(id: string): CancelOutcome {
    const task = this.#options.board.all.get(id);
    if (task && isUnsettled(task)) return { state: isRefused(task) ? "no-task" : "still-unknown" };
    if (!task || !isEnded(task)) return { state: "open" };
    const { state } = task.submission.remote;
    return state === "cancelled" || state === "refunded" ? { state: "confirmed" } : { state: "too-late", ended: state };
  }
}

/** Sends the cancel, and sends it again when the rate limit refuses it. `gateway` waits for the slots and pauses of the account. */
async function requestCancel(gateway: Gateway, taskId: string, reason: string): Promise<RemoteTask | undefined> {
  for (let requests = 1; ; requests += 1) {
    try {
      return await gateway.cancelTask(taskId, reason);
    } catch (failure) {
      const { kind, notSent } = toAppError(failure);
      if (kind !== "rate-limited" || notSent === true || requests === maxRequests) throw failure;
    }
  }
}
