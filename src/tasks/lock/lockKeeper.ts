/**
 * Keeps `sluice.lock` of each folder that this window has open: a line for every file that a result was placed as, also after a kill between the file
 * and its line. The lines follow from the tasks. A line that is newer than its task stays. At the start of a window an older line stays too if it has
 * the bytes of the file.
 */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAbort } from "../../base/async/abort";
import { LoopPause } from "../../base/async/loopPause";
import type { Clock } from "../../base/clock";
import { asRecord, parseJson } from "../../base/jsonValue";
import { definedFields } from "../../base/definedFields";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { Event } from "../../base/event";
import { isLockPath, type LockEntry, type LockFile, writePromptPlace } from "../../domain/lock/lockFile";
import type { Log } from "../../domain/ports";
import { acceptedOf } from "../../domain/task/phase";
import type { TaskBoard } from "../board/board";
import { type PlacedFile, placedFiles } from "../results/placedTasks";
import { fileStem } from "../results/resultNames";
import { resultFile } from "../results/resultFile";
import { factsOfBytes, maxMarked } from "./fileMarks";
import { hashBelow, type HashedFile, readBelow, sha256Of } from "./lockedFiles";
import { changeLock, lockOf, type LockOutcome, type LockWriterOptions } from "./lockWriter";

export interface LockKeeperOptions extends LockWriterOptions {
  readonly board: Pick<TaskBoard, "all" | "onDidChange">;
  readonly clock: Clock;
  readonly log: Log;
  /** The paths of the folders on this machine that the window has open; none while it is not trusted. */
  readonly roots: () => readonly string[];
  readonly onDidChangeRoots: Event<unknown>;
  /** The folder of the results, where earlier versions kept a file with facts next to each. */
  readonly results: string;
  readonly onWritten?: (root: string, outcome: LockOutcome) => void;
}

/** Milliseconds in which changes are gathered before the locks are written. */
const gathering = 100;
/** Milliseconds between a failure and the next attempt. */
const retryDelay = 10_000;
/** The most bytes that are read of the file with facts that an earlier version wrote next to a result. */
const maxFacts = 64 * 1024;

/** A file whose line in the lock may be missing or old, with its path from the root. */
interface Due {
  readonly path: string;
  readonly placed: PlacedFile;
}

interface Change {
  /** `undefined` removes the line. */
  readonly entry?: LockEntry;
  /** The hash of the file's bytes, unless they are known to be those of the result that was placed last. */
  readonly otherSha256?: string;
}

export class LockKeeper implements Disposable {
  readonly #options: LockKeeperOptions;
  readonly #pause = new LoopPause();
  readonly #ended = new AbortController();
  readonly #registrations = new DisposableStore();
  /** By root and path: the `at` of the placed file that this window has compared with the lock, so that it is not looked at again. */
  readonly #known = new Map<string, number>();
  /** The roots whose lock this window has compared with its tasks once. */
  readonly #kept = new Set<string>();
  #loop: Promise<void> | undefined;

  constructor(options: LockKeeperOptions) {
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

  /** Brings all locks up to date once. Rejects with the file system's error, after the other folders were done. */
  async keep(): Promise<void> {
    const { board, roots, onWritten } = this.#options;
    const open = roots();
    if (open.length === 0) return;
    const placed = placedFiles(board.all.values());
    const failures: unknown[] = [];
    for (const root of open) {
      try {
        const due = this.#dueIn(root, placed, open);
        const isStart = !this.#kept.has(root);
        const outcome = due.length === 0 ? undefined : await this.#keepIn(root, due, isStart);
        this.#kept.add(root);
        if (outcome === undefined) continue;
        for (const { path, placed: one } of due) this.#known.set(`${root}\0${path}`, one.at);
        onWritten?.(root, outcome);
      } catch (failure) {
        if (isAbort(failure)) throw failure;
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async #runLoop(): Promise<void> {
    const { board, clock, log, onDidChangeRoots } = this.#options;
    const { signal } = this.#ended;
    this.#registrations.add(board.onDidChange(() => this.#pause.end()));
    this.#registrations.add(onDidChangeRoots(() => this.#pause.end()));
    this.#pause.end();
    while (!signal.aborted) {
      try {
        await this.#pause.wait(Infinity, clock, signal);
        await clock.delay(gathering, signal);
        await this.keep();
      } catch (error) {
        if (isAbort(error)) return;
        log.warn("sluice.lock could not be written.", { message: String(error) });
        this.#pause.end();
        await clock.delay(retryDelay, signal).catch(() => undefined);
      }
    }
  }

  /** The files whose lines this window does not know to be in the lock. */
  #dueIn(root: string, placed: ReadonlyMap<string, PlacedFile>, open: readonly string[]): readonly Due[] {
    const due: Due[] = [];
    // Where one folder is inside another one, only the inner one lists the file.
    const inner = open.filter((other) => other.length > root.length);
    for (const [file, one] of placed) {
      const path = pathBelow(root, file);
      if (inner.some((other) => pathBelow(other, file) !== undefined)) continue;
      if (path !== undefined && this.#known.get(`${root}\0${path}`) !== one.at) due.push({ path, placed: one });
    }
    return due;
  }

  /** `isStart`: this window has not compared the lock of this root before. */
  async #keepIn(root: string, due: readonly Due[], isStart: boolean): Promise<LockOutcome> {
    // The lock is read first, without waiting for the writer's turn, because at a start it nearly always has every line already.
    const lock = await lockOf(root);
    const changes = new Map<string, Change>();
    const taken: string[] = [];
    for (const { path, placed } of due) {
      if (!isDue(lock, path, placed)) continue;
      this.#ended.signal.throwIfAborted();
      if (placed.isForgotten === true) changes.set(path, {});
      else {
        const change = await this.#changeOf(root, path, placed);
        if (change !== undefined && isStart && isListed(lock, path, change)) continue;
        if (change !== undefined) changes.set(path, change);
        taken.push(this.#factsOf(placed));
      }
    }
    if (changes.size === 0) return "unchanged";
    const stillDue = (now: LockFile): ReadonlyMap<string, LockEntry | undefined> =>
      new Map(
        due.flatMap(({ path, placed }) => {
          const change = changes.get(path);
          const isWritten =
            change !== undefined && isDue(now, path, placed) && !(isStart && isListed(now, path, change));
          return isWritten ? [[path, change.entry] as const] : [];
        }),
      );
    const outcome = await changeLock(this.#options, root, stillDue, this.#ended.signal);
    // The facts are in the lock and on the board now, so their files are removed.
    if (outcome !== "refused") for (const facts of taken) await rm(facts, { force: true });
    return outcome;
  }

  #factsOf({ task }: PlacedFile): string {
    return join(this.#options.results, `${fileStem(task)}.json`);
  }

  /** `undefined` where the file is gone or can't be read. */
  async #changeOf(root: string, path: string, placed: PlacedFile): Promise<Change | undefined> {
    const { task, at } = placed;
    const submission = acceptedOf(task);
    const found = await hashBelow(root, path, undefined, maxMarked);
    if (submission === undefined || typeof found === "string") return undefined;
    const { intent } = task;
    const { remote } = submission;
    // The line has the hash of the result on this machine, which is what was placed: the check is to find a file that was changed since.
    const isResult =
      submission.placement?.state === "placed" &&
      submission.placement.file === placed.file &&
      intent.destination?.exact === undefined;
    const result = isResult ? await this.#hashOfResult(placed) : undefined;
    const source = intent.promptSource;
    const document = source && pathBelow(root, source.document);
    const known = remote.assets?.kind === "assets" ? remote.assets.seed : undefined;
    const seed = known ?? (await this.#seedBefore(placed));
    const entry: LockEntry = {
      path,
      ...factsOfBytes(result ?? found),
      promptSha256: sha256Of(intent.prompt),
      model: (remote.model ?? intent.model).slice(0, 1000),
      task: submission.taskId.slice(0, 1000),
      at: new Date(at).toISOString(),
      ...definedFields({
        prompt: source && document !== undefined ? writePromptPlace(document, source.heading) : undefined,
        optionsSha256: source && document !== undefined ? source.optionsSha256 : undefined,
        seed: Number.isSafeInteger(seed) ? seed : undefined,
        rehearsed: intent.isRehearsal,
      }),
    };
    return { entry, ...(result?.sha256 === found.sha256 ? {} : { otherSha256: found.sha256 }) };
  }

  async #hashOfResult({ task }: PlacedFile): Promise<HashedFile | undefined> {
    const path = resultFile(task)?.path;
    if (path === undefined || dirname(path) !== this.#options.results) return undefined;
    const found = await hashBelow(
      this.#options.results,
      path.slice(this.#options.results.length + 1),
      undefined,
      maxMarked,
    ).catch(() => "missing" as const);
    return typeof found === "string" ? undefined : found;
  }

  /** The seed in the file that an earlier version wrote next to the result. */
  async #seedBefore({ task }: PlacedFile): Promise<number | undefined> {
    const { results } = this.#options;
    const text = await readBelow(results, `${fileStem(task)}.json`, maxFacts).catch(() => "missing" as const);
    if (typeof text === "string") return undefined;
    const seed = asRecord(parseJson(text.toString("utf8")))?.["seed"];
    return typeof seed === "number" ? seed : undefined;
  }
}

/** Whether the tasks know of something newer than the line. A forgotten file has no line. */
function isDue({ entries }: LockFile, path: string, { at, isForgotten, task }: PlacedFile): boolean {
  const [line] = entries.get(path) ?? [];
  if (isForgotten === true) return line !== undefined && line.task === acceptedOf(task)?.taskId;
  return line === undefined || (line.at ?? "") < new Date(at).toISOString();
}

/**
 * Whether the file has the bytes that a line lists, and not those that were placed last. After a checkout of the file and its lock that older line is
 * right. This counts at the start of a window only: later, a file that was made again may have the bytes that it had before, and needs a new line.
 */
function isListed({ entries }: LockFile, path: string, { otherSha256 }: Change): boolean {
  return otherSha256 !== undefined && (entries.get(path) ?? []).some(({ sha256 }) => sha256 === otherSha256);
}

/** The path from the folder, with `/`; `undefined` for a file that is not below it, or that a lock can't name. */
function pathBelow(root: string, file: string): string | undefined {
  if (!file.startsWith("file:")) return undefined;
  let path: string;
  try {
    path = fileURLToPath(file);
  } catch {
    return undefined;
  }
  const top = /[/\\]$/.test(root) ? root : `${root}${process.platform === "win32" ? "\\" : "/"}`;
  if (!path.startsWith(top)) return undefined;
  const below = path.slice(top.length).replaceAll("\\", "/");
  return isLockPath(below) ? below : undefined;
}
