/**
 * Brings any history into a form that every family can write without breaking its rules (A7): complete tool results, alternating roles, marks for
 * the prompt cache, the system text. Pure.
 */
import { definedFields } from "../../base/definedFields";
import type { Family } from "../../domain/chat/chatEvent";
import {
  type AssistantPart,
  type ImagePart,
  type Message,
  type UserPart,
  startWithText,
} from "../../domain/chat/message";
import type { JsonRecord } from "../../base/jsonValue";
import type { RequestVariant, VariantRule } from "./familyDefinition";

export type ToolCall = Extract<AssistantPart, { type: "tool-call" }>;

interface History {
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
}

/** `parts` are never empty. */
export type Turn = ({ readonly role: "user"; readonly parts: readonly UserPart[] } | AssistantTurn) & {
  readonly cacheMark?: true;
};

export interface AssistantTurn {
  readonly role: "assistant";
  /** Thinking and opaque parts are kept only if the target's family and model made them. */
  readonly parts: readonly AssistantPart[];
  /** The family that answered; it made the ids of the calls. */
  readonly family: Family;
  /** Whether the target's own model answered. The ids of calls of other models may be refused. */
  readonly isOurs: boolean;
  /** A result for each call, in the order of the calls. */
  readonly results: readonly CallResult[];
  /** The message's index in the history, which is the same each time the history is sent. */
  readonly at: number;
  /** Whether the answer was paused, so that the target's model continues it. */
  readonly paused: boolean;
}

/** The family and model that a history is written for. */
interface HistoryTarget {
  readonly family: Family;
  readonly model: string;
  /** The opaque data to send back; `undefined` to omit it. */
  readonly keepData: (data: unknown) => unknown;
  /** Why an image is omitted, as a sentence; `undefined` for an image that is sent. */
  readonly whyWithout: (image: ImagePart) => string | undefined;
}

export interface CallResult {
  readonly call: ToolCall;
  readonly text: string;
  readonly images: readonly ImagePart[];
  readonly isError: boolean;
}

type Assistant = Extract<Message, { role: "assistant" }>;
type ToolMessage = Extract<Message, { role: "tool" }>;

/** Calls without a result get an error as result. Results without a call, empty parts and signatures of other models are omitted. */
export function normaliseHistory(messages: readonly Message[], target: HistoryTarget): History {
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
    const answered = matchResults(parts, results, target);
    const paused = isOurs && message.paused === true;
    const mark = markOf(message, ...results);
    turns.push({ role: "assistant", family: message.family, isOurs, at, parts, results: answered, paused, ...mark });
  };

  messages.forEach((message, at) => {
    if (message.role !== "tool") close();
    switch (message.role) {
      case "system": {
        const text = withoutBrokenCharacters(message.text);
        if (text.trim() !== "") system.push(text);
        break;
      }
      case "user": {
        const parts = message.parts
          .map((part) => cleanPart(part, target))
          .filter((part) => part.type === "image" || part.text.trim() !== "");
        if (parts.length > 0) turns.push({ role: "user", parts, ...markOf(message) });
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

/** The cache mark of messages that become one turn. The mark is set at the end of the turn. */
function markOf(...messages: readonly Message[]): { readonly cacheMark?: true } {
  return messages.some(({ cacheMark }) => cacheMark) ? { cacheMark: true } : {};
}

function cleanPart(part: UserPart, { whyWithout }: HistoryTarget): UserPart {
  if (part.type === "text") return { type: "text", text: withoutBrokenCharacters(part.text) };
  const why = whyWithout(part);
  return why === undefined ? part : { type: "text", text: why };
}

/** Thinking, opaque parts and pictures are sent only to the model that produced them. */
function keepPart(part: AssistantPart, isOurs: boolean, target: HistoryTarget): readonly AssistantPart[] {
  switch (part.type) {
    case "text": {
      const text = withoutBrokenCharacters(part.text);
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "reasoning":
      return isOurs ? [{ type: "reasoning", text: withoutBrokenCharacters(part.text) }] : [];
    case "media":
      return isOurs ? [part] : [];
    case "opaque":
      return isOurs && part.family === target.family ? keepOpaque(part, target) : [];
    case "tool-call":
      return [cleanCall(part)];
  }
}

function cleanCall({ wireId, ...call }: ToolCall): ToolCall {
  const id = withoutBrokenCharacters(wireId ?? "");
  return { ...call, input: cleanValue(call.input) as ToolCall["input"], ...(id === "" ? {} : { wireId: id }) };
}

type Opaque = Extract<AssistantPart, { type: "opaque" }>;

function keepOpaque(part: Opaque, { keepData }: HistoryTarget): readonly Opaque[] {
  const data = keepData(part.data);
  return data === undefined ? [] : [data === part.data ? part : { ...part, data }];
}

function matchResults(
  parts: readonly AssistantPart[],
  results: readonly ToolMessage[],
  { whyWithout }: HistoryTarget,
): readonly CallResult[] {
  const left = [...results];
  return parts.flatMap((call) => {
    if (call.type !== "tool-call") return [];
    const index = left.findIndex((result) => result.call === call.call);
    const [result] = index === -1 ? [] : left.splice(index, 1);
    if (result === undefined) return [{ call, text: "This call was not run.", images: [], isError: true }];
    const { images: given = [], isError } = result;
    const images = given.filter((image) => whyWithout(image) === undefined);
    const text = [withoutBrokenCharacters(result.text), ...given.flatMap((image) => whyWithout(image) ?? [])].join(
      "\n",
    );
    // Services refuse an error without a text.
    return [{ call, text: text.trim() === "" && isError ? "The call failed." : text, images, isError }];
  });
}

export interface RoleTurn<Part> {
  readonly user: boolean;
  readonly parts: readonly Part[];
  readonly cacheMark?: true;
}

/** Whether the turn, at the end of a history, is continued by the model. */
export function hasPaused(turn: Turn | undefined): boolean {
  return turn?.role === "assistant" && turn.paused && turn.results.length === 0;
}

/**
 * Joins adjacent turns of one role, and makes the first turn and, unless the answer at the end is `paused`, the last one
 * the user's, because two families require it. `filler` is the user's part where there is none.
 */
export function alternate<Part>(
  turns: readonly RoleTurn<Part>[],
  filler: Part,
  paused = false,
): readonly RoleTurn<Part>[] {
  const joined: RoleTurn<Part>[] = [];
  const push = (turn: RoleTurn<Part>): void => {
    const last = joined.at(-1);
    if (last?.user === turn.user)
      joined[joined.length - 1] = { ...last, ...turn, parts: [...last.parts, ...turn.parts] };
    else joined.push(turn);
  };
  if (turns[0]?.user !== true) push({ user: true, parts: [filler] });
  turns.forEach(push);
  if (joined.at(-1)?.user === false && !paused) push({ user: true, parts: [filler] });
  return joined;
}

// Places the marks of the prompt cache of Claude's services. `cache_control` on a block keeps the prompt up to its end for five minutes, and
// reading it from there costs a tenth. Chat completions of OpenRouter and LiteLLM take the same field.

/** A service refuses a request with more than four marks, and one is used for tools and system prompt. */
const maxMarked = 3;
/** Marks when the caller sets none: the end of this request, and the end of the previous one, from which the service reads its cache. */
const ownMarks = 2;

/** Marks the last block, if there is one. `ttl`: how long the cache is kept, if not for five minutes. */
export function markLast(blocks: readonly JsonRecord[], ttl?: "1h"): readonly JsonRecord[] {
  const mark = { type: "ephemeral", ...definedFields({ ttl }) };
  return [...blocks.slice(0, -1), ...blocks.slice(-1).map((block) => ({ ...block, cache_control: mark }))];
}

/**
 * The indices of the messages whose last block is marked: those that the caller marked, else the last before an answer. The messages
 * before a mark are the beginning of the next request too.
 */
export function placesOfMarks(
  messages: readonly { readonly isAnswer: boolean; readonly cacheMark?: true }[],
): ReadonlySet<number> {
  const indices = [...messages.keys()];
  const byCaller = indices.filter((index) => messages[index]?.cacheMark);
  if (byCaller.length > 0) return new Set(byCaller.slice(-maxMarked));
  const isEnd = (index: number): boolean => !messages[index]?.isAnswer && messages[index + 1]?.isAnswer !== false;
  return new Set(indices.filter(isEnd).slice(-ownMarks));
}

// Puts the system text at the beginning of the first prompt, for templates of models that have no system role (A14).

export interface SystemVariant extends RequestVariant {
  /** The request has no system message: the system text begins the first prompt. */
  readonly systemInPrompt?: true;
}

export function withSystemInPrompt({ system, turns }: History): History {
  const text = system.join("\n\n");
  const [first, ...others] = turns;
  if (text === "") return { system: [], turns };
  const [prompt, rest] = first?.role === "user" ? [first, others] : [{ role: "user", parts: [] } as const, turns];
  return { system: [], turns: [{ ...prompt, parts: startWithText(text, prompt.parts) }, ...rest] };
}

/** Matches the refusals of Gemma's and Mistral's templates, of OpenAI and of Google. */
const noSystem =
  /\bsystem (?:role|messages?|prompts?|instructions?) (?:is |are )?not (?:supported|enabled|allowed)|\bnot support (?:the )?['"]?(?:system|developer)\b|\broles must alternate\b|\b(?:developer|system) instructions? (?:is|are) not enabled\b|\bonly user(?:,| and) (?:assistant|model)\b[^.]{0,40}\broles?\b/i;

/** Some programs report a refused template as a failure of the server, so the rule relies on the message, not the status. */
export function systemIntoPrompt<Variant extends SystemVariant>(): VariantRule<Variant> {
  return {
    matches: ({ kind, message }) => kind === "rejected" && noSystem.test(message),
    change: (variant) => (variant.systemInPrompt ? undefined : { ...variant, systemInPrompt: true }),
  };
}

/** Removes NUL characters and unpaired surrogates, which services refuse, from a text of a request. */
export function withoutBrokenCharacters(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return withoutBrokenCharacters(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [withoutBrokenCharacters(name), cleanValue(inner)]),
  );
}
