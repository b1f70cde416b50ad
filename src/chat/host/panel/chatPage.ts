/**
 * The chat page on the host's side, in the view or in an editor tab: it projects the shown chat to the page and dispatches the page's intents to
 * their handlers (P1, P3).
 */
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { mergeSessionEvents } from "../../../domain/chat/mergeSessionEvents";
import type { Log } from "../../../domain/ports";
import type { SessionEvent } from "../../../domain/chat/chat";
import type { ChatSession } from "../../session/session";
import type { ShownChat } from "../../storage/shownChat";
import { entryToReveal, ChatFind } from "../../view/chatFind";
import { queryWords } from "../../storage/index/searchText";
import {
  entriesPage,
  type MediaMessage,
  chatPageContract,
  type ChatPageIntent,
  type ChatPageMessage,
  type ChatPageStatus,
  type ChatPageSnapshot,
  type EditorIntent,
} from "../../contract/chatPageContract";
import type { ScaleMessage } from "../../../domain/tools/toolPorts";
import { chatForPage, entriesForPage, eventForPage } from "../../contract/chatForPage";
import type { Handlers } from "../../../base/pageContract";
import type { ReadonlyStore } from "../../../base/store";
import { type ProjectedSource, Projector } from "../../../base/projector";
import { PictureLooks } from "../../../tasks/results/pictureState";
import { type TaskCardContext, taskCard, type TaskCardsOptions, TaskCards } from "../../view/taskCards";
import type { PromptFiles } from "../context/promptFiles";
import type { PageScaler } from "../../../tools/base/pageScaler";
import type { ChatPageStatusStore } from "./chatPageStatus";
import { FocusWaits } from "./focusWaits";
import type { PageState } from "./pageStates";
import { isOpenHere } from "../../../vscode/openFolders";
import { mountPage, type WebviewPage } from "../../../vscode/webviewPage";

export interface ChatPageOptions {
  readonly extensionUri: vscode.Uri;
  readonly chat: ShownChat;
  /** The status store. It is disposed with the page. */
  readonly status: ChatPageStatusStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The local results folder. The page may load files of it. */
  readonly results: vscode.Uri;
  readonly board: TaskCardsOptions["board"];
  readonly scaler: Pick<PageScaler, "add">;
  readonly prompts: Pick<PromptFiles, "onDidChange">;
  /** Reads the balance of the gateway again, because the page is about to show it. */
  readonly refreshBalance: () => void;
  /** The handlers of all intents, except those that concern the page itself. */
  readonly handlers: (page: ChatPage) => Handlers<EditorIntent>;
  /** The translation bundle as JSON; absent in English. */
  readonly translations: string | undefined;
  readonly state: PageState;
}

/** The content of a composer, and what else is typed in its chat. */
export type Draft = Omit<Extract<ChatPageIntent, { type: "draft-given" }>, "type">;

type AddedDraft = Pick<Draft, "text" | "references"> & Partial<Draft>;

/** The fields that show a typed text are drawn with the snapshot, and take their text only then. */
const isBeforeSnapshot = ({ type }: ChatPageMessage): boolean => type === "typed-add";

/** The resolved view or the tab, with the page in it. */
interface ResolvedPlace {
  readonly place: vscode.WebviewView | vscode.WebviewPanel;
  readonly page: WebviewPage<ChatPageMessage>;
}

export class ChatPage implements Disposable {
  readonly #options: ChatPageOptions;
  readonly #registrations = new DisposableStore();
  readonly #projector: Projector<ChatPageSnapshot, SessionEvent>;
  readonly #find: ChatFind;
  readonly #taskCards: TaskCards;
  readonly #pictures = new PictureLooks(() => this.#taskCards.refresh());
  readonly #reveal: () => unknown;
  readonly #onFocus: () => void;
  readonly #focusWaits = new FocusWaits();
  #resolved: ResolvedPlace | undefined;
  #onDraft: ((draft: Draft | undefined) => void) | undefined;
  /** Messages for a page that is not loaded yet. */
  #pending: ChatPageMessage[] = [];

  /** `reveal` shows and focuses the place; `onFocus` is called when the page gets the focus. */
  constructor(options: ChatPageOptions, reveal: () => unknown, onFocus: (page: ChatPage) => void) {
    this.#options = options;
    this.#reveal = reveal;
    this.#onFocus = () => onFocus(this);
    const { chat, clock } = options;
    const status = this.#registrations.add(options.status).status;
    const source = (shown: ChatSession): ProjectedSource<ChatPageSnapshot, SessionEvent> => ({
      get snapshot() {
        const { entries, older } = entriesPage(shown.chat);
        const more = older === 0 ? {} : { older };
        return { chat: chatForPage({ ...shown.chat, entries }), status: status.current, ...more };
      },
      onDidEmit: (listener) => shown.onDidEmit((event) => listener(eventForPage(event))),
    });
    this.#projector = this.#registrations.add(
      new Projector({
        source: source(chat.session.current),
        clock,
        post: (message) => this.#post(message),
        merge: mergeSessionEvents,
      }),
    );
    this.#find = this.#registrations.add(
      new ChatFind({ session: chat.session, clock, post: (message) => this.#post(message) }),
    );
    this.#taskCards = this.#registrations.add(
      new TaskCards({
        board: options.board,
        clock,
        viewOf: (task) => taskCard(task, this.#cardContext()),
        post: (cards) => this.#post({ type: "task-cards", cards }),
      }),
    );
    this.#registrations.add(
      status.onDidChange(({ now, before }) => {
        this.#postNow({ type: "status", status: now });
        // With its list of models a gateway may have shown that it states a balance.
        if (this.isVisible && (now.home !== before.home || now.model !== before.model)) options.refreshBalance();
      }),
    );
    this.#registrations.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) this.#focusWaits.end();
      }),
    );
    this.#registrations.add(options.scaler.add(this));
    this.#registrations.add(options.prompts.onDidChange(() => this.#postNow({ type: "prompts-changed" })));
    this.#registrations.add(chat.session.onDidChange(({ now }) => this.#projector.show(source(now))));
  }

  get chat(): ShownChat {
    return this.#options.chat;
  }

  get status(): ReadonlyStore<ChatPageStatus> {
    return this.#options.status.status;
  }

  get isVisible(): boolean {
    return this.#resolved?.place.visible === true;
  }

  /** Loads the page into a tab, or into the view each time VS Code resolves it. */
  mount(place: ResolvedPlace["place"]): void {
    const isCurrent = (): boolean => this.#resolved?.place === place;
    const page = mountPage(place, chatPageContract, {
      ...this.#options,
      state: JSON.stringify(this.#options.state.read()),
      handlers: {
        ...this.#options.handlers(this),
        "entries-request": ({ before, until }) => this.#sendOlder(before, until),
        "chat-find": ({ query }) => this.#find.ask(query),
        "task-cards-watch": ({ tasks }) => this.#taskCards.watch(tasks),
        "page-focused": this.#onFocus,
        "focus-taken": ({ id }) => this.#focusWaits.answer(id),
        "state-changed": ({ state }) => this.#options.state.keep(state),
        "draft-given": (draft) =>
          this.#onDraft?.({ ...draft, edits: draft.edits.filter((edit) => this.#hasEntry(edit)) }),
      },
      bundle: "chat",
      media: [this.#options.results],
      title: "Sluice",
      onReady: () => {
        const pending = this.#pending.splice(0);
        for (const message of pending.filter(isBeforeSnapshot)) this.#post(message);
        this.#projector.sendSnapshot();
        this.#options.refreshBalance();
        for (const message of pending) if (!isBeforeSnapshot(message)) this.#post(message);
      },
      onHidden: () => {
        if (!isCurrent()) return;
        this.#projector.pause();
        this.#focusWaits.end();
        this.#onDraft?.(undefined);
        this.#find.ask("");
        this.#taskCards.reset();
      },
    });
    place.onDidDispose(() => {
      if (isCurrent()) this.#resolved = undefined;
    });
    this.#resolved = { place, page };
  }

  /** Shows the page's view or tab, and focuses it. */
  async reveal(): Promise<void> {
    await this.#reveal();
  }

  #sendOlder(before: string, until: string | undefined): void {
    const { chat } = this.#options.chat.session.current;
    const { entries, older } = entriesPage(chat, before, until);
    this.#post({ type: "entries", chat: chat.id, before, entries: entriesForPage(entries), older });
  }

  #cardContext(): TaskCardContext {
    const urlOf = (path: string): string =>
      this.#resolved?.place.webview.asWebviewUri(vscode.Uri.file(path)).toString() ?? "";
    const pictureState = (path: string): ReturnType<PictureLooks["of"]> => this.#pictures.of(path);
    return { now: this.#options.clock.now(), locale: vscode.env.language, urlOf, pictureState, isOpenHere };
  }

  /** Clears the draft of that chat, because this text of it became a task, or moved to another page with the rest of what was typed. */
  clear(chat: string, text: string, { references = [], edits = [], fields = [] }: Partial<Draft> = {}): void {
    this.postLater({ type: "composer-clear", chat, text, references, edits, fields });
  }

  /** Whether the page is visible and has loaded. */
  get isShown(): boolean {
    return this.isVisible && this.#projector.isReady;
  }

  /** Posts the reply to `media-request`, or an image that the page scales. */
  showMedia(message: MediaMessage | ScaleMessage): void {
    this.#post(message);
  }

  /** Opens the find bar now, or once the page is shown. Resolves when it has the focus. */
  find(): Promise<void> {
    this.postLater({ type: "find-open" });
    return this.hasFocus();
  }

  /**
   * Resolves when the page has the focus and has drawn all earlier messages, or when it is closed or hidden. A key that is pressed right after a
   * command then reaches the element that the command has focused. Resolves at once while the window itself has no focus.
   */
  async hasFocus(): Promise<void> {
    if (!vscode.window.state.focused) return;
    await this.#focusWaits.ask((id) => this.postLater({ type: "focus-await", id }));
  }

  /** Shows a hit of a search over all chats, now or once the page is shown. False where the shown chat has no such entry. */
  revealHit(hit: string, query: string): boolean {
    const { chat } = this.#options.chat.session.current;
    const words = queryWords(query);
    const entry = entryToReveal(chat, hit, words);
    if (entry !== undefined) this.postLater({ type: "entry-reveal", chat: chat.id, entry, words });
    return entry !== undefined;
  }

  /** Puts text into the draft of the chat, now or once the page is shown. The page may show another chat by then. */
  insert(text: string, chat = this.#shownId): void {
    this.postLater({ type: "composer-insert", chat, text });
  }

  /** Puts a whole text before the draft of the chat, now or once the page is shown. */
  insertBefore(text: string, chat = this.#shownId): void {
    this.postLater({ type: "composer-insert", chat, text, isBefore: true });
  }

  /** Puts the cursor into the composer, now or once the page is shown. Resolves when it is there. */
  focusComposer(): Promise<void> {
    this.insert("");
    return this.hasFocus();
  }

  /** Resolves with what is typed in the page, once it is loaded; with `undefined` if the page is hidden or closed before, or asked again. */
  readDraft(): Promise<Draft | undefined> {
    this.#onDraft?.(undefined);
    return new Promise((resolve) => {
      this.#onDraft = resolve;
      this.postLater({ type: "draft-request" });
    });
  }

  #hasEntry({ entry }: Draft["edits"][number]): boolean {
    return this.#options.chat.session.current.chat.entries.some(({ id }) => id === entry);
  }

  /** Adds the draft of another page to that of the chat, which keeps what it has. */
  addDraft({ text, references, edits = [], fields = [] }: AddedDraft, chat = this.#shownId): void {
    if (edits.length + fields.length > 0) this.postLater({ type: "typed-add", chat, edits, fields });
    if (text !== "") this.insertBefore(text, chat);
    for (const reference of references) this.postLater({ type: "reference-add", chat, reference });
  }

  get #shownId(): string {
    return this.#options.chat.stored.id;
  }

  /** Focuses the waiting approval, now or once the page is shown. Resolves when it has the focus. */
  focusApproval(): Promise<void> {
    this.postLater({ type: "approval-focus" });
    return this.hasFocus();
  }

  /** Posts the message now, or once the page is loaded. */
  postLater(message: ChatPageMessage): void {
    if (this.#projector.isReady) this.#post(message);
    else this.#pending.push(message);
  }

  /** Posts only to a loaded page. A page that loads later gets the current state anyway. */
  #postNow(message: ChatPageMessage): void {
    if (this.#projector.isReady) this.#post(message);
  }

  #post(message: ChatPageMessage): void {
    this.#resolved?.page.post(message);
  }

  dispose(): void {
    this.#focusWaits.end();
    this.#onDraft?.(undefined);
    this.#registrations.dispose();
  }
}
