/** Records one request while it is sent and its response while it arrives, so that a person can look at both (S4). */
import { definedFields } from "../../base/definedFields";
import type { GatewayError } from "../../domain/errors";
import type { RequestTimes, RequestTrace, RequestWay, TracedRequest } from "../../domain/requestTrace";
import type { Scrub } from "../key/scrub";
import { type HttpRequest, plainHeaders } from "./httpRequest";
import type { WireWatch } from "./network/wire";

/** Bytes that are kept of the beginning of a body, and of its end. */
const kept = 64 * 1024;

export interface RecorderOptions {
  readonly scrub: Scrub;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string;
  readonly contentType?: string;
}

export class RequestRecorder implements WireWatch, TracedRequest {
  readonly #options: RecorderOptions;
  readonly #begun: number;
  readonly #head: Uint8Array[] = [];
  #headLength = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #request: HttpRequest | undefined;
  #way: RequestWay | undefined;
  #connected: number | undefined;
  #responded: number | undefined;
  #firstByte: number | undefined;
  #lastByte: number | undefined;
  #ended: number | undefined;
  #response: ResponseFacts | undefined;
  #error: GatewayError | undefined;
  #bytes = 0;
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

  /** Bytes are copied: a chunk may be a view of a far larger buffer. */
  onChunk(chunk: Uint8Array): void {
    const now = this.#options.now();
    this.#firstByte ??= now;
    this.#longestGap = Math.max(this.#longestGap, now - (this.#lastByte ?? now));
    this.#lastByte = now;
    this.#bytes += chunk.byteLength;
    this.#chunks += 1;
    const forHead = chunk.subarray(0, kept - this.#headLength);
    if (forHead.byteLength > 0) {
      this.#head.push(forHead.slice());
      this.#headLength += forHead.byteLength;
    }
    const forTail = chunk.subarray(forHead.byteLength);
    if (forTail.byteLength > 0) this.#keepTail(forTail.slice(-kept));
  }

  onEnd(): void {
    this.#ended ??= this.#options.now();
  }

  onFailure(error: GatewayError): void {
    this.onEnd();
    this.#error = error;
  }

  get trace(): RequestTrace {
    const { scrub } = this.#options;
    const request = this.#request;
    const tail = join(this.#tail).subarray(-kept);
    return {
      method: request?.method ?? "",
      url: scrub.text(request?.url.href ?? ""),
      headers: request === undefined ? {} : scrub.record(plainHeaders(request)),
      keyPlace: request?.keyPlace ?? "bearer",
      body: scrub.value(request?.body ?? ""),
      times: this.#times(),
      received: {
        bytes: this.#bytes,
        chunks: this.#chunks,
        longestGap: this.#longestGap,
        head: cleanText(join(this.#head), scrub),
        tail: cleanText(tail, scrub),
        omitted: this.#bytes - this.#headLength - tail.byteLength,
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

  /** Between one and two times what is kept, so that a byte is moved once at most. */
  #keepTail(bytes: Uint8Array): void {
    this.#tail.push(bytes);
    this.#tailLength += bytes.byteLength;
    if (this.#tailLength < 2 * kept) return;
    this.#tail = [join(this.#tail).slice(-kept)];
    this.#tailLength = kept;
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(chunks);
}

function cleanText(bytes: Uint8Array, scrub: Scrub): string {
  return scrub.text(new TextDecoder().decode(bytes));
}
