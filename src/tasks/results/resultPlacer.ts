/**
 * Brings results to their destination in the project (T8): each window places those whose folder it has open, exactly once, also after a kill at any
 * step.
 */
import { abortable, isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Event } from "../../base/event";
import { LoopPause } from "../../base/async/loopPause";
import type { Log } from "../../domain/ports";
import { timeOfPlacing } from "./placedTasks";
import { acceptedOf } from "../../domain/task/phase";
import type { Placement, Task, TaskDestination } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { awaitsPlacing, placingWait } from "./awaitsPlacing";
import type { ExactFile } from "../../domain/task/exactFiles";
import type { PlaceOutcome } from "./placeFile";
import { exactFileAt } from "./placedTasks";
import { expectedFile, withoutEnding } from "../../domain/task/taskTypes";

/** The folders that this window has open. Files and documents are URIs. */
export interface ProjectFiles {
  holds(file: string): boolean;
  readonly onDidChangeFolders: Event<unknown>;
  /** `source`: a path on this machine. Rejects with the file system's error. */
  place(source: string, file: string, options: ProjectPlaceOptions): Promise<PlaceOutcome>;
  /** Removes the file where it has the very bytes of `source`, a path on this machine. Resolves with whether it is gone. */
  removeCopy(source: string, file: string): Promise<boolean>;
  /** Makes the exact files of the result on this machine, in their order; `undefined` for a format that is not written. */
  makeExact(source: string, files: readonly ExactFile[], signal: AbortSignal): Promise<WrittenResults>;
  /** Changes the references to exactly one of `expected` to `actual`, where they still exist. */
  correctReferences(document: string, expected: readonly string[], actual: string): Promise<void>;
}

export interface ProjectPlaceOptions {
  readonly replaces: boolean;
  /** The path of a file on this machine whose bytes are replaced without a yes. */
  readonly instead?: string | undefined;
}

export interface WrittenResults {
  readonly paths: readonly (string | undefined)[];
  readonly remove: () => Promise<void>;
}

export interface ResultPlacerOptions {
  readonly board: TaskBoard;
  readonly project: ProjectFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** The path of the result; it is downloaded again where it is gone. */
  readonly saveResult: (id: string) => Promise<string>;
}

/** Milliseconds. */
const retryTime = 1000;
const retryDelay = 10_000;

/** The file that a rehearsal was placed as. */
interface Placeholder {
  /** The id of the rehearsal's intent. */
  readonly id: string;
  /** The path of its result on this machine. */
  readonly source: string;
  /** The URI of its file. */
  readonly file: string;
  readonly made: WrittenResults | undefined;
}

interface Placed {
  /** The path of the result on this machine. */
  readonly source: string;
  /** The paths of the exact files that were made, the first one first; `undefined` for one that was not. */
  readonly made: readonly (string | undefined)[];
  readonly placeholder: Placeholder | undefined;
}

export class ResultPlacer implements Disposable {
  readonly #options: ResultPlacerOptions;
  readonly #pause = new LoopPause();
  readonly #ended = new AbortController();
  readonly #registrations = new DisposableStore();
  readonly #candidates = new Set<string>();
  /** Tasks whose result could not be fetched, which the row shows already. They are tried again when they change. */
  readonly #waiting = new Map<string, Task>();
  #loop: Promise<void> | undefined;

  constructor(options: ResultPlacerOptions) {
    this.#options = options;
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

  /** Places a result where a person wants it; `replaces`: a file that is there is replaced. Rejects with the file system's error. */
  async placeAt(id: string, file: string, replaces: boolean): Promise<PlaceOutcome> {
    const task = this.#options.board.all.get(id);
    if (!task) return "occupied";
    const source = await this.#options.saveResult(id);
    const outcome = await this.#options.project.place(source, file, { replaces });
    if (outcome === "placed") await this.#finish(task, file);
    return outcome;
  }

  /** Writes a file again that was made of the result and is gone. Rejects with the file system's error. */
  async restore(id: string, file: string): Promise<PlaceOutcome> {
    const { project, saveResult } = this.#options;
    const source = await saveResult(id);
    return this.withMade(id, source, file, (made) => project.place(made ?? source, file, { replaces: false }));
  }

  /**
   * Calls `use` with the path of the exact file that is made of the result at `source`; with `undefined` where the result itself belongs at the file.
   * `id`: the task that the file is of.
   */
  async withMade<T>(id: string, source: string, file: string, use: (made?: string) => Promise<T>): Promise<T> {
    const { board, project } = this.#options;
    const exact = exactFileAt(file, board.all.get(id), board.all.values());
    const made = exact && (await project.makeExact(source, [exact], this.#ended.signal));
    try {
      return await use(made?.paths[0]);
    } finally {
      await made?.remove();
    }
  }

  async #runLoop(): Promise<void> {
    const { board, project, clock, log } = this.#options;
    const { signal } = this.#ended;
    this.#registrations.add(board.onDidChange((ids) => this.#consider(ids)));
    this.#registrations.add(project.onDidChangeFolders(() => this.#consider(board.all.keys())));
    this.#consider(board.all.keys());
    while (!signal.aborted) {
      try {
        await this.#pause.wait(await this.#placeDue(), clock, signal);
      } catch (error) {
        if (isAbort(error)) return;
        log.error("A result could not be placed.", { message: String(error) });
        // The task file can't be written, for example on a full disk.
        await clock.delay(retryDelay, signal).catch(() => undefined);
      }
    }
  }

  #consider(ids: Iterable<string>): void {
    const { board } = this.#options;
    let isNew = false;
    for (const id of ids) {
      const task = board.all.get(id);
      if (!task || this.#waiting.get(id) === task || !awaitsPlacing(task)) continue;
      this.#waiting.delete(id);
      this.#candidates.add(id);
      isNew = true;
    }
    if (isNew) this.#pause.end();
  }

  /** Places what is due, one after the other; returns the milliseconds until the next one. */
  async #placeDue(): Promise<number> {
    const { board, project, clock } = this.#options;
    let next = Infinity;
    for (const id of this.#candidates) {
      const task = board.all.get(id);
      const { destination } = task?.intent ?? {};
      const wait = task && placingWait(task, clock.now());
      if (!task || wait === undefined || destination === undefined || !project.holds(destination.file)) {
        this.#candidates.delete(id);
      } else if (wait > 0) next = Math.min(next, wait);
      // Another window was first, perhaps with something else: its record is looked at with the next try.
      else if (!(await this.#place(id, task, destination))) next = Math.min(next, retryTime);
    }
    return next;
  }

  /** False when another window has changed the task meanwhile: then nothing was done. */
  async #place(id: string, task: Task, destination: TaskDestination): Promise<boolean> {
    const { board, clock, saveResult, log } = this.#options;
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
    const made = destination.exact && (await this.#makeExact(source, destination.exact, id));
    const placeholder = await this.#placeholderOf(task);
    try {
      return await this.#placeFiles(task, destination, { source, made: made?.paths ?? [], placeholder });
    } finally {
      await made?.remove();
      await placeholder?.made?.remove();
    }
  }

  /** False when another window has changed the task meanwhile: then nothing was done. */
  async #placeFiles(task: Task, destination: TaskDestination, { source, made, placeholder }: Placed): Promise<boolean> {
    const { id } = task.intent;
    const { board, project, clock } = this.#options;
    const { signal } = this.#ended;
    const [exact] = made;
    const file = exact === undefined ? destinationOf(destination, source) : destination.file;
    const begun: Placement = { state: "placing", file, at: clock.now() };
    // The check covers tasks on the list only, and a cleared one is placed too. Two windows that place it at once make the same file.
    const ifUnchanged = board.listed.has(id);
    if (!(await board.writeThenApply({ type: "task-placing", id, placement: begun }, { ifUnchanged }))) return false;
    signal.throwIfAborted();
    try {
      // The other files are placed first: once the first one is placed, none is looked at again.
      await this.#placeOthers(id, { source, made, placeholder }, destination.exact ?? []);
      const instead = placeholder?.made?.paths[0] ?? placeholder?.source;
      const outcome = await project.place(exact ?? source, file, { replaces: false, instead });
      signal.throwIfAborted();
      // The result has another format, so the placeholder is another file, which is removed unless somebody has changed it.
      if (outcome === "placed" && instead !== undefined && placeholder !== undefined && placeholder.file !== file)
        await this.#removePlaceholder(placeholder, instead);
      if (outcome === "placed") await this.#finish(task, file);
      else await this.#keep(id, { state: "occupied", file, at: clock.now() });
    } catch (failure) {
      signal.throwIfAborted();
      const message = failure instanceof Error ? failure.message : String(failure);
      await this.#keep(id, { state: "failed", file, at: clock.now(), message: message.slice(0, 500) });
    }
    return true;
  }

  /** A picture that can't be converted is placed as it is. */
  async #makeExact(source: string, files: readonly ExactFile[], id: string): Promise<WrittenResults | undefined> {
    const { project, log } = this.#options;
    const { signal } = this.#ended;
    try {
      return await project.makeExact(source, files, signal);
    } catch (failure) {
      signal.throwIfAborted();
      log.warn("A result could not be converted.", { task: id, message: String(failure) });
      return undefined;
    }
  }

  /** Places the files after the first. The same bytes are made each time, so doing it twice changes nothing. What is there already stays. */
  async #placeOthers(id: string, { made: paths, placeholder }: Placed, files: readonly ExactFile[]): Promise<void> {
    const { board, project } = this.#options;
    for (const [index, { file }] of files.entries()) {
      const path = paths[index];
      if (index === 0 || path === undefined || !project.holds(file)) continue;
      const instead = placeholder?.made?.paths[index];
      const outcome = await project.place(path, file, { replaces: false, instead });
      this.#ended.signal.throwIfAborted();
      if (outcome === "placed")
        await board.applyThenWrite({ type: "task-copied", id, copy: { file, at: this.#timeOf(file) } });
    }
  }

  /** The placeholder that a task may replace: the files that a rehearsal was placed as, with the bytes that were made for them. */
  async #placeholderOf(task: Task): Promise<Placeholder | undefined> {
    const { saveResult, log } = this.#options;
    const { destination } = task.intent;
    const placed = this.#placedRehearsal(task);
    if (placed === undefined) return undefined;
    const { id: rehearsed, file } = placed;
    try {
      const source = await abortable(saveResult(rehearsed), this.#ended.signal);
      const made = destination?.exact && (await this.#makeExact(source, destination.exact, rehearsed));
      return { id: rehearsed, source, file, made };
    } catch (failure) {
      this.#ended.signal.throwIfAborted();
      // Without it the person is asked, as for any other file that is there.
      log.info("A placeholder is not on this machine.", { task: rehearsed, message: String(failure) });
      return undefined;
    }
  }

  /** Removes a placeholder, with its line in `sluice.lock`. `instead` is a path on this machine with its bytes. */
  async #removePlaceholder({ id, file }: Placeholder, instead: string): Promise<void> {
    const { board, project } = this.#options;
    if (!(await project.removeCopy(instead, file))) return;
    this.#ended.signal.throwIfAborted();
    await board.applyThenWrite({ type: "task-copied", id, copy: { file, at: this.#timeOf(file), isForgotten: true } });
  }

  /** The rehearsal that a task follows, and the URI of the file that it was placed as. */
  #placedRehearsal(task: Task): Pick<Placeholder, "id" | "file"> | undefined {
    const id = task.intent.makesReal ?? this.#rehearsalAt(task);
    const placement = id === undefined ? undefined : acceptedOf(this.#options.board.all.get(id))?.placement;
    return id !== undefined && placement?.state === "placed" ? { id, file: placement.file } : undefined;
  }

  /**
   * The last rehearsal of the same file: a person who submits or rehearses anew, instead of making that one real, wants its placeholder replaced too.
   */
  #rehearsalAt({ intent: { id, destination } }: Task): string | undefined {
    if (destination === undefined) return undefined;
    const placed = [...this.#options.board.all.values()].findLast(
      (task) =>
        task.intent.isRehearsal === true &&
        task.intent.id !== id &&
        task.intent.destination?.file === destination.file &&
        acceptedOf(task)?.placement?.state === "placed",
    );
    return placed?.intent.id;
  }

  /** Corrects the references before the record is written: when the window is closed in between, they are looked at again. */
  async #finish(task: Task, file: string): Promise<void> {
    const { id, type, destination } = task.intent;
    const { project } = this.#options;
    if (destination?.document !== undefined) {
      const { exact, document } = destination;
      const expected = exact === undefined ? expectedFile(destination.file, type) : destination.file;
      // Where a rehearsal was placed under another name, the reference was corrected to that one.
      const names = new Set([expected, this.#placedRehearsal(task)?.file ?? expected]);
      names.delete(file);
      // One call for all names: a document that can't be saved is told once.
      if (names.size > 0) await project.correctReferences(document, [...names], file);
      this.#ended.signal.throwIfAborted();
    }
    await this.#keep(id, { state: "placed", file, at: this.#timeOf(file) });
  }

  #timeOf(file: string): number {
    const { board, clock } = this.#options;
    return timeOfPlacing(board.all.values(), file, clock.now());
  }

  #keep(id: string, placement: Placement): Promise<void> {
    return this.#options.board.applyThenWrite({ type: "task-placing", id, placement });
  }
}

/** The destination with the ending of the result. */
function destinationOf({ file }: TaskDestination, source: string): string {
  const ending = /\.[a-z0-9]{1,5}$/i.exec(source)?.[0] ?? "";
  return `${withoutEnding(file)}${ending}`;
}
