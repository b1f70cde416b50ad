/** Editor tabs with pages of this extension. Each subject has one tab, which is shown again and survives a reload of the window. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { type Disposable, DisposableStore } from "../base/disposable";
import { createTab, tabsTitled } from "./interface/show";
import { shownLine } from "./interface/shownText";

const savedState = z.looseObject({ subject: z.string().check(z.maxLength(200)) });

export class EditorTabs implements Disposable {
  readonly #viewType: string;
  readonly #mount: (tab: vscode.WebviewPanel, subject: string, saved: unknown) => Disposable;
  readonly #tabs = new Map<string, vscode.WebviewPanel>();
  readonly #mounted = new DisposableStore();

  /** `mount` fills a tab; the object that it returns is disposed with the tab. `saved` is the state that the page kept before a reload. */
  constructor(viewType: string, mount: (tab: vscode.WebviewPanel, subject: string, saved: unknown) => Disposable) {
    this.#viewType = viewType;
    this.#mount = mount;
  }

  open(subject: string, title: string): void {
    const known = this.#tabs.get(subject);
    if (known) {
      known.reveal();
      return;
    }
    // After a reload VS Code passes a tab to `restore` only when it is shown. Until then it can be found only by its title.
    const isTitleKnown = [...this.#tabs.values()].some((tab) => tab.title === shownLine(title));
    const waiting = isTitleKnown ? [] : tabsTitled(this.#viewType, title);
    this.#fill(createTab(this.#viewType, title), subject, undefined);
    if (waiting.length > 0) void vscode.window.tabGroups.close(waiting);
  }

  /** Fills a tab that VS Code kept over a reload. One whose state can't be read is closed. */
  restore(tab: vscode.WebviewPanel, state: unknown): void {
    const saved = savedState.safeParse(state);
    if (saved.success && !this.#tabs.has(saved.data.subject)) this.#fill(tab, saved.data.subject, state);
    else tab.dispose();
  }

  dispose(): void {
    this.#mounted.dispose();
  }

  #fill(tab: vscode.WebviewPanel, subject: string, saved: unknown): void {
    this.#tabs.set(subject, tab);
    const page = this.#mounted.add(this.#mount(tab, subject, saved));
    tab.onDidDispose(() => {
      if (this.#tabs.get(subject) === tab) this.#tabs.delete(subject);
      page.dispose();
    });
  }
}
