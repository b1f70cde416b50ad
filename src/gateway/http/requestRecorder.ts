/** Records a request and its response while they are transferred, so that a person can look at both (S4). */
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../../domain/errors/appError";
import type { RequestTimes, RequestTrace, RequestWay, TracedRequest } from "../../domain/chat/requestTrace";
import type { Scrub } from "../scrub";
import { type HttpRequest, plainHeaders, type RequestObserver, type ResponseFacts } from "./httpRequest";

/** Bytes. The first and the last 64 KB of a body are kept, so that a request report shows both without a long body in memory. */
const partBytes = 64 * 1024;

class BodyEnds {
  #head: Uint8Array | undefined;
  #headLength = 0;
  /** The buffer is twice as long as the kept part, so that a byte is moved at most once before it is dropped. */
  #tail: Uint8Array | undefined;
  #tailLength = 0;
  #length = 0;

  /** Copies the bytes, because a chunk may be a view of a buffer that is used again. */
  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    const forHead = chunk.subarray(0, partBytes - this.#headLength);
    if (forHead.byteLength > 0) {
      this.#head ??= new Uint8Array(partBytes);
      this.#head.set(forHead, this.#headLength);
      this.#headLength += forHead.byteLength;
    }
    const forTail = chunk.subarray(forHead.byteLength);
    if (forTail.byteLength > 0) this.#addToTail(forTail.subarray(-partBytes));
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#length;
  }

  get head(): Uint8Array {
    return this.#head?.subarray(0, this.#headLength) ?? new Uint8Array();
  }

  /** The kept bytes after the head. */
  get tail(): Uint8Array {
    return this.#tail?.subarray(Math.max(0, this.#tailLength - partBytes), this.#tailLength) ?? new Uint8Array();
  }

  #addToTail(bytes: Uint8Array): void {
    this.#tail ??= new Uint8Array(2 * partBytes);
    if (this.#tailLength + bytes.byteLength > this.#tail.byteLength) {
      this.#tail.copyWithin(0, this.#tailLength - partBytes, this.#tailLength);
      this.#tailLength = partBytes;
    }
    this.#tail.set(bytes, this.#tailLength);
    this.#tailLength += bytes.byteLength;
  }
}

export interface RecorderOptions {
  readonly scrub: Scrub;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class RequestRecorder implements RequestObserver, TracedRequest {
  readonly #options: RecorderOptions;
  readonly #begun: number;
  readonly #received = new BodyEnds();
  #request: HttpRequest | undefined;
  #way: RequestWay | undefined;
  #connected: number | undefined;
  #responded: number | undefined;
  #firstByte: number | undefined;
  #lastByte: number | undefined;
  #ended: number | undefined;
  #response: ResponseFacts | undefined;
  #error: AppError | undefined;
  #chunks = 0;
  #longestGap = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#begun = options.now();
  }

  onRequest(request: HttpRequest): void {
    this.#request = request;
  }

  onWay(way: RequestWay): void {
    this.#way = way;
  }

  onConnected(): void {
    this.#connected = this.#options.now();
  }

  onResponse({ status, requestId, contentType }: ResponseFacts): void {
    this.#responded = this.#options.now();
    this.#response = { status, ...definedFields({ requestId, contentType }) };
  }

  onChunk(chunk: Uint8Array): void {
    const now = this.#options.now();
    this.#firstByte ??= now;
    this.#longestGap = Math.max(this.#longestGap, now - (this.#lastByte ?? now));
    this.#lastByte = now;
    this.#chunks += 1;
    this.#received.add(chunk);
  }

  onEnd(): void {
    this.#ended ??= this.#options.now();
  }

  onFailure(error: AppError): void {
    this.onEnd();
    this.#error = error;
  }

  get trace(): RequestTrace {
    const { scrub } = this.#options;
    const request = this.#request;
    const { length, head, tail } = this.#received;
    return {
      method: request?.method ?? "",
      url: scrub.text(request?.url.href ?? ""),
      headers: request === undefined ? {} : scrub.record(plainHeaders(request)),
      keyPlace: request?.keyPlace ?? "bearer",
      body: scrub.value(request?.body ?? ""),
      times: this.#times(),
      received: {
        bytes: length,
        chunks: this.#chunks,
        longestGap: this.#longestGap,
        head: cleanText(head, scrub),
        tail: cleanText(tail, scrub),
        omitted: length - head.byteLength - tail.byteLength,
      },
      ...this.#response,
      ...definedFields({ way: this.#way, error: this.#error }),
    };
  }

  #times(): RequestTimes {
    return {
      begun: this.#begun,
      ...definedFields({
        connected: this.#connected,
        responded: this.#responded,
        firstByte: this.#firstByte,
        lastByte: this.#lastByte,
        ended: this.#ended,
      }),
    };
  }
}

function cleanText(bytes: Uint8Array, scrub: Scrub): string {
  return scrub.text(new TextDecoder().decode(bytes));
}
