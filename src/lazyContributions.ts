/** Registers every command and both views when the extension is activated; the code behind them is loaded with the first use. */
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "./base/disposable";
import { once } from "./base/async/serialQueue";
import { type AgentParts, registerAgents } from "./agents/host/registerAgents";
import { commandTitles, registerCodeActions } from "./chat/host/codeActions";
import { lazyPlanFiles, type PlanFileSystem } from "./chat/host/lazyPlanFiles";
import {
  type CommandHandler,
  chatTabType,
  type CommandId,
  commands,
  internalCommands,
  mcpCommands,
  modelVendor,
  pageCommands,
  type PageType,
  pageTypes,
  planScheme,
  views,
} from "./vscode/ids";

/** The functions that load the parts. Each resolves when its part has mounted itself, and is called with each use until then. */
export interface Parts extends AgentParts {
  readonly tasks: () => Promise<unknown>;
  readonly taskCommands: () => Promise<{
    readonly lenses: vscode.CodeLensProvider;
    readonly assets: vscode.HoverProvider;
    readonly alt: (document: vscode.TextDocument, range: vscode.Range) => Promise<vscode.CodeAction[]>;
  }>;
  readonly chat: () => Promise<{
    readonly view: vscode.WebviewViewProvider;
    readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
    readonly plans: PlanFileSystem;
  }>;
  readonly models: () => Promise<vscode.LanguageModelChatProvider>;
  readonly pages: () => Promise<{ restore(type: PageType, tab: vscode.WebviewPanel, state: unknown): void }>;
}

/** Prompt files, including those that are not saved yet. */
const promptFiles: vscode.DocumentSelector = { pattern: "**/*.prompts.md" };

/** Documents that name pictures and videos of a project. */
const namingAssets = [
  "markdown",
  "html",
  "css",
  "scss",
  "less",
  "vue",
  "svelte",
  "javascript",
  "javascriptreact",
  "typescript",
  "typescriptreact",
].map((language) => ({ language, scheme: "file" }));

/** The usual endings of what `mediaReferenceAt` finds: the start does not load it. */
const mediaName = /\.(?:png|jpe?g|webp|gif|avif|mp4|mov|webm|m4v)\b/i;

/** An empty text of a picture in Markdown, HTML or JSX, or an element whose other lines may have it. */
const emptyAlt = /!\[\]\(|<img\b|alt\s{0,9}=\s{0,9}\{?\s{0,9}(?:""|'')/i;

/** True when VS Code's own chat has used a model: later windows announce the models at their start. */
const modelsUsed = "models.used";

export class LazyContributions implements Disposable {
  readonly #registrations = new DisposableStore();
  readonly #handlers = new Map<CommandId, CommandHandler>();
  readonly #taskView: vscode.Disposable;
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #modelsChanged = new vscode.EventEmitter<void>();

  constructor(
    parts: Parts,
    { extension: { packageJSON }, globalState }: Pick<vscode.ExtensionContext, "extension" | "globalState">,
  ) {
    this.#registrations.add(registerAgents(parts));
    for (const id of [...Object.values(commands), ...Object.values(internalCommands)]) {
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
    const plans = lazyPlanFiles(async () => (await parts.chat()).plans);
    this.#registrations.add(vscode.workspace.registerFileSystemProvider(planScheme, plans, { isCaseSensitive: true }));
    this.#registrations.add(this.#lensesChanged);
    this.#registrations.add(
      vscode.languages.registerCodeLensProvider(promptFiles, {
        onDidChangeCodeLenses: this.#lensesChanged.event,
        provideCodeLenses: async (document, token) =>
          (await parts.taskCommands()).lenses.provideCodeLenses(document, token),
      }),
    );
    this.#registrations.add(
      vscode.languages.registerHoverProvider(namingAssets, {
        // A line that names no picture or video does not load the code.
        provideHover: async (document, position, token) =>
          mediaName.test(document.lineAt(position).text)
            ? (await parts.taskCommands()).assets.provideHover(document, position, token)
            : undefined,
      }),
    );
    this.#registrations.add(
      vscode.languages.registerCodeActionsProvider(namingAssets, {
        // A line without an empty text does not load the code.
        provideCodeActions: async (document, range) =>
          emptyAlt.test(document.lineAt(range.start).text) ? (await parts.taskCommands()).alt(document, range) : [],
      }),
    );
    this.#registrations.add(registerCodeActions(commandTitles(packageJSON)));
    this.#registerModels(parts, globalState);
  }

  #registerModels(parts: Parts, memory: vscode.Memento): void {
    const noteUse = (): void => void memory.update(modelsUsed, true);
    this.#registrations.add(this.#modelsChanged);
    this.#registrations.add(
      vscode.lm.registerLanguageModelChatProvider(modelVendor, this.#createModels(parts.models, noteUse)),
    );
    if (memory.get(modelsUsed) === true) this.announceModels();
  }

  /** VS Code asks for the models only when a caller wants one. */
  #createModels(load: Parts["models"], noteUse: () => void): vscode.LanguageModelChatProvider {
    const models = once(async () => {
      const provider = await load();
      const listening = provider.onDidChangeLanguageModelChatInformation?.(() => this.#modelsChanged.fire());
      if (listening) this.#registrations.add(listening);
      return provider;
    });
    return {
      onDidChangeLanguageModelChatInformation: this.#modelsChanged.event,
      provideLanguageModelChatInformation: async (...args) =>
        (await models()).provideLanguageModelChatInformation(...args),
      provideLanguageModelChatResponse: async (...args) => {
        noteUse();
        await (await models()).provideLanguageModelChatResponse(...args);
      },
      provideTokenCount: async (...args) => (await models()).provideTokenCount(...args),
    };
  }

  /** Sets what a command does from now on. */
  handle(id: CommandId, run: CommandHandler): Disposable {
    this.#handlers.set(id, run);
    return { dispose: () => void this.#handlers.delete(id) };
  }

  /** Makes VS Code ask for the models, which it does not do unasked. */
  announceModels(): void {
    this.#modelsChanged.fire();
  }

  /** Makes VS Code ask for the lenses of prompt files again. */
  changeLenses(): void {
    this.#lensesChanged.fire();
  }

  /**
   * Makes room for the tree: a view has one data provider. VS Code reports the disposal to the window in a later task, and up to 1.106 by the view's
   * id only: a tree that is created before that would lose its provider, and the view stay empty.
   */
  async releaseTaskView(): Promise<void> {
    void this.#taskView.dispose();
    await delay(0);
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

/** The parts that may handle the command, in the order in which they are loaded. */
function partsOf(id: CommandId, parts: Parts): readonly (() => Promise<unknown>)[] {
  if (pageCommands.includes(id)) return [parts.pages];
  if (id === commands.generateCommitMessage) return [parts.chat];
  if (mcpCommands.includes(id)) return [parts.mcp];
  const isOfChat = id.startsWith(`${views.chat}.`) || id.startsWith("sluice.changes.");
  return isOfChat ? [parts.chat] : [parts.tasks, parts.taskCommands];
}
