/** Sends a request with VS Code's fetch, which supports proxies that we do not (automatic configuration, Kerberos), under our own limits (C4). */
import { abortable } from "../../../base/async/abort";
import { definedFields } from "../../../base/definedFields";
import { AppFailure } from "../../../domain/errors/appError";
import type { Limits } from "./limits";
import type { WireResponse, WireRequest } from "./wire";
import { isCertificateCode, readTransportError } from "./transportError";
import { errors } from "./undici";

/** Codes of failures before the first byte of a request. */
const early = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);

/** Rejects with an `AppFailure`; `notSent` only where the failure shows that there was no connection. */
export async function sendByHostFetch(request: WireRequest, limits: Limits): Promise<WireResponse> {
  const { method, url, headers, body, firstByte, signal } = request;
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const wait = limits.connect + firstByte;
  const timer = setTimeout(() => ended.abort(new errors.HeadersTimeoutError()), wait);
  try {
    // Read at each call: VS Code replaces Node's fetch, and not always before this module is loaded.
    const fetching = globalThis.fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: either,
      ...definedFields({ body }),
    });
    const response = await abortable(fetching, either);
    return {
      // A browser's fetch hides the target of a redirect, which is not followed anyway.
      status: response.type === "opaqueredirect" ? 302 : response.status,
      headers: { get: (name) => response.headers.get(name) ?? undefined },
      body: readPieces(response.body, ended, either, limits.silence),
    };
  } catch (error) {
    throw readFetchError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function* readPieces(
  body: ReadableStream<Uint8Array> | null,
  ended: AbortController,
  signal: AbortSignal,
  silence: number,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const timer = setTimeout(() => ended.abort(new errors.BodyTimeoutError()), silence);
      const piece = await abortable(reader.read(), signal).finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw isLostConnection(error) ? new LostConnection(error) : unwrap(error);
  } finally {
    // Ends the connection when the body is left before its end.
    ended.abort();
  }
}

function readFetchError(error: unknown): AppFailure {
  const cause = unwrap(error);
  const read = readTransportError(cause);
  const isEarly = read.code !== undefined && (early.has(read.code) || isCertificateCode(read.code));
  return new AppFailure(isEarly ? { ...read, notSent: true } : read, { cause });
}

/** The cause of `TypeError: fetch failed` has the code. */
function unwrap(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
}

/** By the Fetch standard the body of a lost connection fails with a `TypeError`; only undici's may have a cause. */
function isLostConnection(error: unknown): error is TypeError {
  return error instanceof TypeError && !(error.cause instanceof Error);
}

class LostConnection extends Error {
  readonly code = "UND_ERR_SOCKET";

  constructor(cause: TypeError) {
    super(cause.message, { cause });
  }
}
