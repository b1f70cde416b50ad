/** The open chats of one window: those that the view and the editor tabs show, and those whose turns go on in the background (P4). */
import { randomUUID } from "node:crypto";
import { windowEnded } from "../../base/async/abort";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { Emitter, type Event } from "../../base/event";
import type { ReadonlyStore } from "../../base/store";
import type { ChatSession } from "../session/session";
import { isMissingFile } from "../../base/systemErrors";
import { isSessionId } from "./sessionFolder";
import { emptySession } from "./records";
import { type QuotedMemory, QuotedTexts } from "./quotedTexts";
import { type OpenSessions, ShownChat } from "./shownChat";
import { StoredSession, type StoredSessionOptions } from "./storedSession";

export interface ChatSessionsOptions extends StoredSessionOptions {
  /** The chat of this window's view, remembered across reloads. */
  readonly shownMemory: { read(): string | undefined; write(id: string): void };
  /** Stores the untrusted texts that prompts quote, for as long as the drafts of this workspace. */
  readonly quotedMemory: QuotedMemory;
  /** The folder in which a new chat begins. */
  readonly workspace: () => string | undefined;
  /** Whether something else of the chat runs, such as a command in the background, so that it stays open. `closeUnused` is called when that ends. */
  readonly isInUse: (chat: string) => boolean;
}

export class ChatSessions implements Disposable {
  readonly #options: ChatSessionsOptions;
  readonly #changed = new Emitter<void>();
  readonly #open = new Map<string, StoredSession>();
  readonly #listening = new Map<StoredSession, Disposable>();
  /** Sessions that are being opened, used or closed outside `#open`. The next one waits, because their lock excludes this window too. */
  readonly #locked = new Map<string, Promise<unknown>>();
  readonly #pages = new Set<ShownChat>();
  readonly #sessions: OpenSessions;
  /** The page of the view. */
  readonly view: ShownChat;

  private constructor(options: ChatSessionsOptions, first: StoredSession) {
    this.#options = options;
    this.#sessions = {
      create: () => createStored(options),
      withOpen: (id, show) => this.#withOpen(id, false, show),
      onShow: (page, before) => this.#onShow(page, before),
      onDidChange: this.#changed.event,
      quoted: new QuotedTexts(options.quotedMemory),
    };
    this.view = this.#addPage(first);
  }

  /** Opens the chat that the view showed last, or a new one where that is gone or can't be read. Never rejects. */
  static async open(options: ChatSessionsOptions): Promise<ChatSessions> {
    const { shownMemory, folder, clock, log } = options;
    const id = shownMemory.read();
    let first: StoredSession | undefined;
    if (id !== undefined && isSessionId(id)) {
      first = await StoredSession.open(options, id, true).catch((error: unknown) => {
        if (!isMissingFile(error)) log.warn("The last chat could not be opened.", { message: String(error) });
        return undefined;
      });
    }
    void folder.sweep(clock.now()).catch(() => undefined);
    return new ChatSessions(options, first ?? createStored(options));
  }

  /** The session that the view shows. */
  get shown(): ReadonlyStore<ChatSession> {
    return this.view.session;
  }

  get current(): StoredSession {
    return this.view.stored;
  }

  /** The sessions that are shown or run in this window, by id. */
  get open(): ReadonlyMap<string, StoredSession> {
    return this.#open;
  }

  /** Fires when a page shows another chat, and when a title, a writer, a failure to write or the running or waiting of a session has changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Creates a chat in the view. */
  create(): void {
    this.view.create();
  }

  /** Shows a chat in the view. Rejects as `ShownChat.show` does. */
  show(id: string): Promise<void> {
    return this.view.show(id);
  }

  /** Opens a page for that chat or for a new one. The caller disposes the page. `isReload`: this window had it open. Rejects as `show` does. */
  async openPage(id?: string, isReload = false): Promise<ShownChat> {
    if (id === undefined) return this.#addPage(createStored(this.#options));
    const opened = Promise.withResolvers<ShownChat>();
    await this.#withOpen(id, isReload, (stored) => opened.resolve(this.#addPage(stored)));
    return opened.promise;
  }

  /** The pages that show the chat. */
  pagesOf(id: string): readonly ShownChat[] {
    return [...this.#pages].filter(({ stored }) => stored.id === id);
  }

  /** Takes a session out of this window before its file is moved. False while another window writes it. Rejects as `show` does. */
  async release(id: string): Promise<boolean> {
    const isFree = await this.use(id, async (stored) => {
      return stored.access.current.state === "newer" || (await stored.takeOver());
    });
    if (!isFree) return false;
    // A page may have begun to open it meanwhile.
    do {
      for (const page of this.pagesOf(id)) page.leave();
      const known = this.#open.get(id);
      if (known) await this.#close(known);
      await this.#locked.get(id);
    } while (this.#open.has(id) || this.#locked.has(id));
    return true;
  }

  /** Does work on a session that is open, or is opened for that long. Rejects as `show` does. */
  async use<T>(id: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    // This loop is no function of its own, because another call could begin between its end and the next line.
    while (this.#locked.has(id)) await this.#locked.get(id);
    const known = this.#open.get(id);
    if (known) return work(known);
    return this.#occupy(id, this.#useClosed(id, work));
  }

  /** Closes the chats that stayed open only for work that has ended meanwhile. */
  closeUnused(): void {
    for (const stored of [...this.#open.values()]) this.#closeUnused(stored);
  }

  dispose(): void {
    void this.close();
  }

  /** Ends running turns as the end of the window does, and finishes writing. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((stored) => this.#close(stored, windowEnded)));
    await Promise.all(this.#locked.values());
  }

  #addPage(first: StoredSession): ShownChat {
    const page = new ShownChat(this.#sessions, first);
    this.#pages.add(page);
    this.#add(first);
    return page;
  }

  async #withOpen(id: string, isReload: boolean, show: (stored: StoredSession) => void): Promise<void> {
    while (this.#locked.has(id)) await this.#locked.get(id);
    const known = this.#open.get(id);
    if (known) show(known);
    else await this.#occupy(id, this.#openClosed(id, isReload, show));
  }

  async #openClosed(id: string, isReload: boolean, show: (stored: StoredSession) => void): Promise<void> {
    const opened = await StoredSession.open(this.#options, id, isReload);
    show(opened);
    // If the page was closed or shows something else, no page keeps the session open.
    if (this.#open.get(id) !== opened) await opened.close();
  }

  #onShow(page: ShownChat, before: StoredSession): void {
    if (page.isClosed) this.#pages.delete(page);
    else this.#add(page.stored);
    if (page === this.view) this.#options.shownMemory.write(page.stored.id);
    this.#closeUnused(before);
    this.#changed.fire();
  }

  #add(stored: StoredSession): void {
    if (this.#open.has(stored.id)) return;
    this.#open.set(stored.id, stored);
    const listening = new DisposableStore();
    const changed = (): void => this.#changed.fire();
    listening.add(stored.access.onDidChange(changed));
    listening.add(stored.writeError.onDidChange(changed));
    listening.add(stored.onDidChangeState(changed));
    listening.add(
      stored.session.onDidEmit((event) => {
        const isFirst = event.type === "prompt-added" || event.type === "task-added" || event.type === "mode-set";
        if (isFirst && this.current === stored) this.#options.shownMemory.write(stored.id);
        if (event.type === "turn-started" || event.type === "turn-interrupted") changed();
        if (event.type === "turn-ended") this.#closeUnused(stored);
        if (event.type === "tool-progress" || event.type === "turn-ended" || event.type === "plan-edited") changed();
      }),
    );
    this.#listening.set(stored, listening);
  }

  /** Closes a session that neither runs nor is shown by any page, has no prompt that is sent next, and has nothing else that runs. */
  #closeUnused(stored: StoredSession): void {
    const { session } = stored;
    const isShown = [...this.#pages].some((page) => page.stored === stored);
    const goesOn = session.chat.queue?.some(({ held }) => held !== true) === true;
    if (isShown || session.isRunning || goesOn || this.#options.isInUse(stored.id)) return;
    void this.#close(stored);
  }

  #close(stored: StoredSession, reason?: Error): Promise<void> {
    const { id } = stored;
    if (this.#open.get(id) === stored) this.#open.delete(id);
    this.#listening.get(stored)?.dispose();
    this.#listening.delete(stored);
    return this.#occupy(id, stored.close(reason));
  }

  async #useClosed<T>(id: string, work: (stored: StoredSession) => Promise<T>): Promise<T> {
    const opened = await StoredSession.open(this.#options, id, false);
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
    this.#locked.set(id, ended);
    void ended.then(() => {
      if (this.#locked.get(id) === ended) this.#locked.delete(id);
    });
    return work;
  }
}

function createStored(options: ChatSessionsOptions): StoredSession {
  const empty = emptySession(randomUUID(), options.clock.now(), options.workspace());
  return StoredSession.create(options, empty);
}
