/** Decodes the bytes of a response to chat events, for every family: one start, one end, and no exception, whatever the bytes hold. */
import { abortable } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import type { ChatEvent, Family } from "../../domain/chat/chatEvent";
import { familyDefinitions } from "../families/familyDefinitions";
import { Answer } from "../families/answer";
import { readErrorChunk } from "../http/serviceError";
import type { FamilyDecoder } from "../families/familyDefinition";
import { readTransportError } from "../http/network/transportError";
import { BodyReader } from "./bodyReader";
import type { BodyPart } from "./eventValues";

export interface DecodeOptions {
  readonly signal?: AbortSignal;
  readonly contentType?: string;
  /** Called before the `stream-error` of a response without values and text, because sending the request again may help. */
  readonly onEmpty?: () => void;
}

export async function* decodeStream(
  family: Family,
  body: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncGenerator<ChatEvent, void, undefined> {
  const { signal } = options;
  const decoding = new Decoding(family, options);
  const iterator = body[Symbol.asyncIterator]();
  try {
    let failure: unknown;
    try {
      // One decoder is used for the whole stream, because a character may be split over two chunks. It drops a byte order mark.
      const decoder = new TextDecoder();
      while (!decoding.isOver) {
        const next = iterator.next();
        const read = await (signal === undefined ? next : abortable(next, signal));
        const text = read.done === true ? decoder.decode() : decoder.decode(read.value, { stream: true });
        for (const event of decoding.push(text)) yield event;
        if (read.done === true) break;
      }
    } catch (error) {
      failure = error;
    }
    for (const event of signal?.aborted === true ? decoding.abort() : decoding.end(failure)) yield event;
  } finally {
    // The end of the body is not awaited, because a body that hangs must not keep the answer from ending.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Decodes one response: `BodyReader` makes body parts of its text, and the family's decoder makes events of those. */
class Decoding {
  readonly #options: DecodeOptions;
  readonly #reader = new BodyReader();
  readonly #answer = new Answer();
  readonly #decoder: FamilyDecoder;
  /** Whether more of the answer came after its finish reason, which some servers write in every chunk (Q-E7). */
  #wentOn = false;
  /** Whether a piece of the answer came in the same chunk as the finish reason, or after it. */
  #endsWithPiece = false;

  constructor(family: Family, options: DecodeOptions) {
    this.#options = options;
    this.#decoder = familyDefinitions[family].createDecoder(this.#answer);
  }

  /** Whether the answer is complete, so that all later bytes are ignored. */
  get isOver(): boolean {
    return this.#reader.page || this.#isComplete;
  }

  push(text: string): readonly ChatEvent[] {
    this.#decode(this.#reader.push(text));
    return this.#answer.take();
  }

  abort(): readonly ChatEvent[] {
    return this.#finish(this.#reader.done && !this.#answer.failed);
  }

  /** `failure`: the error that broke the body, if there was one. */
  end(failure: unknown): readonly ChatEvent[] {
    const isComplete = this.#isComplete;
    if (!isComplete) this.#decode(this.#reader.end());
    this.#readLastError();
    // [DONE] after an error is no sign of completion.
    const done = this.#reader.done && !this.#answer.failed;
    if (!this.#answer.failed) {
      if (failure !== undefined && !isComplete) this.#readBreak(failure);
      else if (!this.#reader.heard) this.#failWithoutValues();
    }
    return this.#finish(done);
  }

  #decode(parts: readonly BodyPart[]): void {
    for (const part of parts) {
      if (this.#isDecoded) return;
      if (part.type === "value") this.#decodeValue(part.value, part.event);
      else if (part.type === "error-text") this.#answer.fail(readErrorChunk(part.text));
      else this.#answer.malformed(part.reason, part.raw);
    }
  }

  #decodeValue(value: unknown, event: string | undefined): void {
    const { pieces } = this.#answer;
    const hadReason = this.#decoder.hasReason;
    try {
      this.#decoder.chunk(value, event);
    } catch (error) {
      // JSON that is nested too deep overflows the stack, for example.
      this.#answer.malformed("A chunk can't be read.", String(error));
    }
    if (this.#answer.pieces === pieces) return;
    if (hadReason) this.#wentOn = true;
    if (this.#decoder.hasReason) this.#endsWithPiece = true;
  }

  /** Later values are ignored, even those in the same chunk of bytes, because the result must not depend on the network. */
  get #isDecoded(): boolean {
    return this.#answer.failed || this.#decoder.done;
  }

  get #isComplete(): boolean {
    return this.#reader.done || this.#isDecoded;
  }

  /** Fails the answer with the error text after the last event, which is why the stream ended, unless a finish reason came before. */
  #readLastError(): void {
    const { lastError } = this.#reader;
    if (lastError === "" || this.#answer.failed) return;
    if (this.#decoder.hasReason) this.#answer.malformed("A line is no part of an event stream.", lastError);
    else this.#answer.fail(readErrorChunk(lastError));
  }

  /**
   * Fails the answer with the error that broke the body. After a finish reason nothing of the answer is missing, which is paid, so that only what may
   * have followed is lost, such as the usage. An answer that holds nothing fails all the same, because an error has it asked for again. So does one
   * whose reason came with a piece of a call that is still open: a server that writes a reason in every chunk had not ended the call.
   */
  #readBreak(failure: unknown): void {
    const error = readTransportError(failure);
    this.#answer.flush();
    const isHalf = this.#wentOn || (this.#endsWithPiece && this.#decoder.hasOpenCall);
    const isWhole = this.#decoder.hasReason && !isHalf && this.#answer.pieces > 0;
    if (isWhole) this.#answer.malformed("The connection broke after the end of the answer.", error.message);
    else this.#answer.fail(error);
  }

  #failWithoutValues(): void {
    const { page, empty, beginning } = this.#reader;
    const { contentType, onEmpty } = this.#options;
    const firstBytes = beginning.trim();
    if (empty && !page && firstBytes === "") onEmpty?.();
    this.#answer.fail({
      kind: "malformed",
      message: page
        ? "The answer is a web page, not a model's answer."
        : empty
          ? "The answer is empty."
          : "The answer is not in a form that can be read.",
      ...definedFields({ contentType }),
      ...(firstBytes === "" ? {} : { firstBytes }),
    });
  }

  #finish(done: boolean): readonly ChatEvent[] {
    this.#decoder.end({ done, array: this.#reader.array });
    return this.#answer.take();
  }
}
