/** An HTTP response: its body, or its error. The key is removed from every text of an error. */
import { abortReason } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure } from "../../domain/errors/appError";
import type { Scrub } from "../scrub";
import { readErrorResponse, readRequestId } from "./serviceError";
import { readTransportError, type ResponseHeaders } from "./network/transportError";
import type { WireResponse } from "./network/wire";
import type { RequestObserver } from "./httpRequest";

/** The error of an error response, with the service's `x-should-retry`. */
export class ResponseFailure extends AppFailure {
  readonly shouldRetry: boolean | undefined;

  constructor(error: AppError, shouldRetry: boolean | undefined) {
    super(error);
    this.shouldRetry = shouldRetry;
  }
}

export interface ResponseOptions {
  readonly scrub: Scrub;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for the whole body of `text`. */
  readonly whole: () => number;
  readonly now: () => number;
  readonly watch?: RequestObserver | undefined;
}

/** Bytes. */
const maxJsonLength = 16 * 1024 * 1024;
const maxErrorLength = 64 * 1024;

export class HttpResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly requestId?: string;
  readonly contentType?: string;
  /** Rejects with an `AppFailure`. Ends the connection when it is left before its end. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly #options: ResponseOptions;
  readonly #begun: number;

  constructor({ status, headers, body }: WireResponse, options: ResponseOptions) {
    const { scrub, signal, now, watch } = options;
    this.status = status;
    this.headers = headers;
    const requestId = readRequestId(headers);
    const contentType = headers.get("content-type");
    if (requestId !== undefined) this.requestId = scrub.text(requestId);
    if (contentType !== undefined) this.contentType = scrub.text(contentType);
    const toFailure = (cause: unknown): AppFailure => this.#failure(readTransportError(cause));
    this.body = guardBody(body, { signal, toFailure, watch });
    this.#options = options;
    this.#begun = now();
  }

  /** The whole body; rejects with an `AppFailure` beyond `maxLength`, by default 16 MiB. */
  async text(maxLength = maxJsonLength): Promise<string> {
    const { bytes, isWhole } = await this.#read(maxLength);
    if (!isWhole) throw this.toMalformed(`The answer is longer than ${maxLength} bytes.`);
    return new TextDecoder().decode(bytes);
  }

  /** Ends the connection without the rest of the body. Never rejects. */
  async discard(): Promise<void> {
    const body = this.body[Symbol.asyncIterator]();
    await body.next().catch(() => undefined);
    await body.return?.().catch(() => undefined);
  }

  /** Reads the body as that of an error response. */
  async failure(): Promise<AppFailure> {
    const { bytes } = await this.#read(maxErrorLength);
    return this.toFailure(new TextDecoder().decode(bytes));
  }

  /** The response as an error; `text` is its body. */
  toFailure(text: string): AppFailure {
    const { scrub, now } = this.#options;
    const { status, headers } = this;
    const error = readErrorResponse({ status, headers, text, now: now() });
    return new ResponseFailure(scrub.error(error), readShouldRetry(headers));
  }

  /** The failure for a response that can't be used; `message` is the reason. */
  toMalformed(message: string, text = ""): AppFailure {
    return this.#failure({ kind: "malformed", message, ...(text === "" ? {} : { firstBytes: text }) });
  }

  #failure(error: AppError): AppFailure {
    const { status, requestId, contentType } = this;
    return new AppFailure(
      this.#options.scrub.error({ ...error, status, ...definedFields({ requestId, contentType }) }),
    );
  }

  async #read(longest: number): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.body) {
      this.#checkTime();
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > longest) break;
    }
    return { bytes: Buffer.concat(chunks, Math.min(length, longest)), isWhole: length <= longest };
  }

  /** Is called at each chunk. For a body without chunks the limit of silence applies. */
  #checkTime(): void {
    const { now, whole } = this.#options;
    if (now() - this.#begun > whole()) {
      throw this.#failure({ kind: "timed-out", message: "The answer had not ended in time." });
    }
  }
}

/** The body, whose errors become an `AppFailure`; an abort stays an abort. */
async function* guardBody(body: AsyncIterable<Uint8Array>, guard: BodyGuard): AsyncGenerator<Uint8Array> {
  const { signal, toFailure, watch } = guard;
  try {
    for await (const chunk of body) {
      watch?.onChunk(chunk);
      yield chunk;
    }
  } catch (error) {
    if (signal?.aborted) throw abortReason(signal);
    throw toFailure(error);
  } finally {
    watch?.onEnd();
  }
}

interface BodyGuard {
  readonly signal: AbortSignal | undefined;
  readonly toFailure: (error: unknown) => AppFailure;
  readonly watch: RequestObserver | undefined;
}

function readShouldRetry(headers: ResponseHeaders): boolean | undefined {
  const value = headers.get("x-should-retry")?.trim().toLowerCase();
  return value === "true" ? true : value === "false" ? false : undefined;
}
