/** VS Code's own chat and language models: what the extension registers there, and the tools of other extensions that it may use. */
import type * as vscode from "vscode";
import { neverCancelled } from "./documents";
import { EventEmitter } from "./events";
import type { Changes } from "./wire";

export class Models {
  readonly #changes: Changes;
  readonly tools: vscode.LanguageModelToolInformation[] = [];
  readonly toolImplementations = new Map<string, vscode.LanguageModelTool<unknown>>();
  readonly providers = new Map<string, vscode.LanguageModelChatProvider>();
  readonly mcpProviders = new Map<string, vscode.McpServerDefinitionProvider>();
  readonly participants = new Map<string, vscode.ChatRequestHandler>();
  readonly modelsChanged = new EventEmitter<void>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  #add<T>(all: Map<string, T>, id: string, value: T): vscode.Disposable {
    all.set(id, value);
    this.#changes.note();
    return { dispose: () => void all.delete(id) };
  }

  get lm(): Partial<typeof vscode.lm> {
    const tools = this.tools;
    return {
      get tools() {
        return tools;
      },
      registerTool: (name, tool) => this.#add(this.toolImplementations, name, tool),
      invokeTool: async (name, options, token) => {
        const tool = this.toolImplementations.get(name);
        if (!tool) throw new Error(`Tool ${name} was not contributed.`);
        const given = { ...options, toolInvocationToken: options.toolInvocationToken };
        return (await tool.invoke(given, token ?? neverCancelled))!;
      },
      registerLanguageModelChatProvider: (vendor, provider) => this.#add(this.providers, vendor, provider),
      registerMcpServerDefinitionProvider: (id, provider) => this.#add(this.mcpProviders, id, provider),
      onDidChangeChatModels: this.modelsChanged.event,
      selectChatModels: () => Promise.resolve([]),
    };
  }

  get chat(): Partial<typeof vscode.chat> {
    return {
      createChatParticipant: (id, handler) => {
        const registration = this.#add(this.participants, id, handler);
        return {
          ...{ id, requestHandler: handler },
          onDidReceiveFeedback: new EventEmitter<vscode.ChatResultFeedback>().event,
          dispose: () => void registration.dispose(),
        };
      },
    };
  }
}
