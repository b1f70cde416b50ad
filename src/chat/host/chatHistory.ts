/** *Chat History…*: every chat in one quick pick. Typing searches prompts, answers, tool output and tasks of all chats. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import type { ChatHit, ChatIndex, ChatSummary } from "../storage/index/chatIndex";
import type { ChatSessions } from "../storage/chatSessions";
import type { ChatFileActions } from "./chatFileActions";
import type { ChatTabs } from "./chatTabs";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { foundRows, historyGroups, type HistoryInput, type HistoryRow, type LiveState } from "./historyItems";
import {
  createPick,
  createSeparator,
  notifyInformation,
  type PickButton,
  shownItem,
  type ShownItem,
  type ShownPick,
} from "../../vscode/interface/show";
import type { ChatPage } from "./panel/chatPage";
import { shownLine } from "../../vscode/interface/shownText";
import { keepOpenWithText } from "../../vscode/interface/pickRules";

export interface ChatHistoryOptions {
  readonly chats: ChatSessions;
  readonly index: ChatIndex;
  readonly actions: ChatFileActions;
  readonly dialogs: Dialogs;
  readonly clock: Clock;
  readonly tabs: Pick<ChatTabs, "open" | "showIn">;
}

/** `hit`: the entry in which the text was found. */
type HistoryItem = ShownItem & { readonly chat?: string; readonly hit?: string };

/** Milliseconds after the last key until the index is searched. */
const typingPause = 120;

/** Opens the history for a page, which then shows the chosen chat. Resolves when the list is closed. */
export function showHistory(options: ChatHistoryOptions, page: ChatPage): Promise<void> {
  return new HistoryPick(options, page).show();
}

class HistoryPick {
  readonly #options: ChatHistoryOptions;
  readonly #page: ChatPage;
  readonly #pick: ShownPick<HistoryItem> = createPick<HistoryItem>();
  readonly #closed = Promise.withResolvers<undefined>();
  readonly #listening: vscode.Disposable[] = [];
  #chats: readonly ChatSummary[] = [];
  #search = new AbortController();
  #loading = Promise.resolve();
  #finding = Promise.resolve();
  #isClosed = false;

  constructor(options: ChatHistoryOptions, page: ChatPage) {
    this.#options = options;
    this.#page = page;
  }

  /** `query`: the text of a list that opens again while the page still takes the focus. */
  async show(query?: string): Promise<void> {
    const pick = this.#pick;
    pick.value = query ?? "";
    pick.title = shownLine(t("Chat History"));
    pick.placeholder = shownLine(t("Search prompts, answers, tool output and tasks in all chats"));
    const kept = keepOpenWithText(pick, { staysOpen: query !== undefined });
    this.#listening.push(
      new vscode.Disposable(() => kept.dispose()),
      pick.onDidChangeValue(() => (this.#finding = this.#find())),
      pick.onDidAccept(() => void this.#accept()),
      pick.onDidTriggerItemButton(({ button }) => {
        if ("press" in button && typeof button.press === "function") (button.press as () => void)();
      }),
      pick.onDidHide(() => this.#close()),
    );
    const live = this.#options.chats.onDidChange(() => this.#drawGroups());
    this.#listening.push(new vscode.Disposable(() => live.dispose()));
    pick.busy = true;
    pick.show();
    this.#loading = this.#load();
    await this.#loading;
    await this.#closed.promise;
  }

  async #load(): Promise<void> {
    try {
      this.#chats = await this.#options.index.list();
      this.#finding = this.#find();
      await this.#finding;
    } catch (failure) {
      this.#pick.hide();
      await this.#options.dialogs.showFailure(failure, "read");
    } finally {
      this.#pick.busy = false;
    }
  }

  async #find(): Promise<void> {
    const { clock, index } = this.#options;
    const query = this.#pick.value;
    this.#search.abort();
    const search = (this.#search = new AbortController());
    if (query.trim() === "") {
      this.#drawGroups();
      return;
    }
    // Titles are searched at once; results from the texts follow.
    this.#drawFound(query, []);
    this.#pick.busy = true;
    try {
      await clock.delay(typingPause, search.signal);
      const hits = await index.search(query);
      if (!search.signal.aborted) this.#drawFound(query, hits);
    } catch (failure) {
      if (!isAbort(failure)) await this.#options.dialogs.showFailure(failure, "read");
    } finally {
      if (!search.signal.aborted) this.#pick.busy = false;
    }
  }

  #drawGroups(): void {
    if (this.#pick.value.trim() !== "") return;
    this.#draw(
      historyGroups(this.#input()).flatMap(({ title, rows }) => [
        createSeparator(title),
        ...rows.map((row) => this.#item(row)),
      ]),
    );
  }

  #drawFound(query: string, hits: readonly ChatHit[]): void {
    this.#draw(foundRows(this.#input(), query, hits).map((row) => this.#item(row)));
  }

  /** Draws the rows and keeps the active row active. */
  #draw(items: readonly HistoryItem[]): void {
    const active = this.#pick.activeItems[0]?.chat;
    this.#pick.keepScrollPosition = true;
    this.#pick.items = items;
    const same = items.find(({ chat }) => chat !== undefined && chat === active);
    if (same) this.#pick.activeItems = [same];
  }

  #item(row: HistoryRow): HistoryItem {
    const { id, pinned, hit, ...texts } = row;
    // VS Code would hide results of the index, because it filters by titles only.
    return {
      ...shownItem({ ...texts, alwaysShow: true, buttons: this.#buttons(id, pinned) }),
      chat: id,
      ...definedFields({ hit }),
    };
  }

  #buttons(id: string, pinned: boolean): readonly PickButton[] {
    const { actions } = this.#options;
    const act = (work: () => Promise<unknown>) => (): void => void this.#act(work);
    return [
      pinned
        ? { icon: "pinned", tooltip: t("Unpin"), press: act(() => actions.pin(id, false)) }
        : { icon: "pin", tooltip: t("Pin"), press: act(() => actions.pin(id, true)) },
      { icon: "go-to-file", tooltip: t("Open in Editor"), press: () => void this.#openInEditor(id) },
      { icon: "edit", tooltip: t("Rename…"), press: act(() => this.#rename(id)) },
      { icon: "export", tooltip: t("Export…"), press: act(() => actions.exportChat(id)) },
      { icon: "trash", tooltip: t("Delete"), press: act(() => this.#remove(id)) },
    ];
  }

  async #act(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#chats = await this.#options.index.list();
      if (!this.#isClosed) await this.#find();
    } catch (failure) {
      await this.#options.dialogs.showFailure(failure, "read");
    }
  }

  async #openInEditor(id: string): Promise<void> {
    this.#pick.hide();
    await this.#act(() => this.#options.tabs.open(id));
  }

  /** The input box closes the list, so the list is opened again afterwards. */
  async #rename(id: string): Promise<void> {
    const query = this.#pick.value;
    await this.#options.actions.rename(id);
    if (this.#isClosed) void new HistoryPick(this.#options, this.#page).show(query);
  }

  /** Offers the undo without waiting for it, because that message may stay open for long. */
  async #remove(id: string): Promise<void> {
    const askUndo = await this.#options.actions.remove(id);
    if (askUndo) void this.#act(askUndo);
  }

  async #accept(): Promise<void> {
    const { chat, hit } = (await this.#chosen()) ?? {};
    if (chat === undefined) return;
    const query = this.#pick.value;
    this.#pick.hide();
    try {
      const page = await this.#options.tabs.showIn(this.#page, chat);
      if (page && hit !== undefined && !page.revealHit(hit, query))
        void notifyInformation(t("The text is in a message that was replaced since."));
    } catch (failure) {
      await this.#options.dialogs.showFailure(failure, "read");
    }
  }

  /** The active row. Right after a key it may belong to the previous text; then the first found row is used. */
  async #chosen(): Promise<HistoryItem | undefined> {
    const [active] = this.#pick.activeItems;
    if (active !== undefined && this.#pick.items.includes(active)) return active;
    await this.#loading;
    await this.#finding;
    return this.#pick.items.find(({ chat }) => chat !== undefined);
  }

  #input(): HistoryInput {
    const { chats, clock } = this.#options;
    const live = new Map<string, LiveState>();
    for (const [id, { session }] of chats.open) {
      if (session.waitingCount > 0) live.set(id, "waiting");
      else if (session.isRunning) live.set(id, "running");
    }
    return {
      chats: this.#chats,
      live,
      shown: this.#page.chat.stored.id,
      now: clock.now(),
      locale: vscode.env.language,
    };
  }

  #close(): void {
    this.#isClosed = true;
    this.#search.abort();
    for (const listening of this.#listening) listening.dispose();
    this.#pick.dispose();
    this.#closed.resolve(undefined);
  }
}
