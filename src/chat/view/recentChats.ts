/** The last chats, listed on the page of an empty chat. The folder is read only once an empty chat is shown, so that it does not delay the page. */
import { definedFields } from "../../base/definedFields";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import type { ChatSession } from "../session/session";
import type { Event } from "../../base/event";
import type { SessionFolder } from "../storage/sessionFolder";
import type { RecentChat } from "../contract/chatPageContract";
import { readFirstPrompt } from "../storage/firstPrompt";
import { titleOfPrompt } from "../storage/records";

/** The number of chats in the list. */
const length = 5;

/** The chats that are open in this window. Only an open chat can wait for the person. */
export interface OpenChats {
  readonly open: ReadonlyMap<string, { readonly session: Pick<ChatSession, "waitingCount"> }>;
  readonly onDidChange: Event<void>;
}

export class RecentChats implements Disposable {
  readonly #folder: Pick<SessionFolder, "list" | "fileOf">;
  readonly #chats: OpenChats;
  readonly #list = new Store<readonly RecentChat[]>([]);
  readonly #listening = new DisposableStore();
  #reading = new AbortController();

  constructor(
    session: ReadonlyStore<Pick<ChatSession, "chat">>,
    folder: Pick<SessionFolder, "list" | "fileOf">,
    chats: OpenChats,
  ) {
    this.#folder = folder;
    this.#chats = chats;
    const refreshIfEmpty = (): void => {
      if (session.current.chat.entries.length === 0) this.refresh();
    };
    this.#listening.add(session.onDidChange(refreshIfEmpty));
    this.#listening.add(
      chats.onDidChange(() => {
        const { current } = this.#list;
        if (current.some(({ id, waits }) => this.#waits(id) !== waits)) this.#list.set(this.#marked(current));
      }),
    );
    refreshIfEmpty();
  }

  get list(): ReadonlyStore<readonly RecentChat[]> {
    return this.#list;
  }

  /** Reads the folder again, even while the view shows a chat, because a tab may show an empty one. A new reading aborts the previous one. */
  refresh(): void {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    recentSessions(this.#folder, length, signal).then(
      (list) => {
        if (!signal.aborted) this.#list.set(this.#marked(list));
      },
      // Without the folder there are no chats. Disk errors are reported where a chat is stored.
      () => undefined,
    );
  }

  #marked(list: readonly RecentChat[]): readonly RecentChat[] {
    return list.map(({ id, title, at }) => ({ id, title, at, ...definedFields({ waits: this.#waits(id) }) }));
  }

  #waits(id: string): true | undefined {
    return (this.#chats.open.get(id)?.session.waitingCount ?? 0) > 0 || undefined;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#reading.abort();
  }
}

/** A session in the list of the last ones, which is made from the times of the files. The index need not be loaded for it. */
export interface RecentSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The newest come first. Sessions without a prompt are left out. Rejects with the error of the file system or the signal's reason. */
export async function recentSessions(
  folder: Pick<SessionFolder, "list" | "fileOf">,
  count: number,
  signal: AbortSignal,
): Promise<readonly RecentSession[]> {
  const recent: RecentSession[] = [];
  const files = [...(await folder.list())].sort((one, other) => other.changedAt - one.changedAt);
  for (const { id, changedAt } of files) {
    if (recent.length === count) break;
    // A file may be deleted meanwhile.
    const title = await readTitle(folder.fileOf(id), signal).catch(() => "");
    signal.throwIfAborted();
    if (title !== "") recent.push({ id, title, at: changedAt });
  }
  return recent;
}

async function readTitle(path: string, signal: AbortSignal): Promise<string> {
  const { prompt, named } = await readFirstPrompt(path, signal);
  return named === "" ? titleOfPrompt(prompt) : named;
}
