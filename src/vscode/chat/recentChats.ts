/** The last chats for the page of an empty one: read from the folder when one is shown, after the page and not before it. */
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import type { ChatSession } from "../../chat/session";
import { recentSessions } from "../../chat/sessions/recentSessions";
import type { SessionFolder } from "../../chat/sessions/sessionFolder";
import type { RecentChat } from "../../protocol/chatPageContract";

/** Chats in the list. */
const length = 5;

export class RecentChats implements Disposable {
  readonly #session: ReadonlyStore<Pick<ChatSession, "chat">>;
  readonly #folder: SessionFolder;
  readonly #list = new Store<readonly RecentChat[]>([]);
  readonly #registrations = new DisposableStore();
  readonly #ended = new AbortController();

  constructor(session: ReadonlyStore<Pick<ChatSession, "chat">>, folder: SessionFolder) {
    this.#session = session;
    this.#folder = folder;
    this.#registrations.add(session.onDidChange(() => this.refresh()));
    this.refresh();
  }

  get list(): ReadonlyStore<readonly RecentChat[]> {
    return this.#list;
  }

  /** Reads the folder again, if the shown chat is empty. */
  refresh(): void {
    if (this.#session.current.chat.entries.length > 0) return;
    recentSessions(this.#folder, length, this.#ended.signal).then(
      (list) => this.#list.set(list),
      // Without the folder there are none; trouble with the disk is reported where a chat is stored.
      () => undefined,
    );
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#ended.abort();
  }
}
