/** The prompt files of this window: found with the first `/`, and again after a change of their folders. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { Emitter, type Event } from "../../../base/event";
import type { StartedPrompt } from "../../../domain/chat/attachmentSchema";
import type { Workspace } from "../../../domain/tools/workspace";
import { readOwnPrompts, type ListedPrompts, type PromptBook } from "../../../tools/context/promptBook";
import { reservedNames } from "../../contract/promptMessages";
import { askText } from "../../../vscode/interface/show";

/** Characters of an answer to an input. */
const answerCap = 10_000;

export class PromptFiles implements Disposable {
  /** Of the person's own. */
  readonly folder: string;
  readonly workspace: Workspace;
  readonly #registrations = new DisposableStore();
  readonly #changed = new Emitter<void>();
  #book: Promise<PromptBook> | undefined;

  constructor(folder: string, workspace: Workspace) {
    this.folder = folder;
    this.workspace = workspace;
  }

  /** Since the first list: it may be another one now. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Rejects with the error of the file system. */
  async list(): Promise<ListedPrompts> {
    return (await this.#open()).list();
  }

  /** As `PromptBook.start`; a failure of the disk is `unreadable`. */
  async start(text: string): Promise<StartedPrompt | "cancelled" | "unreadable" | undefined> {
    if (!text.trimStart().startsWith("/")) return undefined;
    try {
      return await (await this.#open()).start(text);
    } catch {
      return "unreadable";
    }
  }

  /**
   * A file was made by Sluice. VS Code need not report it: of a folder that is not there yet it only looks now and then whether it has come, and then
   * reports the folder without the files that came with it.
   */
  async refresh(): Promise<void> {
    const book = await this.#book;
    book?.forget();
    this.#changed.fire();
  }

  #open(): Promise<PromptBook> {
    return (this.#book ??= this.#create());
  }

  async #create(): Promise<PromptBook> {
    const { PromptBook: Book } = await import("../../../tools/context/promptBook");
    const book = new Book({
      workspace: this.workspace,
      own: () => readOwnPrompts(this.folder),
      reserved: reservedNames,
      ask: ({ name, placeholder }, prompt) =>
        askText({ title: `/${prompt}`, prompt: placeholder || name, value: "", longest: answerCap }),
    });
    const changed = (): void => {
      book.forget();
      this.#changed.fire();
    };
    const { onDidGrantWorkspaceTrust, onDidChangeWorkspaceFolders } = vscode.workspace;
    this.#registrations.add(onDidGrantWorkspaceTrust(changed));
    this.#registrations.add(onDidChangeWorkspaceFolders(changed));
    const own = new vscode.RelativePattern(vscode.Uri.file(this.folder), "*");
    // VS Code reports a new folder without the files in it, so what lies above those of prompts is watched too.
    for (const pattern of [own, "**/{.github,.claude,.agents}/**", "**/{.github,.claude,.agents}"]) {
      const watcher = this.#registrations.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        this.#registrations.add(event(changed));
    }
    return book;
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

/** Why a prompt was not sent that begins with the name of a file. */
export function describeUnstarted(reason: "cancelled" | "unreadable"): string {
  return reason === "cancelled"
    ? t("Not sent: a question of the prompt was left open.")
    : t("Not sent: the prompt's file is gone, empty, too large or no text.");
}
