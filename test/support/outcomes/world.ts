/** A client's whole life on one file of tasks, in one or two windows, and what the local gateway really made of each of its keys. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { abortable } from "../../../src/base/async/abort";
import type { Clock } from "../../../src/base/clock";
import { AppFailure } from "../../../src/domain/errors/appError";
import type { Gateway } from "../../../src/domain/ports";
import { isAccepted } from "../../../src/domain/task/phase";
import type { Task, TaskIntent } from "../../../src/domain/task/task";
import type { FaultyGateway } from "../../faults/faultyGateway";
import type { TaskBoard } from "../../../src/tasks/board/board";
import { moneyOf } from "../../../src/tasks/money";
import { ResultDownloads } from "../../../src/tasks/results/resultDownloads";
import { Outbox } from "../../../src/tasks/submit/outbox";
import { describeOutcomes } from "../../../src/tasks/view/outcomes";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { connectTo, home, keptLog } from "../builders";
import { createFaultyDatabase, type FaultyDatabase, resultCodes } from "../faultyDatabase";
import type { FileRoom } from "../fullDisk";
import type { MovedClock } from "../movedClock";
import { openBoard } from "../taskBoards";
import { plainOutboxOptions, settingsWith } from "../plainOptions";
import { type Draws, never, type Way, ways } from "./ways";

/** Matches what must not be said while a hold may be open. */
const claims = /nothing is paid\.|not charged(?!: given back)|no task was made|not accepted|nothing was sent/i;

export interface WorldOptions {
  /** A folder of this world alone. */
  readonly folder: string;
  readonly gateway: FaultyGateway;
  /** The same gateway as the client has it. */
  readonly real: Gateway;
  readonly clock: MovedClock;
  readonly room: FileRoom;
  readonly draws: Draws;
}

export interface Window {
  readonly disk: FaultyDatabase;
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly downloads: ResultDownloads;
}

export class World {
  readonly options: WorldOptions;
  readonly file: string;
  readonly windows: Window[] = [];
  /** The task that the gateway made for each idempotency key, whether the client learnt it or not. */
  readonly made = new Map<string, string>();
  /** The keys of what was sent for the cap of a day, by its midnight. */
  readonly sentOn = new Map<number, Set<string>>();
  /** Whether rows have said that the money of a task was settled or released, by task. */
  readonly moved = new Map<string, string>();
  /** Rows that were on the disk once. */
  readonly known = new Set<string>();
  /** Keys of rows that no window and no file has any more, since an older file took the place of the last one while all were closed. */
  readonly forgotten = new Set<string>();
  /** Tasks whose result was asked for. */
  readonly asked = new Set<string>();
  ways: Way[] = [];
  intents: readonly TaskIntent[] = [];
  hasKey = true;
  /** Tasks a day; 0 for no cap. */
  cap = 0;
  /** Milliseconds by which the client's clock is ahead. */
  skew = 0;
  /** Each request for a task waits for it. */
  pause: Promise<void> = Promise.resolve();
  /** Requests that have begun to wait for the pause. */
  paused = 0;
  /** Create requests. */
  creates = 0;
  /** The keys of what was sent; the gateway may be making the task still. */
  readonly #tried = new Set<string>();
  /** Faults that are found while a request is under way, where a rejection would be the request's. */
  readonly #faults: string[] = [];
  readonly #opened: Window[] = [];

  constructor(options: WorldOptions) {
    this.options = options;
    this.file = join(options.folder, "tasks.db");
  }

  get clock(): Clock {
    const { clock } = this.options;
    return { now: () => clock.now() + this.skew, delay: (...asked) => clock.delay(...asked) };
  }

  get window(): Window {
    return this.options.draws.one(this.windows);
  }

  /** Opens the file as a start of VS Code would. */
  async open(): Promise<Window> {
    const disk = createFaultyDatabase({ unsynced: true });
    const { clock } = this;
    const board = await openBoard(this.file, { disk, clock });
    await board.loaded();
    // It is the same disk.
    disk.commits = this.windows[0]?.disk.commits;
    const gateway: Gateway = { ...this.options.real, createTask: (body) => this.#create(body, window) };
    const refused = new AppFailure({ kind: "signed-out", message: "no key", notSent: true });
    const connections = {
      ...connectTo(gateway),
      find: () => (this.hasKey ? Promise.resolve(gateway) : Promise.reject(refused)),
    };
    const shared = { board, clock, log: keptLog() };
    const window: Window = {
      disk,
      board,
      outbox: new Outbox({
        ...plainOutboxOptions,
        ...shared,
        connections,
        settings: settingsWith(() => ({ "caps.tasksPerDay": this.cap })),
        untilUnpaused: (_home, signal) => {
          this.paused += 1;
          return abortable(this.pause, signal);
        },
      }),
      downloads: new ResultDownloads({
        ...shared,
        connections: connectTo(gateway),
        folder: join(this.options.folder, "results"),
        freeSpace: () => Promise.resolve(undefined),
      }),
    };
    this.windows.push(window);
    this.#opened.push(window);
    return window;
  }

  /** Sends the request of a window, which reaches the gateway or not. */
  async #create(body: string, window: Window): ReturnType<Gateway["createTask"]> {
    if (window.disk.isDead) return never();
    const { made, options } = this;
    const faults = this.#faults;
    const { idempotency_key: key } = JSON.parse(body) as { idempotency_key: string };
    this.creates += 1;
    this.#tried.add(key);
    const uncount = this.#count(key, window);
    return (this.ways.shift() ?? ways[0]!).send({
      draws: options.draws,
      disk: window.disk,
      fillDisk: () => {
        if (!window.disk.isDead) this.fill(resultCodes.full);
      },
      refuse(error) {
        uncount();
        return Promise.reject(new AppFailure(error));
      },
      other: () => (made.has(key) ? otherAccepted(window.board, key) : undefined),
      async forward() {
        const created = await options.real.createTask(body);
        if ((made.get(key) ?? created.taskId) !== created.taskId) faults.push("two tasks of one key");
        made.set(key, created.taskId);
        return created;
      },
    });
  }

  /** Counts a first request, which the cap limits. Returns a function that takes it back where the request was refused. */
  #count(key: string, { board }: Window): () => void {
    const task = [...board.all.values()].find(({ intent }) => intent.idempotencyKey === key);
    if (task?.submission.state !== "sending") return () => undefined;
    const day = new Date(this.clock.now()).setHours(0, 0, 0, 0);
    const keys = this.sentOn.get(day) ?? new Set();
    this.sentOn.set(day, keys.add(key));
    if (this.cap > 0 && keys.size > this.cap) this.#faults.push(`${keys.size} tasks of a day, ${this.cap} allowed`);
    return () => void keys.delete(key);
  }

  /** Draws what happens to the next requests: as many as a batch has, or fewer; those after them are answered. */
  drawWays(): void {
    const { draws } = this.options;
    this.ways = draws.list(draws.number(7), ways);
  }

  /** Submits so many tasks in one batch. */
  async submit(count: number, window = this.window): Promise<void> {
    this.drawWays();
    const wanted = { type: "async-image", model: "demo-image", prompt: "fog" } as const;
    this.intents = await window.outbox.prepare(
      Array.from({ length: count }, () => wanted),
      home,
    );
    await this.untilDone([window, window.outbox.send(this.intents)]);
  }

  /** Waits for what windows send; for one that is killed meanwhile another is opened. */
  async untilDone(...sendings: readonly (readonly [Window, Promise<unknown>])[]): Promise<void> {
    for (const [window, sending] of sendings) {
      // Only a full disk and a cap end a submission with an error, and then nothing was sent.
      await Promise.race([sending, window.disk.died]).catch((failure: unknown) => {
        assert.ok(failure instanceof AppFailure && failure.error.notSent, String(failure));
        assert.ok(["storage", "capped"].includes(failure.error.kind), failure.error.kind);
        for (const { idempotencyKey } of this.intents) assert.ok(!this.made.has(idempotencyKey));
      });
    }
    await this.buryDead();
  }

  async buryDead(): Promise<void> {
    for (const window of this.windows.filter(({ disk }) => disk.isDead)) {
      this.windows.splice(this.windows.indexOf(window), 1);
      this.intents = [];
    }
    if (this.windows.length === 0) await this.open();
  }

  /** Two windows that have learnt of each other. */
  async two(): Promise<readonly [Window, Window]> {
    while (this.windows.length < 2) await this.open();
    for (const { board } of this.windows) await board.readOtherWindows();
    const [one, other] = this.options.draws.shuffled(this.windows);
    return [one!, other!];
  }

  /** Reads a task as the poller does. Rejects with an `AppFailure` for an answer that is none about it. */
  async read({ board }: Window, task: Task): Promise<void> {
    if (!isAccepted(task)) return;
    const remote = await this.options.real.getTask(task.submission.taskId);
    await board.applyThenWrite({ type: "task-read", id: task.intent.id, at: this.clock.now(), remote });
  }

  /** Compares every sentence that is shown in any window with what the gateway has done. */
  async check(): Promise<void> {
    assert.deepEqual(this.#faults, []);
    for (const { board } of this.windows) {
      await board.readOtherWindows();
      this.#checkRows(board);
    }
  }

  #checkRows(board: TaskBoard): void {
    const tasks = [...board.all.values()];
    const rows = new Map(tasks.map((task) => [task.intent.idempotencyKey, task]));
    for (const id of this.known) assert.ok(board.all.has(id), "a row was lost");
    for (const id of board.all.keys()) this.known.add(id);
    for (const [key, taskId] of this.made) {
      const task = rows.get(key);
      if (!task && this.forgotten.has(key)) continue;
      assert.ok(task, "a task that may be paid has a row");
      const { submission } = task;
      assert.ok(["accepted", "outcome-unknown", "sending"].includes(submission.state), submission.state);
      if (submission.state === "accepted") assert.equal(submission.taskId, taskId, "its own task");
      assert.doesNotMatch(this.#words(board, task), claims);
      const { hold } = moneyOf(task);
      assert.notEqual(hold, "none");
      if (hold === "settled" || hold === "released") this.moved.set(taskId, hold);
    }
    for (const task of tasks) {
      if (task.submission.state === "outcome-unknown") assert.doesNotMatch(this.#words(board, task), claims);
      if (task.submission.state === "accepted") assert.ok(this.made.has(task.intent.idempotencyKey));
    }
  }

  #words(board: TaskBoard, task: Task): string {
    const row = taskRow(task, this.clock.now(), "en");
    const told = describeOutcomes([task], board.unwritten.current)?.description;
    return [row.description, row.state, row.money, row.spoken, told?.title, told?.meaning].join("\n");
  }

  /** Forgets, after an older file was opened, what was sent since and has no row in it. */
  forget({ board }: Window): void {
    const keys = new Set([...board.all.values()].map(({ intent }) => intent.idempotencyKey));
    for (const key of this.#tried) if (!keys.has(key)) this.forgotten.add(key);
    for (const sent of this.sentOn.values()) for (const key of this.forgotten) sent.delete(key);
    for (const id of this.known) if (!board.all.has(id)) this.known.delete(id);
  }

  /** `code`: the result code with which each write fails; `undefined` where there is room. */
  fill(code: number | undefined): void {
    for (const { disk } of this.windows) disk.commits = code;
  }

  /** Ends all windows as a kill or a power cut does. */
  killAll(): void {
    for (const { disk } of this.windows.splice(0)) disk.kill();
    this.intents = [];
  }

  async close(): Promise<void> {
    this.windows.length = 0;
    for (const { board, downloads, disk } of this.#opened.splice(0)) {
      await downloads.close();
      await board.close();
      disk.close();
    }
  }
}

/** The task of another row of the window: no window can recognise the id of one that it has not learnt of. */
function otherAccepted({ all }: TaskBoard, key: string): string | undefined {
  const other = [...all.values()].find((task) => isAccepted(task) && task.intent.idempotencyKey !== key);
  return other && isAccepted(other) ? other.submission.taskId : undefined;
}
