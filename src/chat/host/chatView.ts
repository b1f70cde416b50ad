/** The chat's view: a chat page, and the badge for the approvals that are open in this window (P1, P3). */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Disposable } from "../../base/disposable";
import type { ChatSessions } from "../storage/chatSessions";
import type { Store } from "../../base/store";
import { showBadge } from "../../vscode/interface/show";
import type { ChatPage } from "./panel/chatPage";

export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #page: ChatPage;
  readonly #chats: Pick<ChatSessions, "open">;
  readonly #listening: Disposable;
  readonly #inView: Store<boolean>;
  #view: vscode.WebviewView | undefined;

  constructor(page: ChatPage, chats: Pick<ChatSessions, "open" | "onDidChange">, inView: Store<boolean>) {
    this.#page = page;
    this.#inView = inView;
    this.#chats = chats;
    this.#listening = chats.onDidChange(() => this.#updateBadge());
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
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #updateBadge(): void {
    if (!this.#view) return;
    // Also of chats that run in a tab or behind the shown ones; each is open once, on however many pages it is shown.
    const sessions = [...this.#chats.open.values()].map(({ session }) => session);
    const count = sessions.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
    if ((this.#view.badge?.value ?? 0) === count) return;
    const hasQuestions = sessions.some(({ questions }) => questions.count > 0);
    showBadge(this.#view, count, hasQuestions ? t("{0} waiting for you", count) : t("{0} waiting for approval", count));
  }
}
