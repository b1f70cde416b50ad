/** The part that is loaded when VS Code first asks for the gateway's models. */
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { commands } from "../../vscode/ids";
import { runCommand } from "../../vscode/interface/runCommand";
import type { TasksPart } from "../../tasks/host/mountTasks";
import { DisposableStore, type Disposable } from "../../base/disposable";
import { abortable } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { AppFailure } from "../../domain/errors/appError";
import type { Connections, Log, Model } from "../../domain/ports";
import { isChatModel, type ModelCatalog } from "../../gateway/modelCatalog";
import type {
  ProvidedRequest,
  ProvidedMessage,
  ProvidedPart,
  ReportedPart,
  ResultPart,
} from "../models/providedMessage";
import { AnswerCache } from "../models/answerCache";
import { estimatePartTokens, modelInformation } from "../models/modelInformation";
import { type AnswerOptions, provideAnswer, ProvidedFailure } from "../models/provideAnswer";
import { renderedTexts, shownLine, shownParagraphs } from "../../vscode/interface/shownText";

/** `folder` is where the answer cache keeps what a model must get back with the next request, such as the signatures of its answers. */
export function mountModels(
  { subscriptions }: vscode.ExtensionContext,
  { app, connections, log }: TasksPart,
  folder: string,
): ProvidedModels {
  const provided = new ProvidedModels({
    connections,
    models: app.models,
    clock: systemClock,
    log,
    folder,
    askForKey: async () => {
      await runCommand(commands.setKey);
      await connections.refresh();
    },
  });
  subscriptions.push(provided);
  return provided;
}

/** What `ProvidedModels` needs of the rest of the product. */
export interface ProvidedModelsOptions {
  readonly connections: Pick<Connections, "current" | "ready">;
  readonly models: ModelCatalog;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the answer cache, on this machine. */
  readonly folder: string;
  /** Asks the person for a key. Resolves once the key is in use or the question was dismissed. */
  readonly askForKey: () => Promise<void>;
}

/** Milliseconds that the picker waits for a gateway's list. A later list is announced by an event. */
const maxWait = 3000;

/** The gateway's models for VS Code's own model picker, and for every extension that asks VS Code for a model (V1). */
class ProvidedModels implements Disposable, vscode.LanguageModelChatProvider {
  readonly #options: ProvidedModelsOptions;
  readonly #cache: AnswerCache;
  readonly #registrations = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;

  constructor(options: ProvidedModelsOptions) {
    this.#options = options;
    this.#cache = new AnswerCache(options);
    // Each change of key or gateway is followed by a change of the list.
    this.#registrations.add(options.models.models.onDidChange(() => this.#changed.fire()));
    this.#registrations.add(this.#changed);
  }

  async provideLanguageModelChatInformation(
    { silent }: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    const { connections, models, askForKey } = this.#options;
    if (!(await this.#isListed(token))) return [];
    if (!silent && connections.current.current.state === "signed-out") {
      await askForKey();
      if (!(await this.#isListed(token))) return [];
    }
    const connection = connections.current.current;
    if (connection.state !== "ready") return [];
    return knownModels(models).map((model) => {
      const { id, family, api, detail, tooltip, maxInputTokens, maxOutputTokens, tools, images } = modelInformation(
        model,
        connection,
      );
      return {
        id,
        name: shownLine(id),
        family,
        // VS Code shows the version next to the name.
        version: api,
        detail: shownLine(detail),
        tooltip: shownParagraphs(tooltip),
        maxInputTokens,
        maxOutputTokens,
        capabilities: { toolCalling: tools, imageInput: images },
      };
    });
  }

  async provideLanguageModelChatResponse(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    { tools = [], toolMode, modelOptions }: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const request: ProvidedRequest = {
      model: id,
      messages: messages.map(readMessage),
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: { type: "object", properties: {}, ...inputSchema },
      })),
      mustCallTool: toolMode === vscode.LanguageModelChatToolMode.Required,
      options: modelOptions,
    };
    const { signal, dispose } = signalOf(token);
    try {
      await provideAnswer(
        { ...this.#options, cache: this.#cache, ...this.#catalogue() },
        request,
        (part) => {
          const written = writePart(part);
          if (written !== undefined) progress.report(written);
        },
        signal,
      );
    } catch (failure) {
      throw signal.aborted ? new vscode.CancellationError() : toModelError(failure);
    } finally {
      dispose();
    }
  }

  provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Promise.resolve(
      estimatePartTokens(typeof text === "string" ? [{ type: "text", text }] : readMessage(text).parts),
    );
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** Waits until the list of models has been loaded, or can't be. Returns false when that takes too long. It asks no person and costs nothing. */
  async #isListed(token: vscode.CancellationToken): Promise<boolean> {
    const { connections, models, clock } = this.#options;
    const { signal, abort, dispose } = signalOf(token);
    try {
      const listed = connections.ready(signal).then(
        () => models.loaded(),
        () => undefined,
      );
      const late = clock.delay(maxWait, signal).then(
        () => false,
        () => false,
      );
      return await Promise.race([listed.then(() => true), late]);
    } finally {
      abort();
      dispose();
    }
  }

  #catalogue(): Pick<AnswerOptions, "findModel" | "learnWithoutTools"> {
    const { connections, models } = this.#options;
    return {
      async findModel(id, signal) {
        await connections.ready(signal);
        await abortable(models.loaded(), signal);
        const found = knownModels(models).find((model) => model.id === id);
        if (found) return found;
        throw new AppFailure(models.models.current.error ?? { kind: "not-found", message: id, notSent: true });
      },
      learnWithoutTools: (id, origin) => models.learnWithoutTools(id, origin),
    };
  }
}

/** The listed models and the model of the chat, which may be in no list. */
function knownModels({ models }: ModelCatalog): readonly Model[] {
  const { list, chat } = models.current;
  const isListed = chat === undefined || list.some(({ id }) => id === chat.id);
  return [...list, ...(isListed ? [] : [chat])].filter(isChatModel);
}

function signalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  readonly dispose: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (token.isCancellationRequested) abort();
  const registration = token.onCancellationRequested(abort);
  return { signal: controller.signal, abort, dispose: () => void registration.dispose() };
}

/** The message becomes one escaped line, because it holds foreign text and other extensions show it as Markdown. */
function toModelError(failure: unknown): Error {
  const text = shownLine(failure instanceof Error ? failure.message : String(failure), 1000);
  switch (failure instanceof ProvidedFailure ? failure.code : undefined) {
    case "no-permissions":
      return vscode.LanguageModelError.NoPermissions(text);
    case "not-found":
      return vscode.LanguageModelError.NotFound(text);
    case "blocked":
      return vscode.LanguageModelError.Blocked(text);
    case undefined:
      return new Error(text);
  }
}

/** A role that the API does not name is read as `system`, because VS Code's own callers send system prompts with such a role. */
function roleOf(role: number): ProvidedMessage["role"] {
  const { User, Assistant }: Readonly<Record<"User" | "Assistant", number>> = vscode.LanguageModelChatMessageRole;
  if (role === User) return "user";
  return role === Assistant ? "assistant" : "system";
}

function readMessage({ role, content }: vscode.LanguageModelChatRequestMessage): ProvidedMessage {
  return { role: roleOf(role), parts: content.flatMap(readPart) };
}

/** Returns an empty list for a part of an unknown kind. */
function readPart(part: unknown): readonly ProvidedPart[] {
  const content = readContent(part);
  if (content !== undefined) return [content];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ type: "tool-call", id, name, input: isRecord(input) ? input : {} }];
  }
  if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
  // `isError` is not in the API of all versions.
  const isError = "isError" in part && part.isError === true;
  const read = part.content.flatMap((member) => readContent(member) ?? []);
  return [{ type: "tool-result", id: part.callId, content: read, isError }];
}

function readContent(part: unknown): ResultPart["content"][number] | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  if (part instanceof vscode.LanguageModelDataPart) return { type: "data", mimeType: part.mimeType, data: part.data };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { type: "text", text: renderedTexts(part.value).join("") };
  return undefined;
}

/** Returns `undefined` for a part that this version of VS Code can't carry. */
function writePart(part: ReportedPart): vscode.LanguageModelResponsePart | undefined {
  switch (part.type) {
    case "text":
      return new vscode.LanguageModelTextPart(part.text);
    case "tool-call":
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case "data":
      return new vscode.LanguageModelDataPart(part.data, part.mimeType);
    case "thinking":
      return writeThinking(part.text);
  }
}

/** The class is not in the API, so it is used only where it exists. */
function writeThinking(text: string): vscode.LanguageModelResponsePart | undefined {
  const { LanguageModelThinkingPart: Part } = vscode as {
    readonly LanguageModelThinkingPart?: new (text: string) => vscode.LanguageModelResponsePart;
  };
  try {
    return Part && new Part(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
