/** Sends the requests of one gateway with one key: it adds headers, writes the log, and rejects for each error status. `retryRead` repeats reads. */
import { abortReason } from "../../base/async/abort";
import { definedFields } from "../../base/definedFields";
import { AppFailure } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";
import type { Scrub } from "../scrub";
import type { Limits, WireRequest, WireResponse } from "./network/wire";
import { createTransport, type Network, type Transport } from "./network/transport";
import { readTransportError } from "./network/transportError";
import { type HttpRequest, keyHeader, plainHeaders, urlWithKey } from "./httpRequest";
import { HttpResponse } from "./response";
import type { Clock } from "../../base/clock";

interface HttpClientOptions {
  /** The key, which is sent only to the gateway's origin: see `HttpRequest.withKey`. */
  readonly key: string;
  readonly scrub: Scrub;
  readonly limits: () => Limits;
  readonly network: Network;
  readonly log: Log;
  readonly now: () => number;
}

export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #transport: Transport;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#transport = createTransport(options);
  }

  /** Resolves for a status below 400 (no redirect is followed) and for `tolerates`; rejects with an `AppFailure`, or with the reason of an abort. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { scrub, limits, log, now } = this.#options;
    const { signal, watch } = request;
    watch?.onRequest(request);
    const started = now();
    const wire = await this.#sendWire(request, started);
    const response = new HttpResponse(wire, { scrub, signal, whole: () => limits().whole, now, watch });
    watch?.onResponse(response);
    const { status, requestId } = response;
    log.debug("request", { ...logFacts(request), status, ms: now() - started, requestId });
    if (status >= 400 && status !== request.tolerates) throw await response.failure();
    return response;
  }

  async close(): Promise<void> {
    this.#transport.close();
    await Promise.resolve();
  }

  async #sendWire(request: HttpRequest, started: number): Promise<WireResponse> {
    const { scrub, log, now } = this.#options;
    const { signal, watch } = request;
    try {
      return await this.#transport.send(this.#toWire(request));
    } catch (error) {
      watch?.onEnd();
      if (signal?.aborted) throw abortReason(signal);
      const failure = new AppFailure(scrub.error(readTransportError(error)));
      const { kind, code, notSent } = failure.error;
      log.warn("request failed", { ...logFacts(request), ms: now() - started, kind, code, sent: notSent !== true });
      throw failure;
    }
  }

  #toWire(request: HttpRequest): WireRequest {
    const { key, limits, network } = this.#options;
    const { method, body, signal, watch } = request;
    const own = network.requestHeaders?.(request.url) ?? {};
    return {
      method,
      url: urlWithKey(request, key),
      headers: { ...plainHeaders(request), ...own, ...keyHeader(request, key) },
      ...definedFields({ body }),
      firstByte: request.firstByte ?? limits().firstByte,
      alone: request.alone === true,
      publicOnly: request.publicOnly === true,
      signal,
      watch,
    };
  }
}

/** The logged facts never have the query, the key or the body. */
function logFacts({ method, url }: HttpRequest): { method: string; path: string } {
  return { method, path: url.pathname };
}

// `retryRead` tries a read again, as the official clients do. It is for reads only: a request that costs money could be charged twice.

const maxRetries = 2;

export interface RetryOptions {
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** Tries `read` twice more after temporary errors: no connection, or a failure of the gateway. A rate limit rejects at once: the caller decides. */
export async function retryRead<T>(read: () => Promise<T>, { clock, random, log, signal }: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await read();
    } catch (error) {
      const kind = error instanceof AppFailure ? error.error.kind : undefined;
      if (retries === maxRetries || (kind !== "unreachable" && kind !== "unavailable")) throw error;
      const ms = Math.round(500 * 2 ** retries * (1 - random() * 0.25));
      log.info("trying a read again", { kind, ms, retry: retries + 1 });
      await clock.delay(ms, signal);
    }
  }
}
