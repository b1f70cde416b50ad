/** The editor's own fetch: it knows proxies that we can't know (automatic configuration, Kerberos), but keeps no limits of ours (C4). */
import { abortable } from "../../../base/abort";
import { definedFields } from "../../../base/definedFields";
import { GatewayFailure } from "../../../domain/errors";
import type { Limits } from "../limits";
import type { WireResponse, WireRequest } from "./wire";
import { isCertificateCode, readTransportError } from "./transportError";
import { errors } from "./undici";

/** Codes of failures before the first byte of a request. */
const early = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);

/** Rejects with a `GatewayFailure`; `notSent` only where the failure shows that there was no connection. */
export async function sendByHostFetch(request: WireRequest, limits: Limits): Promise<WireResponse> {
  const { method, url, headers, body, firstByte, signal } = request;
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const wait = limits.connect + firstByte;
  const timer = setTimeout(() => ended.abort(new errors.HeadersTimeoutError()), wait);
  try {
    // Read at each call: the editor puts its own in the place of Node's, and not always before we are loaded.
    const fetching = globalThis.fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: either,
      ...definedFields({ body }),
    });
    const answer = await abortable(fetching, either);
    return {
      // A browser's fetch hides where a redirect leads; it is none that we follow.
      status: answer.type === "opaqueredirect" ? 302 : answer.status,
      headers: { get: (name) => answer.headers.get(name) ?? undefined },
      body: readPieces(answer.body, ended, either, limits.silence),
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
    throw unwrap(error);
  } finally {
    // Left before its end, the connection ends with it.
    ended.abort();
  }
}

function readFetchError(error: unknown): GatewayFailure {
  const cause = unwrap(error);
  const read = readTransportError(cause);
  const isEarly = read.code !== undefined && (early.has(read.code) || isCertificateCode(read.code));
  return new GatewayFailure(isEarly ? { ...read, notSent: true } : read, { cause });
}

/** `TypeError: fetch failed` says nothing; its cause does. */
function unwrap(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
}
