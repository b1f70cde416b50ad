/** Find in Chat in the host: searches the shown chat for the page's query, and again, at most every 300 ms, as the chat changes. */
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { ReadonlyStore } from "../../base/store";
import { FindInChat } from "../session/findInChat";
import type { ChatSession } from "../session/session";
import type { Chat } from "../../domain/chat/chat";
import type { ChatPageMessage } from "../contract/chatPageContract";

export interface ChatFindPorts {
  readonly session: ReadonlyStore<Pick<ChatSession, "chat" | "onDidEmit">>;
  readonly clock: Clock;
  readonly post: (message: ChatPageMessage) => void;
}

/** Milliseconds between two searches of a chat that changes. */
const pace = 300;

export class ChatFind implements Disposable {
  readonly #ports: ChatFindPorts;
  #search = new AbortController();

  constructor(ports: ChatFindPorts) {
    this.#ports = ports;
  }

  /** Searches the chat, also the one that is shown after it, until the next call. An empty query ends that. */
  ask(query: string): void {
    this.#search.abort();
    this.#search = new AbortController();
    if (query !== "") void this.#run(query, this.#search.signal);
  }

  dispose(): void {
    this.#search.abort();
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    const { session, clock, post } = this.#ports;
    const finder = new FindInChat(query);
    try {
      for (;;) {
        const { chat } = session.current;
        const hits = await finder.find(chat, signal);
        post({ type: "chat-found", chat: chat.id, query, hits });
        await this.#changed(chat, signal);
        await clock.delay(pace, signal);
      }
    } catch (failure) {
      if (!isAbort(failure)) throw failure;
    }
  }

  /** Resolves when the chat is another one than that, or the signal aborts. */
  #changed(chat: Chat, signal: AbortSignal): Promise<void> {
    const { session } = this.#ports;
    return new Promise((resolve) => {
      const listening = new DisposableStore();
      const done = (): void => {
        listening.dispose();
        resolve();
      };
      listening.add(session.onDidChange(done));
      listening.add(session.current.onDidEmit(done));
      signal.addEventListener("abort", done, { once: true });
      if (session.current.chat !== chat) done();
    });
  }
}
