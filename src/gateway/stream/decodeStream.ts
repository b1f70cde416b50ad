/** Bytes to events, the same for every family: one start, one end, and nothing that the bytes say is thrown. */
import { abortable } from "../../base/abort";
import { definedFields } from "../../base/definedFields";
import type { ChatEvent, Family } from "../../domain/chat";
import { type Answer, createAnswer } from "../families/shared/answer";
import { emptyAnswer } from "./chatRetry";
import { readErrorValue } from "../http/errorBody";
import { createEventQueue } from "./eventQueue";
import { createDecoder as createChatCompletionsDecoder } from "../families/chatCompletions/decoder";
import type { FamilyDecoder } from "../families/shared/decoder";
import { createDecoder as createGenerateContentDecoder } from "../families/generateContent/decoder";
import { createDecoder as createMessagesDecoder } from "../families/messages/decoder";
import { readTransportError } from "../http/network/transportError";
import { type BodyReader, createBodyReader } from "./bodyReader";

export interface DecodeOptions {
  readonly signal?: AbortSignal;
  readonly contentType?: string;
}

const decoders: Readonly<Record<Family, (answer: Answer) => FamilyDecoder>> = {
  "chat-completions": createChatCompletionsDecoder,
  messages: createMessagesDecoder,
  "generate-content": createGenerateContentDecoder,
};

export async function* decodeStream(
  family: Family,
  body: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncGenerator<ChatEvent, void, undefined> {
  const events = createEventQueue();
  const answer = createAnswer(events);
  const decoder = decoders[family](answer);
  const reader = createReader(answer, decoder);
  const iterator = body[Symbol.asyncIterator]();
  try {
    let failure: unknown;
    try {
      // One streaming decoder: a character may be cut between two pieces, and a byte order mark is dropped.
      const text = new TextDecoder();
      let isOver = false;
      while (!isOver) {
        const next = iterator.next();
        const read = await (options.signal === undefined ? next : abortable(next, options.signal));
        reader.push(read.done === true ? text.decode() : text.decode(read.value, { stream: true }));
        for (const event of events.take()) yield event;
        isOver = read.done === true || reader.done || reader.page || decoder.done || answer.failed;
      }
    } catch (error) {
      failure = error;
    }
    const isAborted = options.signal?.aborted === true;
    const isOver = reader.done || decoder.done || answer.failed;
    if (!isAborted && !isOver) reader.end();
    if (!isAborted) tellLastWords(answer, reader, decoder);
    // A [DONE] behind an error is no sign of completion.
    const done = reader.done && !answer.failed;
    if (!isAborted) tellWhatIsMissing(answer, reader, isOver ? undefined : failure, options.contentType);
    decoder.end({ done, array: reader.array });
    for (const event of events.take()) yield event;
  } finally {
    // Not awaited: a body that hangs must not keep the answer from ending.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function createReader(answer: Answer, decoder: FamilyDecoder): BodyReader {
  // The service said its last word; what follows it in the same piece is as dead as what follows in the next.
  const isOver = (): boolean => answer.failed || decoder.done;
  return createBodyReader({
    onValue: (value, event) => {
      if (isOver()) return undefined;
      try {
        const text = decoder.chunk(value, event);
        // Text beside an error is the last of it: events that go on from there say no more.
        return isOver() ? undefined : text;
      } catch (error) {
        // JSON nested deeper than the stack reaches, for one; what the bytes say is never thrown.
        answer.malformed("A chunk can't be read.", String(error));
        return undefined;
      }
    },
    onRepeat: (text) => decoder.goOn(text),
    onErrorText: (text) => {
      if (!isOver()) answer.fail(readErrorValue(text));
    },
    onMalformed: (reason, raw) => {
      if (!isOver()) answer.malformed(reason, raw);
    },
  });
}

/** Error text behind the last event is why the stream ended, unless the answer had come to its own end. */
function tellLastWords(answer: Answer, { lastWords }: BodyReader, { hasReason }: FamilyDecoder): void {
  if (lastWords === "" || answer.failed) return;
  if (hasReason) answer.malformed("A line is no part of an event stream.", lastWords);
  else answer.fail(readErrorValue(lastWords));
}

/** Everything has come that will come: a broken body and an answer that held nothing are told (S4). */
function tellWhatIsMissing(
  answer: Answer,
  reader: BodyReader,
  failure: unknown,
  contentType: string | undefined,
): void {
  if (answer.failed) return;
  if (failure !== undefined) answer.fail(readTransportError(failure));
  else if (!reader.heard) {
    const firstBytes = reader.beginning.trim();
    answer.fail({
      kind: "malformed",
      message: describeNothing(reader),
      ...definedFields({ contentType }),
      ...(firstBytes === "" ? {} : { firstBytes }),
    });
  }
}

function describeNothing(reader: BodyReader): string {
  if (reader.page) return "The answer is a web page, not a model's answer.";
  return reader.empty ? emptyAnswer : "The answer is not in a form that can be read.";
}
