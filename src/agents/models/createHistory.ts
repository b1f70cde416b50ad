/** Converts VS Code's messages into the history from which each family writes its request. The result is valid whatever a caller sends (A7). */
import { definedFields } from "../../base/definedFields";
import type { AssistantPart, Message, UserPart } from "../../domain/chat/message";
import {
  type DataPart,
  type CallPart,
  type ResultPart,
  type ProvidedPart,
  type ProvidedMessage,
  markerType,
  cacheMarkType,
  isImage,
  textOfData,
} from "./providedMessage";
import { type AnswerRecord, type AnswerSource, bareText, readMarker, restoreParts } from "./answerCache";

export interface HistoryOptions {
  /** The model that the history is for. */
  readonly target: AnswerSource;
  /** False for a model that is known to take none. */
  readonly takesImages: boolean;
  /** The key with which the markers were written. */
  readonly markerKey: Uint8Array;
  /** Finds the stored record of an answer whose message holds none. */
  readonly find: (parts: readonly ProvidedPart[], prompt: string) => Promise<AnswerRecord | undefined>;
}

export async function createHistory(
  messages: readonly ProvidedMessage[],
  { target, takesImages, markerKey, find }: HistoryOptions,
): Promise<readonly Message[]> {
  const history: Message[] = [];
  const results = new Results(messages);
  let prompt = "";
  for (const { role, parts } of joinAnswers(messages)) {
    const mark = markOf(parts);
    if (role === "system") history.push({ role, text: textsOf(parts).join("\n\n"), ...mark });
    else if (role === "user") {
      const written = parts.flatMap((part) => writeUserPart(part, takesImages));
      if (written.length > 0) history.push({ role, parts: written, ...mark });
      prompt = promptOf(parts);
    } else {
      const record = readMarker(parts, target, markerKey) ?? (await find(parts, prompt));
      const restored = record && restoreParts(record, parts);
      const calls = parts.filter((part) => part.type === "tool-call");
      const written = restored ?? writeAnswer(parts, calls);
      // An answer of another model is not sent back as one of this model.
      const { family } = target;
      history.push({ role, family, model: restored === undefined ? "" : target.model, parts: written, ...mark });
      const wireCalls = written.filter((part) => part.type === "tool-call");
      history.push(...results.of(orderedIds(restored && record, calls), wireCalls, takesImages));
    }
  }
  return history;
}

type CacheMark = Pick<Message, "cacheMark">;

/** The cache mark of a message. Wherever the caller put it in the message, the end of the message is marked. */
function markOf(parts: readonly ProvidedPart[]): CacheMark {
  return isMarked(parts) ? { cacheMark: true } : {};
}

function isMarked(parts: readonly ProvidedPart[]): boolean {
  return parts.some(
    (part) =>
      (part.type === "data" && part.mimeType === cacheMarkType) ||
      (part.type === "tool-result" && isMarked(part.content)),
  );
}

/** The text of the last prompt, which the next answer follows. */
export function lastPrompt(messages: readonly ProvidedMessage[]): string {
  return promptOf(messages.findLast(({ role }) => role === "user")?.parts ?? []);
}

function promptOf(parts: readonly ProvidedPart[]): string {
  return parts.map((part) => (part.type === "tool-result" ? bareText(part.content) : bareText([part]))).join(" ");
}

/** Joins text and calls of one answer, which some callers send as two messages. A message that has a record is whole. */
function joinAnswers(messages: readonly ProvidedMessage[]): readonly ProvidedMessage[] {
  const joined: ProvidedMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isWhole = last?.parts.some((part) => part.type === "data" && part.mimeType === markerType) ?? true;
    if (message.role === "assistant" && last?.role === "assistant" && !isWhole)
      joined[joined.length - 1] = { role: "assistant", parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

function textsOf(parts: readonly ProvidedPart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function writeUserPart(part: ProvidedPart, takesImages: boolean): readonly UserPart[] {
  if (part.type === "text") return [part];
  return part.type === "data" ? writeData(part, takesImages) : [];
}

/** Data that is neither text nor a picture is meant for other extensions. */
function writeData(part: DataPart, takesImages: boolean): readonly UserPart[] {
  if (!isImage(part)) {
    const text = textOfData(part);
    return text === undefined ? [] : [{ type: "text", text }];
  }
  if (part.data.length === 0) return [];
  if (!takesImages) return [{ type: "text", text: "(An image was left out, because this model takes none.)" }];
  return [{ type: "image", mimeType: part.mimeType, data: Buffer.from(part.data).toString("base64") }];
}

/** Text comes before the calls: that is the order that all families take. */
function writeAnswer(parts: readonly ProvidedPart[], calls: readonly CallPart[]): readonly AssistantPart[] {
  return [
    ...textsOf(parts).map((text): AssistantPart => ({ type: "text", text })),
    // The calls get new ids, because ids of other services may be too long for this one.
    ...calls.map(({ name, input }, index): AssistantPart => ({ type: "tool-call", call: String(index), name, input })),
  ];
}

/** The reported ids in the order of the history's calls. */
function orderedIds(record: AnswerRecord | undefined, calls: readonly CallPart[]): readonly string[] {
  return record === undefined
    ? calls.map(({ id }) => id)
    : record.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
}

/** Holds the results by the id of their call, wherever they are, because families take them directly after the answer only. */
class Results {
  readonly #byId = new Map<string, (ResultPart & CacheMark)[]>();

  constructor(messages: readonly ProvidedMessage[]) {
    for (const { parts } of messages)
      for (const part of parts)
        if (part.type === "tool-result")
          this.#byId.set(part.id, [...(this.#byId.get(part.id) ?? []), { ...part, ...markOf(parts) }]);
  }

  /** Takes one result for each call. */
  of(
    ids: readonly string[],
    calls: readonly Extract<AssistantPart, { type: "tool-call" }>[],
    takesImages: boolean,
  ): readonly Message[] {
    return calls.flatMap(({ call, wireId, name }, index): readonly Message[] => {
      const result = this.#byId.get(ids[index] ?? "")?.shift();
      if (result === undefined) return [];
      const { content, isError, cacheMark } = result;
      const shown = content.flatMap((part) => writeContent(part, takesImages));
      const text = shown.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      const sent = shown.filter((part) => part.type === "image");
      const images = sent.length === 0 ? undefined : sent;
      return [{ role: "tool", call, name, text, isError, ...definedFields({ images, wireId, cacheMark }) }];
    });
  }
}

function writeContent(part: ResultPart["content"][number], takesImages: boolean): readonly UserPart[] {
  if (part.type === "text") return [part];
  const { mimeType, data } = part;
  if (mimeType === cacheMarkType) return [];
  const written = writeData(part, takesImages);
  if (written.length > 0 || isImage(part)) return written;
  return [{ type: "text", text: `(${mimeType}, ${data.length} bytes: can't be shown here)` }];
}
