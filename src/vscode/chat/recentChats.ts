/** The last chats for the page of an empty one: read from the folder when one is shown, after the page and not before it. */
import type { Disposable } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import type { ChatSession } from "../../chat/session";
import { recentSessions } from "../../chat/sessions/recentSessions";
import type { SessionFolder } from "../../chat/sessions/sessionFolder";
import type { RecentChat } from "../../protocol/chatPageContract";

/** Chats in the list. */
const length = 5;

export class RecentChats implements Disposable {
  readonly #folder: Pick<SessionFolder, "list" | "fileOf">;
  readonly #list = new Store<readonly RecentChat[]>([]);
  readonly #listening: Disposable;
  #reading = new AbortController();

  constructor(session: ReadonlyStore<Pick<ChatSession, "chat">>, folder: Pick<SessionFolder, "list" | "fileOf">) {
    this.#folder = folder;
    const refreshIfEmpty = (): void => {
      if (session.current.chat.entries.length === 0) this.refresh();
    };
    this.#listening = session.onDidChange(refreshIfEmpty);
    refreshIfEmpty();
  }

  get list(): ReadonlyStore<readonly RecentChat[]> {
    return this.#list;
  }

  /** Reads the folder again, also while the view shows a chat: a tab may show an empty one. A reading that is under way is dropped. */
  refresh(): void {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    recentSessions(this.#folder, length, signal).then(
      (list) => {
        if (!signal.aborted) this.#list.set(list);
      },
      // Without the folder there are none; trouble with the disk is reported where a chat is stored.
      () => undefined,
    );
  }

  dispose(): void {
    this.#listening.dispose();
    this.#reading.abort();
  }
}
