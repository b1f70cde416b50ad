/** A poller in the only window, on a moved clock, over a scripted gateway that keeps its reads: for the tests of the poller. */
import { join } from "node:path";
import { definedFields } from "../../../../src/base/definedFields";
import { Emitter } from "../../../../src/base/event";
import { type AppError, AppFailure } from "../../../../src/domain/errors/appError";
import type { RemoteTask, TaskState } from "../../../../src/domain/task/task";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { TaskPoller } from "../../../../src/tasks/polling/poller";
import { type PollNote, writePollNote } from "../../../../src/tasks/polling/pollingStatus";
import type { PollLease, PollStep } from "../../../../src/tasks/store/taskStore";
import {
  connectTo,
  home,
  keptLog,
  makeCreated,
  makeGateway,
  makeIntent,
  makeRemote,
  until,
} from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { openBoard } from "../../../support/taskBoards";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

export const second = 1000;
export const minute = 60 * second;

export interface SeenRead {
  /** The service's id. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export class PollerBench {
  readonly clock = createMovedClock();
  readonly reads: SeenRead[] = [];
  readonly eventReads: SeenRead[] = [];
  /** Nothing new, so nothing is written: a write takes real time, and this clock does not wait for it. */
  answer: (id: string) => RemoteTask | AppError | Promise<RemoteTask> = () => makeRemote();
  readonly connections = connectTo(
    makeGateway({
      getTask: async (id) => {
        this.reads.push({ id, at: this.clock.now() });
        const told = await this.answer(id);
        if ("kind" in told) throw new AppFailure(told);
        return told;
      },
      listTaskEvents: (id) => {
        this.eventReads.push({ id, at: this.clock.now() });
        return Promise.resolve([]);
      },
      createTask: () =>
        Promise.reject(
          new AppFailure({ kind: "rate-limited", message: "slow down", status: 429, retryAfterMs: minute }),
        ),
    }),
  );
  readonly #folder: TemporaryFolder;
  readonly #focus = new Emitter<boolean>();
  readonly #attention = { focused: true, onDidChange: this.#focus.event };
  readonly lease = new Lease();
  #board: TaskBoard;
  #poller: TaskPoller;
  #running: Promise<void>;

  private constructor(folder: TemporaryFolder, board: TaskBoard) {
    this.#folder = folder;
    this.#board = board;
    this.#poller = this.#createPoller();
    this.#running = this.#poller.run();
  }

  static async open(): Promise<PollerBench> {
    const folder = await createTemporaryFolder();
    return new PollerBench(folder, await openBoard(join(folder.path, "tasks.db")));
  }

  get board(): TaskBoard {
    return this.#board;
  }

  get poller(): TaskPoller {
    return this.#poller;
  }

  /** Milliseconds between two reads. */
  get gaps(): number[] {
    return this.reads.slice(1).map(({ at }, index) => at - this.reads[index]!.at);
  }

  async close(): Promise<void> {
    this.#poller.dispose();
    await this.#running;
    await this.#board.close();
    await this.#folder.remove();
  }

  /** The window is reloaded: what was in memory is gone. */
  async restart(): Promise<void> {
    this.#poller.dispose();
    await this.#running;
    await this.#board.close();
    this.#board = await openBoard(join(this.#folder.path, "tasks.db"));
    this.#poller = this.#createPoller();
    this.#running = this.#poller.run();
  }

  look(focused: boolean): void {
    this.#attention.focused = focused;
    this.#focus.fire(focused);
  }

  /** A running task with this id at the gateway. */
  async add(taskId = "t1", account = home.account): Promise<void> {
    const id = this.intentId(taskId);
    await this.#board.writeThenApply({ type: "task-intended", intent: makeIntent({ id, home: { ...home, account } }) });
    const created = makeCreated({ taskId });
    await this.#board.writeThenApply({ type: "task-accepted", id, at: this.clock.now(), created });
  }

  /** Of the last six characters of the gateway's id. */
  intentId(taskId: string): string {
    return `00000000-0000-4000-8000-${Buffer.from(taskId).toString("hex").padStart(12, "0").slice(-12)}`;
  }

  isStale(taskId: string): boolean {
    const submission = this.#board.listed.get(this.intentId(taskId))?.submission;
    return submission?.state === "accepted" && submission.stale !== undefined;
  }

  /** Moves to the first read of `t1` and waits until its response is written. */
  async firstRead(state: TaskState): Promise<void> {
    await this.clock.advance(3 * second);
    await until(() => {
      const submission = this.#board.listed.get(this.intentId("t1"))?.submission;
      return submission?.state === "accepted" && submission.remote.state === state;
    });
    await this.#board.flush();
    await this.clock.advance(0);
  }

  #createPoller(): TaskPoller {
    return new TaskPoller({
      board: this.#board,
      lease: this.lease,
      connections: this.connections,
      attention: this.#attention,
      clock: this.clock,
      random: () => 0.5,
      log: keptLog(),
    });
  }
}

/** What the window has left is there after a restart. */
class Lease {
  /** What another window has left, which then polls in the place of this one. */
  other: PollNote | undefined;
  #note: string | undefined;

  stepPollLease(step: PollStep): Promise<PollLease> {
    const { other } = this;
    const note = other ? writePollNote(other) : this.#note;
    if (!other) this.#note = step.note;
    return Promise.resolve({ isOurs: !other, watched: 0, refreshes: 0, ...definedFields({ note }) });
  }

  releasePollLease(): Promise<void> {
    return Promise.resolve();
  }
}
