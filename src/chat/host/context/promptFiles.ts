/** The prompt files of this window. They are found with the first `/`, and again after a change in their folders. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { Emitter, type Event } from "../../../base/event";
import type { StartedPrompt } from "../../../domain/chat/attachmentSchema";
import type { Workspace } from "../../../domain/tools/workspace";
import { readOwnPrompts, type ListedPrompts, type PromptBook } from "../../../tools/context/promptBook";
import { reservedNames } from "../../contract/chatPageContract";
import { askText, notifyWarning } from "../../../vscode/interface/show";
import { typedName } from "../../../tools/context/findPromptFiles";
import { gatePlace } from "../../../tools/gate/fileGate";
import { rootNames } from "../../../tools/gate/pathNames";
import { StepPicker } from "../../../vscode/interface/pickSteps";
import { openFile } from "../../../vscode/interface/runCommand";

/** The maximum length of the value for an input of a prompt, in characters. */
const answerCap = 10_000;

export class PromptFiles implements Disposable {
  /** The folder of the person's own prompt files. */
  readonly folder: string;
  readonly workspace: Workspace;
  readonly #registrations = new DisposableStore();
  readonly #changed = new Emitter<void>();
  #book: Promise<PromptBook> | undefined;

  constructor(folder: string, workspace: Workspace) {
    this.folder = folder;
    this.workspace = workspace;
  }

  /** Fires when the list may have changed. The folders are watched only after the first list. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Rejects with the error of the file system. */
  async list(): Promise<ListedPrompts> {
    return (await this.#open()).list();
  }

  /** Calls `PromptBook.start`. A disk error gives `unreadable`. */
  async start(text: string): Promise<StartedPrompt | "cancelled" | "unreadable" | undefined> {
    if (!text.trimStart().startsWith("/")) return undefined;
    try {
      return await (await this.#open()).start(text);
    } catch {
      return "unreadable";
    }
  }

  /**
   * Reads the list again after Sluice has made a file, because VS Code may not report that file: it checks only now and then whether a missing folder
   * exists, and then reports the folder without its files.
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
    // VS Code reports a new folder without the files in it, so the parent folders of prompts are watched too.
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

/** Says why a prompt that begins with the name of a prompt file was not sent. */
export function describeUnstarted(reason: "cancelled" | "unreadable"): string {
  return reason === "cancelled"
    ? t("Not sent: a question of the prompt was left open.")
    : t("Not sent: the prompt's file is gone, empty, too large or no text.");
}

/** *New Prompt File…*: makes a prompt file of the person's own or of the workspace, and opens it. */
const nameCap = 60;

/** Rejects with a `ToolRefusal` or the error of the file system. */
export async function createPromptFile(prompts: PromptFiles): Promise<void> {
  const place = await askForPlace(prompts);
  if (place === undefined) return;
  const asked = await askText({
    title: t("New Prompt File"),
    prompt: t("Its name, which is typed after / in the chat"),
    value: "my-prompt",
    longest: nameCap,
  });
  if (asked === undefined) return;
  const name = typedName([asked.replace(/^\//, "")]);
  if (name === undefined) {
    await notifyWarning(t("A name has letters, digits, “-”, “_” and “.” only, and begins with a letter or digit."));
    return;
  }
  const content = Buffer.from(template());
  if (place === "workspace") {
    const { workspace } = prompts;
    const { signal } = new AbortController();
    const found = await gatePlace(workspace, `${firstRoot(workspace)}.github/prompts/${name}.prompt.md`, signal);
    await workspace.create(found.path, content);
    await prompts.refresh();
    await openFile(found.path);
  } else {
    const file = join(prompts.folder, `${name}.prompt.md`);
    await mkdir(dirname(file), { recursive: true });
    // An existing file is opened unchanged.
    await writeFile(file, content, { flag: "wx" }).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    await prompts.refresh();
    await openFile(file);
  }
}

async function askForPlace({ workspace }: PromptFiles): Promise<"own" | "workspace" | undefined> {
  if (workspace.roots().length === 0) return "own";
  const picker = new StepPicker(t("New Prompt File"));
  try {
    const answer = await picker.ask({
      placeholder: t("Where it is kept"),
      choices: [
        { icon: "edit", label: t("Yours"), description: t("in every workspace"), value: "own" },
        { icon: "go-to-file", label: t("This workspace"), description: ".github/prompts", value: "workspace" },
      ] as const,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

/** The prefix for a path in the first folder, where there are several. */
function firstRoot(workspace: Workspace): string {
  const roots = workspace.roots();
  return roots.length > 1 ? `${rootNames(roots)[0] ?? ""}/` : "";
}

function template(): string {
  return `---
description: ${t("What it is for, shown in the list after /")}
argument-hint: ${t("what may follow the name")}
---

${t("Write the prompt here. $ARGUMENTS stands for what is written after the name, $1 for its first word, and {0} asks for a value.", "${input:topic:What about?}")}
`;
}
