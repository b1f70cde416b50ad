/** What a chat session needs from outside: the gateway, the model, the tools, and the storage of its events. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock";
import type { Attachment, FileReference, StoredImage } from "../../domain/chat/attachmentSchema";
import type { Connections, Log, Model } from "../../domain/ports";
import type { SettingsReader } from "../../domain/environment";
import type { SeenTexts, Tool, Explored } from "../../domain/tools/tool";
import type { Allowed, Chat, SessionEvent, ToolStep, AnswerEntry } from "../../domain/chat/chat";
import type { ChatModelChoice } from "../../domain/chat/choices";
import type { FileChanges } from "../../domain/tools/workspace";
import type { AskedOutcomes, EditOutcome } from "../../domain/chat/editOutcome";
import type { GuardOptions } from "../approval/guard";
import type { KeepResult } from "../request/resultRoom";
import type { Approvals } from "../approval/approvals";
import type { TracedRequest } from "../../domain/chat/requestTrace";
import { definedFields } from "../../base/definedFields";
import type { WorkspaceContext } from "./workspaceContext";
import type { OpenQuestions } from "./openQuestions";

export interface SessionOptions {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
  /** The model for the next request of a chat with that choice. Waits for a gateway that starts. Rejects with an `AppFailure` or an `AbortError`. */
  model(choice: ChatModelChoice, signal: AbortSignal): Promise<Model | undefined>;
  /** The model that is asked if `model` produces nothing; `undefined` where none is set. */
  fallbackOf(model: Model): Model | undefined;
  /** Empty in Restricted Mode, and for a model that takes none. */
  tools(model: Model): readonly Tool[];
  readonly guard: GuardOptions;
  /** Reads what a person attached, in order. Rejects with an `AbortError` only. */
  readonly attach: (references: readonly FileReference[], signal: AbortSignal) => Promise<readonly Attachment[]>;
  /** An image that was attached and is not in the chat yet; `undefined` when it is gone. */
  readonly readImage: (id: string) => Promise<StoredImage | undefined>;
  /** The source of an attached image, as shown to the person, if others may have made it. `path`: its name or path. Rejects as `attach` does. */
  readonly untrustedImage: (path: string, id: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly keepResult: KeepResult;
  /** Called when the model refused a request because of its tools. `origin`: of the gateway that refused it. */
  learnWithoutTools(model: string, origin: string): void;
  /** Called when the model refused a request for its length and named the tokens that its context holds. */
  learnContextSize(model: string, tokens: number, origin: string): void;
  readonly changes: SessionChanges;
  readonly workspaceContext: WorkspaceContext;
  readonly settings: SettingsReader;
  /** Whether the model is asked for the title of a chat. */
  readonly makesTitles: () => boolean;
  readonly storage: SessionStorage;
}

/** The changes of files in this chat. */
export interface SessionChanges {
  /** How a call that a person allowed changes files. `answer` and `call`: their ids. */
  filesOf(answer: string, call: string, allowed: Allowed): FileChanges;
  /** Does what `CallEffects.wrote` does. */
  readonly wrote: (path: string) => Promise<boolean>;
  readonly seen: SeenTexts;
  /** The outcomes of the model's edits that it has not been told. Never rejects. */
  readonly outcomes: (asked: AskedOutcomes) => Promise<readonly EditOutcome[]>;
}

/** Stores the events of the chat. */
export interface SessionStorage {
  /** Whether this window writes the chat; false while another one does. */
  readonly isWritable: boolean;
  /** Makes this window the writer, if possible. The chat then has what the former writer has written. Never rejects. */
  takeOver(): Promise<boolean>;
  /** Whether the chat has a name, the person's or the model's. */
  readonly hasTitle: boolean;
  /** Nothing happens while another window writes the chat. */
  setTitle(title: string): Promise<void>;
  /** Resolves when what was emitted is on the disk, or the disk does not take it. Rejects only with an abort. */
  flush(signal: AbortSignal): Promise<void>;
}

/** The session of the turn. `emit` reduces the chat by an event before it returns. */
export interface TurnSession {
  readonly chat: () => Chat;
  readonly approvals: Approvals;
  readonly questions: OpenQuestions;
  readonly requests: AnswerRequests;
  readonly emit: (event: SessionEvent) => void;
  /** Missing where the turn is that of a reader. */
  readonly explore?: Explore;
  /** Answers in a row after which the turn ends, where the person's own limit is not lower. */
  readonly roundCap?: number;
}

/** Like `CallEffects.explore`, but resolves also with the source of untrusted text that the reader has read, where there is any. */
export type Explore = (
  question: string,
  signal: AbortSignal,
  watch: ExploreWatch,
) => Promise<Explored & { readonly untrusted?: string }>;

export interface ExploreWatch {
  /** Reports that a call of the reader has begun, or has ended. */
  step(step: ToolStep): void;
  /** Reports how many calls and tokens there are so far. */
  took(calls: number, tokens: number): void;
}

/** Answers whose requests are kept, the newest ones. Their number is small, because each body holds the whole history. */
const maxAnswers = 20;

export class AnswerRequests {
  readonly #byAnswer = new Map<string, readonly TracedRequest[]>();

  /** Adds a request to those of an answer, in the order in which they are sent. `answer`: its id. */
  add(answer: string, request: TracedRequest): void {
    this.#byAnswer.set(answer, [...this.of(answer), request]);
    const [oldest] = this.#byAnswer.keys();
    if (this.#byAnswer.size > maxAnswers && oldest !== undefined) this.#byAnswer.delete(oldest);
  }

  of(answer: string): readonly TracedRequest[] {
    return this.#byAnswer.get(answer) ?? [];
  }
}

/** `of`: the model that answers, when it is known. */
export function startAnswer(
  { connections, clock }: Pick<SessionOptions, "connections" | "clock">,
  of?: Pick<AnswerEntry, "model" | "family">,
): Extract<SessionEvent, { type: "answer-started" }> {
  const { model = "", family = "chat-completions" } = of ?? {};
  const isFree = isFreeNow(connections);
  return { type: "answer-started", id: randomUUID(), model, family, ...definedFields({ isFree }), at: clock.now() };
}

/** Whether the next request goes to the local gateway, which charges nothing. */
export function isFreeNow({ current: { current } }: SessionOptions["connections"]): true | undefined {
  return current.state === "ready" && current.local ? true : undefined;
}
