/** Registers every command and both views when the extension is activated; the code behind them is loaded with the first use. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { chatTabType, type CommandId, commands, pageCommands, type PageType, pageTypes, views } from "./ids";

export type CommandHandler = (...args: unknown[]) => Promise<void>;

/** What loads each part. Resolves when the part has mounted itself; called for each use until then. */
export interface Parts {
  readonly tasks: () => Promise<unknown>;
  readonly tools: () => Promise<{ readonly lenses: vscode.CodeLensProvider }>;
  readonly chat: () => Promise<{
    readonly view: vscode.WebviewViewProvider;
    readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
  }>;
  readonly pages: () => Promise<{ restore(type: PageType, tab: vscode.WebviewPanel, state: unknown): void }>;
}

/** Also those that are not saved yet. */
const promptFiles: vscode.DocumentSelector = { pattern: "**/*.prompts.md" };

export class FirstUse implements Disposable {
  readonly #registrations = new DisposableStore();
  readonly #handlers = new Map<CommandId, CommandHandler>();
  readonly #taskView: vscode.Disposable;
  readonly #lensesChanged = new vscode.EventEmitter<void>();

  constructor(parts: Parts) {
    for (const id of Object.values(commands)) {
      this.#registrations.add(
        vscode.commands.registerCommand(id, async (...args: unknown[]) => {
          for (const load of partsOf(id, parts)) if (!this.#handlers.has(id)) await load();
          await this.#handlers.get(id)?.(...args);
        }),
      );
    }
    this.#registrations.add(
      vscode.window.registerWebviewViewProvider(views.chat, {
        resolveWebviewView: async (view, context, token) => {
          const { view: provider } = await parts.chat();
          await provider.resolveWebviewView(view, context, token);
        },
      }),
    );
    this.#registrations.add(
      vscode.window.registerWebviewPanelSerializer(chatTabType, {
        deserializeWebviewPanel: async (tab, state) => (await parts.chat()).restoreTab(tab, state),
      }),
    );
    for (const type of Object.values(pageTypes)) {
      this.#registrations.add(
        vscode.window.registerWebviewPanelSerializer(type, {
          deserializeWebviewPanel: async (tab, state) => (await parts.pages()).restore(type, tab, state),
        }),
      );
    }
    // VS Code shows progress in the view until this resolves; by then the tree itself is registered.
    this.#taskView = vscode.window.registerTreeDataProvider<never>(views.tasks, {
      getChildren: async () => {
        await parts.tasks();
        return [];
      },
      getTreeItem: (element) => element,
    });
    this.#registrations.add({ dispose: () => void this.#taskView.dispose() });
    this.#registrations.add(this.#lensesChanged);
    this.#registrations.add(
      vscode.languages.registerCodeLensProvider(promptFiles, {
        onDidChangeCodeLenses: this.#lensesChanged.event,
        provideCodeLenses: async (document, token) => (await parts.tools()).lenses.provideCodeLenses(document, token),
      }),
    );
  }

  /** Sets what a command does from now on. */
  handle(id: CommandId, run: CommandHandler): Disposable {
    this.#handlers.set(id, run);
    return { dispose: () => void this.#handlers.delete(id) };
  }

  /** Has the lenses of prompt files asked for again. */
  changeLenses(): void {
    this.#lensesChanged.fire();
  }

  /** Makes room for the tree: a view has one data provider. */
  releaseTaskView(): void {
    void this.#taskView.dispose();
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

/** Where the command may be, in the order in which they are loaded. */
function partsOf(id: CommandId, parts: Parts): readonly (() => Promise<unknown>)[] {
  if (pageCommands.includes(id)) return [parts.pages];
  return id.startsWith(`${views.chat}.`) ? [parts.chat] : [parts.tasks, parts.tools];
}
