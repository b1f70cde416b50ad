/** The history in the one form from which every family can be written without breaking its rules, whatever happened on the way (A7). Pure. */
import type { Family } from "../../../domain/chat";
import type { AssistantPart, Message, UserPart } from "../../../domain/message";
import { asRecord } from "../../http/jsonValue";
import { clean, cleanValue } from "./cleanText";
import { readSignature } from "./signatures";

export type ToolCall = Extract<AssistantPart, { type: "tool-call" }>;

export interface History {
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
}

export type Turn =
  /** Never empty. */
  | { readonly role: "user"; readonly parts: readonly UserPart[] }
  | {
      readonly role: "assistant";
      /** Never empty. Thinking and opaque parts only of the family and model that are asked now. */
      readonly parts: readonly AssistantPart[];
      /** Whose words they are: ids of calls belong to a family. */
      readonly family: Family;
      /** One for each call, in the order of the calls. */
      readonly results: readonly CallResult[];
      /** The message's place in the history: the same each time the history is sent. */
      readonly at: number;
      /** The model that is asked now goes on with it. */
      readonly paused: boolean;
    };

/** Whom a history is written for. */
export interface Target {
  readonly family: Family;
  readonly model: string;
  /** What bears one of these is left out. */
  readonly refusedSignatures: ReadonlySet<string>;
}

export interface CallResult {
  readonly call: ToolCall;
  readonly text: string;
  readonly isError: boolean;
}

type Assistant = Extract<Message, { role: "assistant" }>;
type ToolMessage = Extract<Message, { role: "tool" }>;

/** Calls that nobody answered are closed with an error; answers to no call, empty parts and foreign signatures are left out. */
export function normaliseHistory(messages: readonly Message[], target: Target): History {
  const system: string[] = [];
  const turns: Turn[] = [];
  let open: { readonly at: number; readonly message: Assistant; readonly results: ToolMessage[] } | undefined;

  const close = (): void => {
    if (open === undefined) return;
    const { at, message, results } = open;
    open = undefined;
    const isOurs = message.family === target.family && message.model === target.model;
    const parts = message.parts.flatMap((part) => keepPart(part, isOurs, target));
    if (parts.length === 0) return;
    const answered = matchResults(parts, results);
    const paused = isOurs && message.paused === true;
    turns.push({ role: "assistant", family: message.family, at, parts, results: answered, paused });
  };

  messages.forEach((message, at) => {
    if (message.role !== "tool") close();
    switch (message.role) {
      case "system": {
        const text = clean(message.text);
        if (text.trim() !== "") system.push(text);
        break;
      }
      case "user": {
        const parts = message.parts.map(cleanPart).filter((part) => part.type === "image" || part.text.trim() !== "");
        if (parts.length > 0) turns.push({ role: "user", parts });
        break;
      }
      case "assistant":
        open = { at, message, results: [] };
        break;
      case "tool":
        open?.results.push(message);
    }
  });
  close();
  return { system, turns };
}

function cleanPart(part: UserPart): UserPart {
  return part.type === "text" ? { type: "text", text: clean(part.text) } : part;
}

/** What only its maker understands goes to nobody else: thinking, opaque parts and pictures. */
function keepPart(part: AssistantPart, isOurs: boolean, target: Target): readonly AssistantPart[] {
  switch (part.type) {
    case "text": {
      const text = clean(part.text);
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "reasoning":
      return isOurs ? [{ type: "reasoning", text: clean(part.text) }] : [];
    case "media":
      return isOurs ? [part] : [];
    case "opaque":
      return isOurs && part.family === target.family ? keepOpaque(part, target.refusedSignatures) : [];
    case "tool-call":
      return [cleanCall(part)];
  }
}

function cleanCall({ wireId, ...call }: ToolCall): ToolCall {
  const id = clean(wireId ?? "");
  return { ...call, input: cleanValue(call.input) as ToolCall["input"], ...(id === "" ? {} : { wireId: id }) };
}

type Opaque = Extract<AssistantPart, { type: "opaque" }>;

/** A whole part of the service's own stays without its signature. */
function keepOpaque(part: Opaque, refused: ReadonlySet<string>): readonly Opaque[] {
  const signature = readSignature(part.data);
  if (signature === undefined || !refused.has(signature)) return [part];
  const own = asRecord(asRecord(part.data)?.["part"]);
  if (own === undefined) return [];
  const { thoughtSignature: _, ...unsigned } = own;
  return [{ ...part, data: { part: unsigned } }];
}

function matchResults(parts: readonly AssistantPart[], results: readonly ToolMessage[]): readonly CallResult[] {
  const left = [...results];
  return parts.flatMap((call) => {
    if (call.type !== "tool-call") return [];
    const index = left.findIndex((result) => result.call === call.call);
    const [result] = index === -1 ? [] : left.splice(index, 1);
    if (result === undefined) return [{ call, text: "This call was not run.", isError: true }];
    const text = clean(result.text);
    // An error without a word is refused.
    return [{ call, text: text.trim() === "" && result.isError ? "The call failed." : text, isError: result.isError }];
  });
}

export interface Spoken<Part> {
  readonly user: boolean;
  readonly parts: readonly Part[];
}

/** An answer that goes on when it stands last: nobody speaks before. */
export function isPaused(turn: Turn | undefined): boolean {
  return turn?.role === "assistant" && turn.paused && turn.results.length === 0;
}

/**
 * Joins neighbours of one role, and lets a user speak first and, unless the answer at the end is `paused`, last: two
 * families insist on it. `goOn` is what the user says where nobody did.
 */
export function alternate<Part>(turns: readonly Spoken<Part>[], goOn: Part, paused = false): readonly Spoken<Part>[] {
  const joined: Spoken<Part>[] = [];
  const push = (turn: Spoken<Part>): void => {
    const last = joined.at(-1);
    if (last?.user === turn.user) joined[joined.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
    else joined.push(turn);
  };
  if (turns[0]?.user !== true) push({ user: true, parts: [goOn] });
  turns.forEach(push);
  if (joined.at(-1)?.user === false && !paused) push({ user: true, parts: [goOn] });
  return joined;
}
