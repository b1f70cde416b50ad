/** A session with its file: written by this window, or followed while another window writes it. */
import { stat } from "node:fs/promises";
import { isMissingFile } from "../../base/systemErrors";
import type { Clock } from "../../base/clock";
import type { Event } from "../../base/event";
import { FileLock } from "../../base/database/fileLock";
import { DisposableStore } from "../../base/disposable";
import { SerialQueue } from "../../base/async/serialQueue";
import { type ReadonlyStore, Store } from "../../base/store";
import type { Log } from "../../domain/ports";
import type { Chat, SessionEvent } from "../../domain/chat/chat";
import type { ChatSession } from "../session/session";
import type { SessionStorage } from "../session/sessionOptions";
import { AppendOnlyFile } from "../../base/appendOnlyFile";
import { abortable } from "../../base/async/abort";
import { type AppError, storageError } from "../../domain/errors/appError";
import {
  readRecords,
  readSession,
  headerOf,
  isEvent,
  type MetaRecord,
  reduceSession,
  type SessionRecord,
  sessionFileVersion,
  type SessionState,
  writeRecord,
  addRecord,
} from "./records";
import type { SessionFolder } from "./sessionFolder";

export type SessionAccess =
  | { readonly state: "writing" }
  /** Another window writes the chat, or did so until it was closed. */
  | { readonly state: "following"; readonly isWriterGone: boolean }
  /** A later version of the product has written the file, so it is only read. */
  | { readonly state: "newer" };

export interface StoredSessionOptions {
  readonly folder: SessionFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly createSession: (stored: Chat, storage: SessionStorage) => ChatSession;
}

/** Milliseconds between two looks at the file that another window writes. */
const followPace = 500;
/** Milliseconds for which a window that was reloaded waits for its former process to end. */
const reloadPatience = 15_000;

export class StoredSession implements SessionStorage {
  readonly session: ChatSession;
  readonly id: string;
  readonly #options: StoredSessionOptions;
  readonly #writer: SessionWriter;
  readonly #access: Store<SessionAccess>;
  readonly #state: Store<SessionState>;
  readonly #listening = new DisposableStore();
  readonly #ended = new AbortController();
  /** Reads what another window wrote, and takes over from it, one after the other. */
  readonly #reading = new SerialQueue();
  #lock: FileLock | undefined;
  /** The offset up to which the file was read. */
  #read: number;
  #closed: Promise<void> | undefined;

  private constructor(options: StoredSessionOptions, state: SessionState, read: number, access: SessionAccess) {
    this.#options = options;
    this.#read = read;
    this.id = state.chat.id;
    this.#access = new Store(access);
    this.#state = new Store(state);
    this.#writer = new SessionWriter({ path: options.folder.fileOf(this.id), clock: options.clock });
    this.session = options.createSession(state.chat, this);
  }

  /** Creates a session without a file. Its first event creates the file. */
  static create(options: StoredSessionOptions, empty: SessionState): StoredSession {
    const created = new StoredSession(options, empty, 0, { state: "writing" });
    created.#record();
    return created;
  }

  /** `isReload`: this window had it open. Rejects with the error of the file system, `ENOENT` where there is no such session. */
  static async open(options: StoredSessionOptions, id: string, isReload: boolean): Promise<StoredSession> {
    const { folder, clock, log } = options;
    const path = folder.fileOf(id);
    const { mtimeMs } = await stat(path);
    // The lock is taken before the file is read, so that no other window writes after that.
    const lock = takeLock(options, id);
    try {
      const { session, unreadable, end } = await readSession(path, id, new AbortController().signal);
      // A crash may have lost the header. The time of the file then stands in for the time of creation.
      const state = session.createdAt === 0 ? { ...session, createdAt: mtimeMs } : session;
      if (unreadable > 0) log.warn("Some lines of a stored chat could not be read.", { count: unreadable });
      const isNewer = state.version > sessionFileVersion;
      const access: SessionAccess = isNewer
        ? { state: "newer" }
        : lock
          ? { state: "writing" }
          : { state: "following", isWriterGone: false };
      const opened = new StoredSession(options, state, end, access);
      if (access.state === "writing") {
        opened.#lock = lockOf(lock);
        opened.#record();
        opened.session.interrupt();
      } else {
        lockOf(lock)?.release();
        if (!isNewer) void opened.#follow(isReload ? clock.now() + reloadPatience : 0);
      }
      return opened;
    } catch (error) {
      lockOf(lock)?.release();
      throw error;
    }
  }

  get access(): ReadonlyStore<SessionAccess> {
    return this.#access;
  }

  /** The title, the pin and what else is stored with the chat; its `chat` is the session's. */
  get state(): SessionState {
    return { ...this.#state.current, chat: this.session.chat };
  }

  /** Fires when the title or the pin has changed. */
  get onDidChangeState(): Event<unknown> {
    return this.#state.onDidChange;
  }

  get writeError(): SessionWriter["writeError"] {
    return this.#writer.writeError;
  }

  get isWritable(): boolean {
    return this.#access.current.state === "writing" && !this.#ended.signal.aborted;
  }

  async takeOver(): Promise<boolean> {
    return this.#reading.run(() => this.#takeOver());
  }

  flush(signal: AbortSignal): Promise<void> {
    return this.#writer.flushBriefly(signal);
  }

  /** Stores a title or a pin; false while another window writes the chat. */
  async change(record: MetaRecord): Promise<boolean> {
    if (!this.isWritable && !(await this.takeOver())) return false;
    this.#state.set(reduceSession(this.#state.current, record));
    this.#write(record);
    await this.#writer.flush();
    return true;
  }

  /**
   * Ends a turn that runs, writes the rest and lets other windows write. In the file the turn stays open, because it was cut. `reason`: that of the
   * turn's abort.
   */
  close(reason?: Error): Promise<void> {
    return (this.#closed ??= this.#close(reason));
  }

  async #close(reason: Error | undefined): Promise<void> {
    this.#listening.dispose();
    this.#ended.abort();
    this.session.stop(reason);
    await this.#reading.idle();
    await this.#writer.close();
    this.#lock?.release();
    this.#lock = undefined;
  }

  get hasTitle(): boolean {
    return this.#state.current.title !== undefined;
  }

  async setTitle(title: string): Promise<void> {
    if (this.isWritable) await this.change({ type: "title-set", title });
  }

  /** Writes every event from now on. */
  #record(): void {
    this.#listening.add(
      this.session.onDidEmit((event) => {
        this.#write(event);
        if (isMilestone(event)) void this.#writer.flush();
      }),
    );
  }

  #write(record: SessionRecord): void {
    if (this.#read === 0) {
      // The first record creates the file: until now there was nothing that another window could lock.
      this.#lock ??= lockOf(takeLock(this.#options, this.id));
      this.#read = 1;
      this.#writer.add(headerOf(this.#state.current));
    }
    this.#writer.add(record);
  }

  /** Reads what the other window writes, until this one takes over. `until`: the time at which waiting for the former process ends. */
  async #follow(until: number): Promise<void> {
    const { clock } = this.#options;
    while (this.#isFollowing()) {
      await clock.delay(followPace, this.#ended.signal).catch(() => undefined);
      await this.#reading.run(() => this.#look(until));
    }
  }

  async #look(until: number): Promise<void> {
    if (!this.#isFollowing()) return;
    try {
      await this.#readOn();
    } catch (error) {
      if (!this.#ended.signal.aborted && !isMissingFile(error))
        this.#options.log.warn("A chat of another window could not be read.", { message: String(error) });
      return;
    }
    if (this.#options.clock.now() < until) {
      await this.#takeOver();
      return;
    }
    const lock = takeLock(this.#options, this.id);
    lockOf(lock)?.release();
    const { current } = this.#access;
    const isWriterGone = lock !== undefined;
    if (current.state === "following" && current.isWriterGone !== isWriterGone)
      this.#access.set({ state: "following", isWriterGone });
  }

  #isFollowing(): boolean {
    return this.#access.current.state === "following" && !this.#ended.signal.aborted;
  }

  async #readOn(): Promise<void> {
    const path = this.#options.folder.fileOf(this.id);
    const { size } = await stat(path);
    if (size <= this.#read) return;
    await readRecords(path, this.#read, this.#ended.signal, (record, _start, end) => {
      this.#read = end;
      if (record !== undefined) this.#receive(record);
      return true;
    });
  }

  #receive(record: SessionRecord): void {
    if (isEvent(record)) this.session.receive(record);
    else this.#state.set(reduceSession(this.#state.current, record));
  }

  async #takeOver(): Promise<boolean> {
    if (!this.#isFollowing()) return this.isWritable;
    const lock = takeLock(this.#options, this.id);
    if (lock === undefined) return false;
    this.#lock = lockOf(lock);
    try {
      await this.#readOn();
    } catch (error) {
      this.#options.log.warn("A chat could not be taken over.", { message: String(error) });
      this.#lock?.release();
      this.#lock = undefined;
      return false;
    }
    this.#access.set({ state: "writing" });
    this.#record();
    this.session.interrupt();
    return true;
  }
}

/** `none`: the disk has no locks, as some network drives. `AppendOnlyFile` still does not write to a file that another process has grown. */
function takeLock({ folder, log }: StoredSessionOptions, id: string): FileLock | "none" | undefined {
  try {
    return FileLock.take(folder.lockOf(id));
  } catch (error) {
    log.warn("A chat can't be locked.", { message: String(error) });
    return "none";
  }
}

function lockOf(lock: FileLock | "none" | undefined): FileLock | undefined {
  return lock === "none" ? undefined : lock;
}

/** Events that are flushed to the disk (fsync) at once, so that a power cut does not lose the end of an answer. */
function isMilestone(event: SessionEvent): boolean {
  switch (event.type) {
    case "answer-ended":
    case "task-added":
    case "turn-ended":
    case "turn-interrupted":
    case "summary-switched":
    case "message-pinned":
    case "instructions-added":
    case "instructions-removed":
    case "mode-set":
    case "model-set":
    case "effort-set":
    case "plan-edited":
    case "plan-written":
    case "tokens-spent":
      return true;
    case "tool-progress":
      return !["ready", "waiting", "asking"].includes(event.progress.state);
    case "prompt-added":
    case "prompt-queued":
    case "prompt-unqueued":
    case "prompt-rescheduled":
    case "queue-released":
    case "image-stored":
    case "attachments-read":
    case "environment-read":
    case "instructions-offered":
    case "entries-replaced":
    case "branch-switched":
    case "chat-imported":
    case "plan-told":
    case "edits-told":
    case "turn-started":
    case "answer-started":
    case "summary-started":
    case "answer-retry":
    case "answer-event":
    case "answer-continued":
    case "calls-written":
    case "tool-reading":
    case "tool-activity":
    case "tool-step":
    case "tool-output":
      return false;
  }
}

/** Milliseconds for which records are gathered, so that a long answer makes few lines. A kill loses the records of at most this time. */
const gatherTime = 300;
/** Milliseconds until a write that failed is tried again. */
const retryTime = 3000;
/** Milliseconds for which a request or a tool waits for a disk that does not respond. */
const maxFlushWait = 5000;

export interface SessionWriterOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Opens the file for writing; a test gives one whose disk is full. */
  readonly open?: (path: string) => Promise<Pick<AppendOnlyFile, "append" | "sync" | "close">>;
}

export class SessionWriter {
  readonly #options: Required<SessionWriterOptions>;
  readonly #writeError = new Store<AppError | undefined>(undefined);
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
  get writeError(): ReadonlyStore<AppError | undefined> {
    return this.#writeError;
  }

  add(record: SessionRecord): void {
    addRecord(this.#gathered, record);
    this.#schedule(this.#writeError.current ? retryTime : gatherTime);
  }

  /** Writes what was added so far and waits until the disk has it, or has refused it. Never rejects. */
  flush(): Promise<void> {
    return this.#queue.run(() => this.#write(true));
  }

  /** Like `flush`, but waits no longer than `maxFlushWait`. Rejects only with an abort. */
  async flushBriefly(signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const limit = this.#options.clock.delay(maxFlushWait, done.signal).catch(() => undefined);
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
      this.#writeError.set(undefined);
    } catch (failure) {
      const { error } = storageError(failure);
      if (this.#writeError.current?.code !== error.code) this.#writeError.set(error);
      this.#schedule(retryTime);
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}
