/** The models of the connected gateway, merged from its list, the settings, typed ids and learnt limits (C5). */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import type { Disposable } from "../base/disposable";
import type { Event } from "../base/event";
import { Store } from "../base/store";
import type { ChatModelChoice } from "../domain/chat/choices";
import { families, type Family } from "../domain/chat/family";
import { leastContextSize } from "../domain/chat/tokenCount";
import { type AppError, AppFailure, toAppError } from "../domain/errors/appError";
import type { Connections, Log, Model } from "../domain/ports";
import { isSameHome } from "../domain/task/sameHome";
import { type TaskHome, taskTypes } from "../domain/task/task";
import { modelAccessFields } from "../domain/gateway/modelAccess";

export interface Models {
  readonly list: readonly Model[];
  /** The model for new chats. */
  readonly chat?: Model;
  /** The error if the list could not be read. The list then has what was read before, and an id can still be typed. */
  readonly error?: AppError;
  /** Set when the first request for the list has succeeded or failed. Before that, an empty list means nothing. */
  readonly isRead?: true;
}

export interface ModelCatalogOptions {
  readonly connections: Connections;
  readonly log: Log;
  /** Choices and learnt limits of an origin, stored between sessions. The stored value may have any shape. */
  readonly memory: { read(origin: string): unknown; write(origin: string, memory: ModelMemory): void };
  /** The setting `sluice.models`, of any shape. */
  readonly configured: { read(): unknown; readonly onDidChange: Event<void> };
}

const named = z.object({ id: z.string(), family: z.enum(families) });
const memory = z.object({
  /** The model of the chat; with its family, in case the gateway lists nothing. */
  chat: z.exactOptional(named),
  /** Typed models, which are in no list. */
  typed: z._default(z.array(named), []),
  /** Models that refused tools. */
  withoutTools: z._default(z.array(z.string()), []),
  /** The tokens of a model's context, as its refusals named them. */
  contextSizes: z._default(z.array(z.object({ id: z.string(), tokens: z.number() })), []),
});
export type ModelMemory = z.infer<typeof memory>;

/** The schema of an entry of `sluice.models`; package.json has the same as JSON Schema. */
export const modelEntrySchema = z.object({
  id: z.string().check(z.minLength(1)),
  family: z.exactOptional(z.enum(families)),
  tools: z.exactOptional(z.union([z.boolean(), z.literal("text")])),
  images: z.exactOptional(z.boolean()),
  thinking: z.exactOptional(z.union([z.boolean(), z.enum(["off", "low", "medium", "high"])])),
  contextSize: z.exactOptional(z.int().check(z.positive())),
  taskTypes: z.exactOptional(z.array(z.enum(taskTypes))),
  maxOutputTokens: z.exactOptional(z.int().check(z.positive())),
  temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
  promptCache: z.exactOptional(z.boolean()),
  fallback: z.exactOptional(z.string().check(z.minLength(1))),
  extraBody: z.exactOptional(z.record(z.string(), z.unknown())),
  ...modelAccessFields,
});

export class ModelCatalog implements Disposable {
  readonly models = new Store<Models>({ list: [] });
  readonly #options: ModelCatalogOptions;
  readonly #registrations: readonly Disposable[];
  /** The gateway's own list, and the home whose list it is. */
  #listed: readonly Model[] = [];
  #listedFor: TaskHome | undefined;
  #error: AppError | undefined;
  #loading: Promise<void> = Promise.resolve();
  /** The number of the last request for the list. The result of an earlier request is dropped. */
  #attempt = 0;

  constructor(options: ModelCatalogOptions) {
    this.#options = options;
    this.#registrations = [
      options.connections.current.onDidChange(() => void this.load()),
      options.configured.onDidChange(() => this.#publish()),
    ];
  }

  /** Loads the list. Never rejects: without a list, the models that were set, typed or chosen remain. */
  load(): Promise<void> {
    this.#loading = this.#load();
    return this.#loading;
  }

  /** Loads the list again if the gateway could not be asked, for example when the person comes back to the window. */
  async retry(): Promise<void> {
    if (couldNotAsk(this.models.current.error)) await this.load();
  }

  /** Resolves when the list of the connected gateway was read or has failed. */
  async loaded(): Promise<void> {
    let awaited: Promise<void>;
    do {
      awaited = this.#loading;
      await awaited;
      // Another load may have begun meanwhile.
    } while (awaited !== this.#loading);
  }

  /** The model of a chat: the one with the id that was chosen in it, else the one for new chats. */
  modelOf({ model, effort }: ChatModelChoice): Model | undefined {
    const { list, chat } = this.models.current;
    const known = list.find(({ id }) => id === model) ?? chat;
    return known && effort !== undefined && known.thinking !== false ? { ...known, thinking: effort } : known;
  }

  /** The model that is used when this one produces nothing. An unlisted id is called with this model's family. */
  fallbackOf({ id, family, fallback }: Model): Model | undefined {
    if (fallback === undefined || fallback === id) return undefined;
    return this.models.current.list.find((model) => model.id === fallback) ?? { id: fallback, family };
  }

  /**
   * The model for the next prompt. If it is not known and the list could not be loaded, the list is loaded again; rejects with an `AppFailure` if
   * that fails too, because the history would otherwise go to a model that nobody chose for it.
   */
  async chatModel(choice: ChatModelChoice = {}): Promise<Model | undefined> {
    await this.loaded();
    if (this.#listErrorFor(choice) !== undefined) await this.load();
    const error = this.#listErrorFor(choice);
    if (error === undefined) return this.modelOf(choice);
    // `notSent` is not added for a refused key, because there it means that the key was never sent.
    throw new AppFailure(error.kind === "unauthorized" ? error : { ...error, notSent: true });
  }

  /**
   * The error of the list if it leaves open which model the choice means. Without a chosen model that is only an error of a gateway that could not be
   * asked; after any other one the person chooses. A gateway without a list (`not-found`) gives no error.
   */
  #listErrorFor(choice: ChatModelChoice): AppError | undefined {
    const { error } = this.models.current;
    if (this.#isKnown(choice) || (choice.model === undefined && !couldNotAsk(error))) return undefined;
    return error?.kind === "not-found" ? undefined : error;
  }

  /** Whether there is the chosen model or, where none was chosen, one for new chats. */
  #isKnown({ model }: ChatModelChoice): boolean {
    const { list, chat } = this.models.current;
    if (model === undefined || chat?.id === model) return chat !== undefined;
    return list.some(({ id }) => id === model);
  }

  /** Keeps the former list of the same gateway and account where the new one can't be read. */
  async #load(): Promise<void> {
    const { connections, log } = this.#options;
    const connection = connections.current.current;
    const attempt = ++this.#attempt;
    this.#error = undefined;
    if (connection.state !== "ready") {
      this.models.set({ list: [] });
      return;
    }
    const { home } = connection;
    if (this.#listedFor === undefined || !isSameHome(home, this.#listedFor)) this.#listed = [];
    this.#listedFor = home;
    try {
      const listed = await connection.gateway.listModels();
      if (attempt !== this.#attempt) return;
      this.#listed = listed;
    } catch (failure) {
      if (attempt !== this.#attempt) return;
      this.#error = toAppError(failure);
      log.warn("The models could not be listed.", { kind: this.#error.kind, status: this.#error.status });
    }
    this.#publish();
  }

  /** Any id can be chosen; `family` is the API of one that is in no list. */
  choose(id: string, family: Family = "chat-completions"): void {
    const known = [...this.#listed, ...this.#configured()].find((model) => model.id === id);
    const model = { id, family: known?.family ?? family };
    this.#remember((before) => ({
      ...before,
      chat: model,
      typed: known ? before.typed : [...before.typed.filter((other) => other.id !== id), model].slice(-50),
    }));
  }

  /**
   * Records that a model refused tools: further requests to it at that gateway describe them in the system text. `origin`: of the gateway that
   * refused, because the person may have chosen another one meanwhile.
   */
  learnWithoutTools(id: string, origin: string): void {
    this.#options.log.info("A model takes no tools.", { model: id });
    const learn = (before: ModelMemory): ModelMemory => ({
      ...before,
      withoutTools: [...new Set([...before.withoutTools, id])].slice(-200),
    });
    this.#remember(learn, origin);
  }

  /** Records the context size that a model's refusal of a long request named. `origin`: of the gateway that refused. */
  learnContextSize(id: string, tokens: number, origin: string): void {
    if (!Number.isSafeInteger(tokens) || tokens < leastContextSize) return;
    this.#options.log.info("The size of a model's context was learnt.", { model: id, tokens });
    const learn = (before: ModelMemory): ModelMemory => ({
      ...before,
      contextSizes: [...before.contextSizes.filter((other) => other.id !== id), { id, tokens }].slice(-200),
    });
    this.#remember(learn, origin);
  }

  /** Forgets the learnt limits of a model, so that it gets tools and requests of any length again. */
  forgetLearnt(id: string): void {
    this.#remember((before) => ({
      ...before,
      withoutTools: before.withoutTools.filter((other) => other !== id),
      contextSizes: before.contextSizes.filter((other) => other.id !== id),
    }));
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
  }

  /** The origin of the gateway in use. */
  #current(): string | undefined {
    const connection = this.#options.connections.current.current;
    return connection.state === "ready" ? connection.home.origin : undefined;
  }

  #remember(change: (before: ModelMemory) => ModelMemory, origin = this.#current()): void {
    if (origin === undefined) return;
    this.#options.memory.write(origin, change(this.#memory(origin)));
    if (origin === this.#current()) this.#publish();
  }

  #memory(origin = this.#current()): ModelMemory {
    const kept = origin === undefined ? undefined : this.#options.memory.read(origin);
    const read = memory.safeParse(kept ?? {});
    return read.success ? read.data : { typed: [], withoutTools: [], contextSizes: [] };
  }

  #configured(): readonly z.infer<typeof modelEntrySchema>[] {
    const value = this.#options.configured.read();
    return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry) => {
      const read = modelEntrySchema.safeParse(entry);
      if (read.success) return [read.data];
      this.#options.log.warn("An entry of sluice.models can't be used.", { problem: z.prettifyError(read.error) });
      return [];
    });
  }

  #publish(): void {
    if (this.#options.connections.current.current.state !== "ready") return;
    const { chat, typed, withoutTools, contextSizes } = this.#memory();
    const sizeOf = (id: string): Pick<Model, "contextSize" | "contextLearnt"> => {
      const tokens = contextSizes.find((one) => one.id === id)?.tokens;
      return tokens === undefined ? {} : { contextSize: tokens, contextLearnt: true };
    };
    const models = new Map<string, Model>();
    for (const model of [...typed, ...this.#listed]) models.set(model.id, model);
    for (const id of withoutTools) {
      const model = models.get(id);
      if (model) models.set(id, { ...model, tools: "text", toolsRefused: true });
    }
    for (const { id } of contextSizes) {
      const model = models.get(id);
      if (model) models.set(id, { ...model, ...sizeOf(id) });
    }
    // A field that a person has set replaces the listed and the learnt one.
    for (const { id, authentication: _, version: __, stylizedImageTaskType: ___, ...set } of this.#configured()) {
      const {
        toolsRefused,
        contextLearnt: _learnt,
        ...known
      } = models.get(id) ?? {
        family: "chat-completions" as const,
      };
      const learntSize = set.contextSize === undefined ? sizeOf(id) : {};
      const isRefused = set.tools === undefined && (toolsRefused ?? withoutTools.includes(id));
      const learnt = isRefused ? { tools: "text" as const, toolsRefused: true as const } : {};
      models.set(id, { ...known, ...learnt, ...learntSize, ...set, id });
    }
    const list = [...models.values()];
    const first = this.#listed.find(isChatModel) ?? list.find(isChatModel);
    const wanted = chat === undefined ? first && models.get(first.id) : (models.get(chat.id) ?? chat);
    this.models.set({
      list,
      isRead: true,
      ...definedFields({ chat: wanted, error: this.#error }),
    });
  }
}

/** With these errors the gateway was not reached or accepted no request, so it may have models that are not listed here. */
const beforeTheList = new Set<AppError["kind"]>([
  "unreachable",
  "timed-out",
  "unavailable",
  "rate-limited",
  "unauthorized",
]);

export function couldNotAsk(error: AppError | undefined): boolean {
  return error !== undefined && beforeTheList.has(error.kind);
}

/** A model with task types is for tasks. */
export function isChatModel(model: Model): boolean {
  return model.taskTypes === undefined || model.taskTypes.length === 0;
}
