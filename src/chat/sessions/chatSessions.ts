/** The chats of one window: the one that is shown, and those whose turns go on behind it (P4). */
import { randomUUID } from "node:crypto";
import type { Disposable } from "../../base/disposable";
import { DisposableStore } from "../../base/disposable";
import { Emitter, type Event } from "../../base/event";
import { type ReadonlyStore, Store } from "../../base/store";
import type { ChatSession } from "../session";
import { isMissing } from "../../base/appendOnlyFile";
import { isSessionId } from "./sessionFolder";
import { emptySession } from "./sessionRecords";
import { StoredSession, type StoredSessionPorts } from "./storedSession";

export interface ChatSessionsPorts extends StoredSessionPorts {
  /** The chat that this window shows, remembered across reloads. */
  readonly shownMemory: { read(): string | undefined; write(id: string): void };
  /** The folder in which a new chat begins. */
  readonly workspace: () => string | undefined;
}

export class ChatSessions implements Disposable {
  readonly #ports: ChatSessionsPorts;
  readonly #changed = new Emitter<void>();
  readonly #open = new Map<string, StoredSession>();
  readonly #listening = new Map<StoredSession, Disposable>();
  /** Closing, or open for a moment, so that whoever opens one waits: a session is locked against this window too. */
  readonly #closing = new Map<string, Promise<unknown>>();
  readonly #shown: Store<ChatSession>;
  #current: StoredSession;

  private constructor(ports: ChatSessionsPorts, first: StoredSession) {
    this.#ports = ports;
    this.#current = first;
    this.#shown = new Store(first.session);
    this.#add(first);
  }

  /** With the chat that this window showed last; a new one where that is gone or can't be read. Never rejects. */
  static async open(ports: ChatSessionsPorts): Promise<ChatSessions> {
    const { shownMemory, folder, clock, log } = ports;
    const id = shownMemory.read();
    let first: StoredSession | undefined;
    if (id !== undefined && isSessionId(id)) {
      first = await StoredSession.open(ports, id, true).catch((error: unknown) => {
        if (!isMissing(error)) log.warn("The last chat could not be opened.", { message: String(error) });
        return undefined;
      });
    }
    void folder.sweep(clock.now()).catch(() => undefined);
    return new ChatSessions(ports, first ?? createStored(ports));
  }

  /** The session that the window shows. */
  get shown(): ReadonlyStore<ChatSession> {
    return this.#shown;
  }

  get current(): StoredSession {
    return this.#current;
  }

  /** Those that are shown or run in this window. */
  get open(): ReadonlyMap<string, StoredSession> {
    return this.#open;
  }

  /** What is shown, who writes it, trouble with the disk, a session that began or ended to run or wait. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Shows a new chat. One that is empty already stays. */
  create(): void {
    if (this.#current.session.chat.entries.length === 0) return;
    this.#show(createStored(this.#ports));
  }

  /** Rejects with the error of the file system, and then the same chat is shown as before. */
  async show(id: string): Promise<void> {
    await this.#closing.get(id);
    const opened = this.#open.get(id) ?? (await StoredSession.open(this.#ports, id, false));
    // It was opened twice at the same time.
    const known = this.#open.get(id);
    if (known && known !== opened) await opened.close();
    this.#show(known ?? opened);
  }

  /** Takes a session out of this window before its file is moved. False while another window writes it. Rejects as `show` does. */
  async release(id: string): Promise<boolean> {
    const isFree = await this.use(id, async (stored) => {
      return stored.access.current.state === "newer" || (await stored.takeOver());
    });
    if (!isFree) return false;
    const known = this.#open.get(id);
    if (known === this.#current) this.#show(createStored(this.#ports));
    if (known) await this.#close(known);
    await this.#closing.get(id);
    return true;
  }

  /** For something that concerns a session's file: an open one, or one that is opened for that long. Rejects as `show` does. */
  async use<T>(id: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    await this.#closing.get(id);
    const known = this.#open.get(id);
    if (known) return work(known);
    return this.#occupy(id, this.#useClosed(id, work));
  }

  dispose(): void {
    void this.close();
  }

  /** Ends what runs, as the end of the window does, and finishes writing. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((stored) => this.#close(stored)));
    await Promise.all(this.#closing.values());
  }

  #show(stored: StoredSession): void {
    const before = this.#current;
    if (stored === before) return;
    this.#current = stored;
    this.#add(stored);
    this.#ports.shownMemory.write(stored.id);
    this.#shown.set(stored.session);
    this.#closeUnused(before);
    this.#changed.fire();
  }

  #add(stored: StoredSession): void {
    if (this.#open.has(stored.id)) return;
    this.#open.set(stored.id, stored);
    const listening = new DisposableStore();
    const changed = (): void => this.#changed.fire();
    listening.add(stored.access.onDidChange(changed));
    listening.add(stored.trouble.onDidChange(changed));
    listening.add(
      stored.session.onDidEmit((event) => {
        const isFirst = event.type === "prompt-added" || event.type === "job-added";
        if (isFirst && this.#current === stored) this.#ports.shownMemory.write(stored.id);
        if (event.type === "turn-started" || event.type === "turn-interrupted") changed();
        if (event.type === "tool-progress" || event.type === "turn-ended") changed();
        if (event.type === "turn-ended") this.#closeUnused(stored);
      }),
    );
    this.#listening.set(stored, listening);
  }

  /** One that neither runs nor is shown. */
  #closeUnused(stored: StoredSession): void {
    if (stored !== this.#current && !stored.session.isRunning) void this.#close(stored);
  }

  #close(stored: StoredSession): Promise<void> {
    const { id } = stored;
    if (this.#open.get(id) === stored) this.#open.delete(id);
    this.#listening.get(stored)?.dispose();
    this.#listening.delete(stored);
    return this.#occupy(id, stored.close());
  }

  async #useClosed<T>(id: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    const opened = await StoredSession.open(this.#ports, id, false);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  #occupy<T>(id: string, work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.#closing.set(id, ended);
    void ended.then(() => {
      if (this.#closing.get(id) === ended) this.#closing.delete(id);
    });
    return work;
  }
}

function createStored(ports: ChatSessionsPorts): StoredSession {
  const empty = emptySession(randomUUID(), ports.clock.now(), ports.workspace());
  return StoredSession.create(ports, empty);
}
