/**
 * Writes the records of one session: gathers them for a moment, joins adjacent deltas, and keeps what the disk does not take until
 * it does. The chat never waits for it but before a request and before a tool that may change something.
 */
import { AppendOnlyFile } from "../../base/appendOnlyFile";
import { abortable } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { SerialQueue } from "../../base/async/serialQueue";
import { type ReadonlyStore, Store } from "../../base/store";
import { type AppError, storageError } from "../../domain/errors/appError";
import { mergeSessionEvents } from "../../domain/chat/mergeSessionEvents";
import { isEvent, type SessionRecord, writeRecord } from "./records";

/** Milliseconds for which records are gathered: a kill loses at most these, and a long answer makes few lines. */
const gatherTime = 300;
/** Milliseconds until a write that failed is tried again. */
const retryTime = 3000;
/** Milliseconds for which a request or a tool waits for a disk that does not respond. */
const patience = 5000;

export interface SessionWriterOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Opens the file for writing; a test gives one whose disk is full. */
  readonly open?: (path: string) => Promise<Pick<AppendOnlyFile, "append" | "sync" | "close">>;
}

export class SessionWriter {
  readonly #options: Required<SessionWriterOptions>;
  readonly #trouble = new Store<AppError | undefined>(undefined);
  readonly #queue = new SerialQueue();
  readonly #ended = new AbortController();
  #file: Awaited<ReturnType<Required<SessionWriterOptions>["open"]>> | undefined;
  #gathered: SessionRecord[] = [];
  /** Lines that were handed to the file and may be on the disk in part: they are written again as they are. */
  #unwritten = "";
  #isScheduled = false;

  constructor(options: SessionWriterOptions) {
    this.#options = { open: (path) => AppendOnlyFile.open(path), ...options };
  }

  /** Why records are not on the disk now; they are kept and written when it is possible again. */
  get trouble(): ReadonlyStore<AppError | undefined> {
    return this.#trouble;
  }

  add(record: SessionRecord): void {
    const last = this.#gathered.at(-1);
    const merged = last && isEvent(last) && isEvent(record) ? mergeSessionEvents(last, record) : undefined;
    if (merged) this.#gathered[this.#gathered.length - 1] = merged;
    else this.#gathered.push(record);
    this.#schedule(this.#trouble.current ? retryTime : gatherTime);
  }

  /** Writes what was added so far and waits until the disk has it, or has refused it. Never rejects. */
  flush(): Promise<void> {
    return this.#queue.run(() => this.#write(true));
  }

  /** As `flush`, for what must not wait for long: rejects only with an abort. */
  async settle(signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const limit = this.#options.clock.delay(patience, done.signal).catch(() => undefined);
    try {
      await abortable(Promise.race([this.flush(), limit]), signal);
    } finally {
      done.abort();
    }
  }

  /** Writes the rest and closes the file. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.flush();
    await this.#queue.run(() => this.#closeFile());
  }

  #schedule(delay: number): void {
    if (this.#isScheduled || this.#ended.signal.aborted) return;
    this.#isScheduled = true;
    this.#options.clock.delay(delay, this.#ended.signal).then(
      () => {
        this.#isScheduled = false;
        void this.#queue.run(() => this.#write(false));
      },
      () => undefined,
    );
  }

  async #write(syncs: boolean): Promise<void> {
    this.#unwritten += this.#gathered.map(writeRecord).join("");
    this.#gathered = [];
    try {
      if (this.#unwritten !== "") {
        this.#file ??= await this.#options.open(this.#options.path);
        await this.#file.append(this.#unwritten);
        this.#unwritten = "";
      }
      if (syncs) await this.#file?.sync();
      this.#trouble.set(undefined);
    } catch (failure) {
      const { error } = storageError(failure);
      if (this.#trouble.current?.code !== error.code) this.#trouble.set(error);
      this.#schedule(retryTime);
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}
