/** Brings results to their destination in the project (T8): each window places those whose folder it has open, exactly once, also after a kill at any step. */
import { abortable, isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Event } from "../../base/event";
import { Wake } from "../../base/async/wake";
import type { Log } from "../../domain/ports";
import { acceptedOf } from "../../domain/task/phase";
import type { Placement, Task, TaskDestination } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { awaitsPlacing, placingWait } from "./awaitsPlacing";
import type { PlaceOutcome } from "./placeFile";
import { withoutEnding } from "../../domain/task/taskTypes";

/** The folders that this window has open. Files and documents are URIs. */
export interface ProjectFiles {
  holds(file: string): boolean;
  readonly onDidChangeFolders: Event<unknown>;
  /** `source`: a path on this machine. Rejects with the file system's error. */
  place(source: string, file: string, options: ProjectPlaceOptions): Promise<PlaceOutcome>;
  /** Removes the file where it has the very bytes of `source`, a path on this machine. */
  removeCopy(source: string, file: string): Promise<void>;
  /** Changes the references to `expected`, with whatever ending, to `actual`, where they still exist. */
  correctReferences(document: string, expected: string, actual: string): Promise<void>;
}

export interface ProjectPlaceOptions {
  readonly replaces: boolean;
  /** The path of a file on this machine whose bytes are replaced without a yes. */
  readonly instead?: string | undefined;
}

export interface ResultPlacerPorts {
  readonly board: TaskBoard;
  readonly project: ProjectFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** The path of the result; it is downloaded again where it is gone. */
  readonly saveResult: (id: string) => Promise<string>;
}

/** Milliseconds. */
const retryTime = 1000;
const troubleTime = 10_000;

export class ResultPlacer implements Disposable {
  readonly #ports: ResultPlacerPorts;
  readonly #wake = new Wake();
  readonly #ended = new AbortController();
  readonly #registrations = new DisposableStore();
  readonly #candidates = new Set<string>();
  /** Their result could not be had, which the row says already: tried again when the task changes. */
  readonly #waiting = new Map<string, Task>();
  #loop: Promise<void> | undefined;

  constructor(ports: ResultPlacerPorts) {
    this.#ports = ports;
  }

  /** Runs until disposed; never rejects. */
  run(): Promise<void> {
    this.#loop ??= this.#runLoop();
    return this.#loop;
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#ended.abort();
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.dispose();
    await this.#loop;
  }

  /** A person has chosen the file, and whether what is there is replaced. Rejects with the file system's error. */
  async placeAt(id: string, file: string, replaces: boolean): Promise<PlaceOutcome> {
    const task = this.#ports.board.all.get(id);
    if (!task) return "occupied";
    const source = await this.#ports.saveResult(id);
    const outcome = await this.#ports.project.place(source, file, { replaces });
    if (outcome === "placed") await this.#finish(task, file);
    return outcome;
  }

  async #runLoop(): Promise<void> {
    const { board, project, clock, log } = this.#ports;
    const { signal } = this.#ended;
    this.#registrations.add(board.onDidChange((ids) => this.#consider(ids)));
    this.#registrations.add(project.onDidChangeFolders(() => this.#consider(board.all.keys())));
    this.#consider(board.all.keys());
    while (!signal.aborted) {
      try {
        await this.#wake.pause(await this.#placeDue(), clock, signal);
      } catch (error) {
        if (isAbort(error)) return;
        log.error("A result could not be placed.", { message: String(error) });
        // The task file can't be written, as on a full disk.
        await clock.delay(troubleTime, signal).catch(() => undefined);
      }
    }
  }

  #consider(ids: Iterable<string>): void {
    const { board } = this.#ports;
    let isNew = false;
    for (const id of ids) {
      const task = board.all.get(id);
      if (!task || this.#waiting.get(id) === task || !awaitsPlacing(task)) continue;
      this.#waiting.delete(id);
      this.#candidates.add(id);
      isNew = true;
    }
    if (isNew) this.#wake.wake();
  }

  /** One after the other; returns the milliseconds until the next one. */
  async #placeDue(): Promise<number> {
    const { board, project, clock } = this.#ports;
    let next = Infinity;
    for (const id of this.#candidates) {
      const task = board.all.get(id);
      const { destination } = task?.intent ?? {};
      const wait = task && placingWait(task, clock.now());
      if (!task || wait === undefined || destination === undefined || !project.holds(destination.file)) {
        this.#candidates.delete(id);
      } else if (wait > 0) next = Math.min(next, wait);
      // Another window was first, perhaps with something else: what it has written is looked at.
      else if (!(await this.#place(id, task, destination))) next = Math.min(next, retryTime);
    }
    return next;
  }

  /** False when another window has changed the task meanwhile: then nothing was done. */
  async #place(id: string, task: Task, destination: TaskDestination): Promise<boolean> {
    const { board, project, clock, saveResult, log } = this.#ports;
    const { signal } = this.#ended;
    let source: string;
    try {
      source = await abortable(saveResult(id), signal);
    } catch (failure) {
      signal.throwIfAborted();
      log.info("A result that has a destination is not here yet.", { task: id, message: String(failure) });
      this.#candidates.delete(id);
      const shown = board.all.get(id);
      if (shown) this.#waiting.set(id, shown);
      return true;
    }
    const current = board.all.get(id);
    if (!current || placingWait(current, clock.now()) !== 0) return false;
    const file = destinationOf(destination, source);
    const begun: Placement = { state: "placing", file, at: clock.now() };
    // The check covers tasks on the list only, and a cleared one is placed too. Two windows that place it at once make the same file.
    const ifUnchanged = board.listed.has(id);
    if (!(await board.writeThenApply({ type: "task-placing", id, placement: begun }, { ifUnchanged }))) return false;
    signal.throwIfAborted();
    try {
      const placeholder = await this.#placeholderOf(task);
      const outcome = await project.place(source, file, { replaces: false, instead: placeholder?.source });
      signal.throwIfAborted();
      // Of another format: the placeholder is another file, which goes unless somebody has changed it.
      if (outcome === "placed" && placeholder !== undefined && placeholder.file !== file)
        await project.removeCopy(placeholder.source, placeholder.file);
      if (outcome === "placed") await this.#finish(task, file);
      else await this.#keep(id, { state: "occupied", file, at: clock.now() });
    } catch (failure) {
      signal.throwIfAborted();
      const message = failure instanceof Error ? failure.message : String(failure);
      await this.#keep(id, { state: "failed", file, at: clock.now(), message: message.slice(0, 500) });
    }
    return true;
  }

  /** The references first: when the window is closed before the record, they are looked at again. */
  async #finish({ intent: { id, destination } }: Task, file: string): Promise<void> {
    const { project, clock } = this.#ports;
    if (destination?.document !== undefined) {
      await project.correctReferences(destination.document, destination.file, file);
      this.#ended.signal.throwIfAborted();
    }
    await this.#keep(id, { state: "placed", file, at: clock.now() });
  }

  /** What a task that makes a rehearsal real may replace: the file that the rehearsal was placed as, with the bytes of its result. */
  async #placeholderOf({
    intent: { makesReal },
  }: Task): Promise<{ readonly source: string; readonly file: string } | undefined> {
    const { board, saveResult } = this.#ports;
    const rehearsal = makesReal === undefined ? undefined : acceptedOf(board.all.get(makesReal));
    if (makesReal === undefined || rehearsal?.placement?.state !== "placed") return undefined;
    const source = await abortable(saveResult(makesReal), this.#ended.signal).catch((failure: unknown) => {
      this.#ended.signal.throwIfAborted();
      // Without it the person is asked, as for any other file that is there.
      this.#ports.log.info("A placeholder is not on this machine.", { task: makesReal, message: String(failure) });
      return undefined;
    });
    return source === undefined ? undefined : { source, file: rehearsal.placement.file };
  }

  #keep(id: string, placement: Placement): Promise<void> {
    return this.#ports.board.applyThenWrite({ type: "task-placing", id, placement });
  }
}

/** The destination with the ending of what the result is. */
function destinationOf({ file }: TaskDestination, source: string): string {
  const ending = /\.[a-z0-9]{1,5}$/i.exec(source)?.[0] ?? "";
  return `${withoutEnding(file)}${ending}`;
}
