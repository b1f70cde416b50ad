/** The chat's view: the transcript projected to the page, the page's intents to their handlers, and the badge for open approvals (P1, P3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import { mergeSessionEvents } from "../domain/mergeSessionEvents";
import type { Log } from "../domain/ports";
import type { SessionEvent } from "../domain/transcript";
import type { ChatSession } from "../chat/session";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import type { AttachmentMessage } from "../protocol/attachmentMessages";
import { entriesPage } from "../protocol/chatPages";
import { lightChat, lightEntries, lightEvent, type MediaMessage } from "../protocol/mediaMessages";
import {
  type EditorIntent,
  type Handlers,
  type PanelIntent,
  type PanelSnapshot,
  type PanelStatus,
  readToHost,
  type ToView,
} from "../protocol/panelMessages";
import { withoutImageData, withoutImages } from "../protocol/imageMessages";
import { type ProjectedSource, Projector } from "../protocol/projector";
import { type JobContext, type JobStatePorts, JobStates, jobView } from "./jobStates";
import { showBadge } from "./show";
import { entryToReveal } from "../chat/findInChat";
import { wordsOf } from "../chat/index/searchText";
import { ChatFind } from "./chatFind";
import { mountPage, type WebviewPage } from "./webviewPage";

export interface ChatPanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly session: ReadonlyStore<ChatSession>;
  readonly chats: Pick<ChatSessions, "open" | "onDidChange">;
  readonly status: ReadonlyStore<PanelStatus>;
  readonly clock: Clock;
  readonly log: Log;
  /** The results folder on this machine: the page may load files of it. */
  readonly results: vscode.Uri;
  readonly board: JobStatePorts["board"];
  /** One for each intent of the page, except those that `mountPage` handles. */
  readonly handlers: Handlers<EditorIntent>;
  /** The translation bundle as JSON; absent in English. */
  readonly translations: string | undefined;
}

/** What VS Code has resolved of the view. */
interface ResolvedView {
  readonly view: vscode.WebviewView;
  readonly page: WebviewPage<ToView>;
}

export class ChatPanel implements vscode.WebviewViewProvider, Disposable {
  readonly #ports: ChatPanelPorts;
  readonly #registrations = new DisposableStore();
  readonly #projector: Projector<PanelSnapshot, SessionEvent>;
  readonly #find: ChatFind;
  readonly #jobs: JobStates;
  #resolved: ResolvedView | undefined;
  /** For the composer of a page that is not loaded yet. */
  #pending: ToView[] = [];

  constructor(ports: ChatPanelPorts) {
    this.#ports = ports;
    const { session, status, clock } = ports;
    const source = (shown: ChatSession): ProjectedSource<PanelSnapshot, SessionEvent> => ({
      get snapshot() {
        const { entries, older } = entriesPage(shown.chat);
        const more = older === 0 ? {} : { older };
        return { chat: lightChat({ ...withoutImages(shown.chat), entries }), status: status.current, ...more };
      },
      onDidEmit: (listener) => shown.onDidEmit((event) => listener(lightEvent(event))),
    });
    this.#projector = this.#registrations.add(
      new Projector({
        source: source(session.current),
        clock,
        post: (message) => this.#post(withoutImageData(message)),
        merge: mergeSessionEvents,
      }),
    );
    this.#find = this.#registrations.add(new ChatFind({ session, clock, post: (message) => this.#post(message) }));
    this.#jobs = this.#registrations.add(
      new JobStates({
        board: ports.board,
        clock,
        viewOf: (task) => jobView(task, this.#jobContext()),
        post: (jobs) => this.#post({ type: "jobs", jobs }),
      }),
    );
    this.#registrations.add(
      status.onDidChange(({ now }) => {
        if (this.#projector.isReady) this.#post({ type: "status", status: now });
      }),
    );
    this.#registrations.add(session.onDidChange(({ now }) => this.#projector.show(source(now))));
    this.#registrations.add(ports.chats.onDidChange(() => this.#updateBadge()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const isCurrent = (): boolean => this.#resolved?.view === view;
    const page = mountPage<PanelIntent, ToView>(view, {
      ...this.#ports,
      handlers: {
        ...this.#ports.handlers,
        "entries-request": ({ before, until }) => this.#sendOlder(before, until),
        "chat-find": ({ query }) => this.#find.ask(query),
        "jobs-watch": ({ tasks }) => this.#jobs.watch(tasks),
      },
      bundle: "chat",
      media: this.#ports.results,
      title: "Sluice",
      read: readToHost,
      onReady: () => {
        this.#projector.sendSnapshot();
        for (const message of this.#pending.splice(0)) this.#post(message);
      },
      onHidden: () => {
        if (!isCurrent()) return;
        this.#projector.pause();
        this.#find.ask("");
        this.#jobs.reset();
      },
    });
    view.onDidDispose(() => {
      if (isCurrent()) this.#resolved = undefined;
    });
    this.#resolved = { view, page };
    this.#updateBadge();
  }

  #sendOlder(before: string, until: string | undefined): void {
    const { chat } = this.#ports.session.current;
    const { entries, older } = entriesPage(chat, before, until);
    this.#post({ type: "entries", chat: chat.id, before, entries: lightEntries(entries), older });
  }

  #jobContext(): JobContext {
    const urlOf = (path: string): string =>
      this.#resolved?.view.webview.asWebviewUri(vscode.Uri.file(path)).toString() ?? "";
    return { now: this.#ports.clock.now(), locale: vscode.env.language, urlOf };
  }

  /** Has the composer's text submitted as a task, at the latest when the page is shown. */
  submitTask(): void {
    this.#postLater({ type: "composer-submit-task" });
  }

  /** That text became a task. */
  clear(text: string): void {
    this.#postLater({ type: "composer-clear", text });
  }

  /** The answer to `media-request`. */
  showMedia(message: MediaMessage): void {
    this.#post(message);
  }

  /** Opens the find bar, at the latest when the page is shown. */
  find(): void {
    this.#postLater({ type: "find-open" });
  }

  /** Shows a hit of a search over all chats, at the latest when the page is shown. False where it is in nothing that is shown. */
  reveal(hit: string, query: string): boolean {
    const { chat } = this.#ports.session.current;
    const words = wordsOf(query);
    const entry = entryToReveal(chat, hit, words);
    if (entry !== undefined) this.#postLater({ type: "entry-reveal", chat: chat.id, entry, words });
    return entry !== undefined;
  }

  /** Puts text into the composer, at the latest when the page is shown. */
  insert(text: string): void {
    this.#postLater({ type: "composer-insert", text });
  }

  /** For the prompt that is written, at the latest when the page is shown. */
  tell(message: AttachmentMessage): void {
    this.#postLater(message);
  }

  #postLater(message: ToView): void {
    if (this.#projector.isReady) this.#post(message);
    else this.#pending.push(message);
  }

  #post(message: ToView): void {
    this.#resolved?.page.post(message);
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #updateBadge(): void {
    if (!this.#resolved) return;
    const { view } = this.#resolved;
    // Also of chats that run behind the shown one.
    const count = [...this.#ports.chats.open.values()].reduce((sum, chat) => sum + chat.session.approvals.count, 0);
    if ((view.badge?.value ?? 0) === count) return;
    showBadge(view, count, t("{0} waiting for approval", count));
  }
}
