/** Holds which chat a page shows. A page is that of the view, or of an editor tab. */
import type { Disposable } from "../../base/disposable";
import type { Event } from "../../base/event";
import { definedFields } from "../../base/definedFields";
import { type ReadonlyStore, Store } from "../../base/store";
import type { FileReference } from "../../domain/chat/attachmentSchema";
import type { PromptResending, PromptSending } from "../../domain/chat/promptSending";
import type { ChatSession } from "../session/session";
import type { QuotedTexts } from "./quotedTexts";
import type { StoredSession } from "./storedSession";

/** The open sessions of the window, as a page uses them. */
export interface OpenSessions {
  /** Opens a new session. */
  readonly create: () => StoredSession;
  /** Calls `show` synchronously once the session is open, so that it can't be closed in between. Rejects with the error of the file system. */
  readonly withOpen: (id: string, show: (stored: StoredSession) => void) => Promise<void>;
  /** Keeps open what the page shows now, and closes what no page shows any more. */
  readonly onShow: (page: ShownChat, before: StoredSession) => void;
  readonly onDidChange: Event<void>;
  readonly quoted: QuotedTexts;
}

export class ShownChat implements Disposable {
  readonly #sessions: OpenSessions;
  readonly #session: Store<ChatSession>;
  #stored: StoredSession;
  /** Counts what was chosen, so that a chat that is read slowly does not replace a later choice. */
  #choice = 0;
  #isClosed = false;

  constructor(sessions: OpenSessions, first: StoredSession) {
    this.#sessions = sessions;
    this.#stored = first;
    this.#session = new Store(first.session);
  }

  /** The session of the chat that is shown. Another chat brings another session. */
  get session(): ReadonlyStore<ChatSession> {
    return this.#session;
  }

  /** The stored session of the chat that is shown, with its file, title and writer. */
  get stored(): StoredSession {
    return this.#stored;
  }

  /** Whether the page is gone and shows nothing any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The event `ChatSessions.onDidChange`. */
  get onDidChange(): Event<void> {
    return this.#sessions.onDidChange;
  }

  get isEmpty(): boolean {
    return this.#stored.session.chat.entries.length === 0;
  }

  /** Does what `ChatSession.submit` does. Also false where the prompt was written for `chat` and another chat is shown by now. */
  async submit(
    chat: string,
    text: string,
    references?: readonly FileReference[],
    how: Omit<PromptSending, "untrusted"> = {},
  ): Promise<boolean> {
    const sending = { ...how, ...definedFields({ untrusted: this.sourceOf(text) }) };
    return chat === this.#stored.id && this.#stored.session.submit(text, references, sending);
  }

  /** Calls `ChatSession.resend` of the chat that is shown. */
  resend(replaces: string, text: string, how: Omit<PromptResending, "untrusted"> = {}): Promise<boolean> {
    return this.#stored.session.resend(replaces, text, {
      ...how,
      ...definedFields({ untrusted: this.sourceOf(text) }),
    });
  }

  /** The source of the untrusted text that a prompt quotes, as shown to the person. */
  sourceOf(text: string): string | undefined {
    return this.#sessions.quoted.sourceOf(text);
  }

  /** Remembers an untrusted text that is put into a prompt. `source`: as shown to the person. */
  quote(text: string, source: string): void {
    this.#sessions.quoted.add(text, source);
  }

  /** Shows a new chat. One that is empty already stays. */
  create(): void {
    this.#choice += 1;
    if (!this.isEmpty) this.leave();
  }

  /** Shows a new chat instead, whatever is shown. */
  leave(): void {
    this.#show(this.#sessions.create());
  }

  /** Shows a chat, unless another one was chosen meanwhile. Rejects with the error of the file system, and then the same chat is shown as before. */
  async show(id: string): Promise<void> {
    this.#choice += 1;
    const choice = this.#choice;
    await this.#sessions.withOpen(id, (stored) => {
      if (choice === this.#choice) this.#show(stored);
    });
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sessions.onShow(this, this.#stored);
  }

  #show(stored: StoredSession): void {
    const before = this.#stored;
    if (stored === before || this.#isClosed) return;
    this.#stored = stored;
    this.#session.set(stored.session);
    this.#sessions.onShow(this, before);
  }
}
