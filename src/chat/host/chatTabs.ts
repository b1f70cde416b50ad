/** The pages on which this window shows chats: the view and any number of editor tabs, each with its own chat (P1). */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { isMissingFile } from "../../base/systemErrors";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { Emitter, type Event } from "../../base/event";
import type { ChatSessions } from "../storage/chatSessions";
import { isSessionId } from "../storage/sessionFolder";
import { titleOf } from "../storage/records";
import type { ShownChat } from "../storage/shownChat";
import { waitingPlan } from "../../domain/chat/planOfChat";
import { formatPrices } from "../../domain/words/describePrice";
import { cutLabel } from "../../domain/words/label";
import { chatTabType } from "../../vscode/ids";
import { createTab, showViewDescription, nameTab, notifyInformation, showBadge } from "../../vscode/interface/show";
import type { Store } from "../../base/store";
import type { ChatPage, Draft } from "./panel/chatPage";
import type { PageState } from "./panel/pageStates";

export interface ChatTabsOptions {
  readonly extensionUri: vscode.Uri;
  readonly chats: ChatSessions;
  /** `state`: what is kept of the page. */
  readonly createPage: (
    chat: ShownChat,
    state: PageState,
    reveal: () => unknown,
    onFocus: (page: ChatPage) => void,
  ) => ChatPage;
  readonly stateOf: (page: string) => PageState;
  readonly focusView: () => Promise<void>;
}

const savedState = z.looseObject({
  chat: z.string(),
  page: z.optional(z.string()),
  changes: z.optional(z.number()),
});

export class ChatTabs implements Disposable {
  readonly #options: ChatTabsOptions;
  readonly #mounted = new DisposableStore();
  readonly #tabs = new Map<vscode.WebviewPanel, ChatPage>();
  readonly view: ChatPage;
  /** The calls of `open` that have not ended, by the id of the chat: a second one must not open a second tab. */
  readonly #opening = new Map<string, Promise<void>>();
  /** The page that had the focus last. */
  #used: ChatPage;
  readonly #changedSeen = new Emitter<void>();

  /** Fires when a tab becomes visible or hidden. */
  readonly onDidChangeSeen: Event<void> = this.#changedSeen.event;

  constructor(options: ChatTabsOptions) {
    this.#options = options;
    const { chats, createPage, stateOf, focusView } = options;
    this.view = this.#mounted.add(createPage(chats.view, stateOf("view"), focusView, this.#onFocus));
    this.#used = this.view;
  }

  /**
   * The page that a command is about. VS Code passes the tab's resource to a command in the title of a tab, and `undefined` to one in the title of
   * the view. Otherwise it is the page that had the focus last, if that page is visible.
   */
  pageFor(args: readonly unknown[]): ChatPage {
    const [resource] = args;
    const active = [...this.#tabs].find(([tab]) => tab.active)?.[1];
    if (resource instanceof vscode.Uri && resource.scheme === "webview-panel" && active) return active;
    if (args.length > 0 && !(resource instanceof vscode.Uri)) return this.view;
    return this.#used.isVisible ? this.#used : (active ?? this.view);
  }

  /** Opens the chat in a tab of its own, or shows its existing tab. Resolves when the page has the focus. Without `id` a new chat is opened. */
  open(id?: string): Promise<void> {
    if (id === undefined) return this.#open();
    const opening = this.#opening.get(id) ?? this.#open(id).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #open(id?: string): Promise<void> {
    const known = id === undefined ? undefined : this.#tabOf(id);
    if (known) {
      await known.reveal();
      await known.hasFocus();
      return;
    }
    const isMoved = id !== undefined && this.view.chat.stored.id === id;
    // Only the page has the draft, so a hidden view is shown and loaded first.
    if (isMoved && !this.view.isShown) await this.view.reveal();
    const draft = isMoved ? await this.view.readDraft() : undefined;
    const chat = await this.#options.chats.openPage(id).catch(tellDeleted);
    if (!chat) return;
    const page = this.#fill(createTab(chatTabType, t("New Chat")), chat);
    if (isMoved) this.#leaveView(page, id, draft);
    await page.hasFocus();
  }

  /** Moves the chat out of the view, so that it is in one place: the tab gets it with its draft, and the view shows a new chat. */
  #leaveView(page: ChatPage, id: string, draft: Draft | undefined): void {
    const { view } = this;
    if (view.chat.stored.id !== id) return;
    if (draft) {
      page.addDraft(draft, id);
      view.clear(id, draft.text, draft);
    }
    view.chat.create();
  }

  /**
   * Fills a tab that VS Code kept over a reload. A chat without a prompt has no file, so it is opened as a new one, and the page restores its draft.
   */
  async restore(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { chats } = this.#options;
    const closed = new AbortController();
    tab.onDidDispose(() => closed.abort());
    const own = savedState.safeParse(state).data;
    const kept =
      own?.page === undefined ? undefined : savedState.safeParse(this.#options.stateOf(own.page).read()).data;
    // VS Code may have written an older state, in which the tab showed another chat. The page begins with the newer state too.
    const { chat: id = "" } = (kept?.changes ?? 0) > (own?.changes ?? 0) ? (kept ?? {}) : (own ?? {});
    const chat = await (isSessionId(id) ? chats.openPage(id, true) : chats.openPage()).catch((error: unknown) => {
      if (isMissingFile(error)) return chats.openPage();
      tab.dispose();
      throw error;
    });
    if (closed.signal.aborted) chat.dispose();
    else this.#fill(tab, chat, own?.page);
  }

  /** Shows the chat on that page, or in the tab that already has it. `undefined` for a deleted chat. */
  async showIn(page: ChatPage, id: string): Promise<ChatPage | undefined> {
    const shown = this.#tabOf(id) ?? page;
    const isThere = await shown.chat.show(id).then(() => true, tellDeleted);
    if (!isThere) return undefined;
    await shown.reveal();
    return shown;
  }

  /**
   * Shows the chat of a tab in the view instead, with its draft. Only the page has the draft, so a hidden tab is shown and loaded first.
   */
  async moveToSideBar(page: ChatPage): Promise<void> {
    const tab = [...this.#tabs].find(([, one]) => one === page)?.[0];
    if (!tab) return;
    if (!page.isShown) await page.reveal();
    const draft = await page.readDraft();
    if (!draft) return;
    const { id } = page.chat.stored;
    if (page.chat.isEmpty) {
      this.view.chat.create();
      this.view.addDraft(draft);
    } else {
      // The draft is moved before the chat is shown, so that whatever is typed or sent there at once includes it.
      this.view.addDraft(draft, id);
      await this.view.chat.show(id);
    }
    tab.dispose();
    await this.view.reveal();
    await this.view.hasFocus();
  }

  /** Whether a visible page shows the chat. */
  isSeen(id: string): boolean {
    return [this.view, ...this.#tabs.values()].some((page) => page.isVisible && page.chat.stored.id === id);
  }

  /**
   * Shows a question that waits: on `page`, on another page, or of a chat that no page shows. Without a question, shows a plan that waits on a page.
   */
  async focusApproval(page: ChatPage): Promise<void> {
    const { chats } = this.#options;
    const waits = ({ chat }: ChatPage): boolean => chat.stored.session.waitingCount > 0;
    const behind = [...chats.open.values()].find(({ session }) => session.waitingCount > 0);
    const pages = [page, this.view, ...this.#tabs.values()];
    const planned = pages.find(({ chat }) => waitingPlan(chat.stored.session.chat) !== undefined);
    const shown = pages.find(waits) ?? (behind ? this.view : planned);
    if (!shown) {
      void notifyInformation(t("Nothing waits for your approval."));
      return;
    }
    if (behind && !waits(shown)) await shown.chat.show(behind.id);
    await shown.reveal();
    await shown.focusApproval();
  }

  dispose(): void {
    this.#mounted.dispose();
  }

  readonly #onFocus = (page: ChatPage): void => {
    this.#used = page;
  };

  #tabOf(id: string): ChatPage | undefined {
    return [...this.#tabs.values()].find(({ chat }) => chat.stored.id === id);
  }

  /** `pageName`: that of the page of a restored tab, see `SavedState`. */
  #fill(tab: vscode.WebviewPanel, chat: ShownChat, pageName?: string): ChatPage {
    const { extensionUri, createPage, stateOf } = this.#options;
    const state = stateOf(pageName ?? randomUUID());
    const registrations = this.#mounted.add(new DisposableStore());
    const page = registrations.add(createPage(chat, state, () => tab.reveal(), this.#onFocus));
    this.#tabs.set(tab, page);
    this.#used = page;
    const name = (): void => {
      const title = titleOf(chat.stored.state);
      nameTab(tab, title === "" ? t("New Chat") : cutLabel(title, 40));
    };
    registrations.add(chat.onDidChange(name));
    name();
    tab.iconPath = vscode.Uri.joinPath(extensionUri, "media", "icon.png");
    tab.onDidChangeViewState(() => {
      if (tab.active) this.#used = page;
      this.#changedSeen.fire();
    });
    tab.onDidDispose(() => {
      this.#tabs.delete(tab);
      if (this.#used === page) this.#used = this.view;
      registrations.dispose();
      state.forget();
      chat.dispose();
      this.#changedSeen.fire();
    });
    page.mount(tab);
    return page;
  }
}

/** Handles a list entry whose chat was deleted since, in this window or another. Rethrows any other error. */
function tellDeleted(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
  void notifyInformation(t("This chat was deleted."));
}

/** The chat's view: a chat page, and a badge that counts what waits for the person in this window (P1, P3). */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #page: ChatPage;
  readonly #chats: Pick<ChatSessions, "open">;
  readonly #listening = new DisposableStore();
  readonly #inView: Store<boolean>;
  #view: vscode.WebviewView | undefined;

  constructor(page: ChatPage, chats: Pick<ChatSessions, "open" | "onDidChange">, inView: Store<boolean>) {
    this.#page = page;
    this.#inView = inView;
    this.#chats = chats;
    this.#listening.add(chats.onDidChange(() => this.#updateBadge()));
    this.#listening.add(page.status.onDidChange(() => this.#updateCost()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#page.mount(view);
    const update = (): void => {
      if (this.#view === view) this.#inView.set(view.visible);
    };
    view.onDidChangeVisibility(update);
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#inView.set(false);
    });
    this.#view = view;
    update();
    this.#updateBadge();
    this.#updateCost();
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Shows the cost of the chat in the header of the view. The tooltip of the context explains its sources. */
  #updateCost(): void {
    const { prices = [] } = this.#page.status.current.context ?? {};
    if (this.#view) showViewDescription(this.#view, formatPrices(prices, vscode.env.language));
  }

  #updateBadge(): void {
    if (!this.#view) return;
    // Chats that run in a tab or are not shown at all count too. Each chat is open once, on however many pages it is shown.
    const sessions = [...this.#chats.open.values()].map(({ session }) => session);
    const count = sessions.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
    if ((this.#view.badge?.value ?? 0) === count) return;
    const hasQuestions = sessions.some(({ questions }) => questions.count > 0);
    showBadge(this.#view, count, hasQuestions ? t("{0} waiting for you", count) : t("{0} waiting for approval", count));
  }
}
