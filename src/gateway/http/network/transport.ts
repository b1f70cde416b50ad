/** Sends requests over our own connections, or with VS Code's fetch if none can be opened (C4). Decompresses bodies that a proxy compressed. */
import { PassThrough, pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type {
  HeaderSecrets,
  RequestHeaders,
  NetworkSettings,
  RememberedOrigins,
} from "../../../domain/gateway/networkSettings";
import { abortReason, abortable } from "../../../base/async/abort";
import type { Disposable } from "../../../base/disposable";
import type { ReadonlyStore } from "../../../base/store";
import { isLoopback } from "../../../domain/gateway/address";
import { type AppError, AppFailure } from "../../../domain/errors/appError";
import { editorOnlyCode } from "../../../domain/gateway/connectionCheck";
import type { Log } from "../../../domain/ports";
import type { Limits, WireResponse, WireRequest } from "./wire";
import { type ResponseHeaders, isCertificateCode, readTransportError } from "./transportError";
import { readTrust, type Trust } from "./sockets";
import { createPools, type Pools } from "./pools";
import { chooseProxy, type EnvironmentVariables, hostAndPort } from "./proxyChoice";
import { definedFields } from "../../../base/definedFields";
import { errors } from "./undici";

export interface Network {
  readonly settings: ReadonlyStore<NetworkSettings>;
  /** Environment variables such as HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS. */
  readonly environment: EnvironmentVariables;
  /** Origins that only VS Code's fetch reaches. When left out, it is never used. */
  readonly remembered?: RememberedOrigins;
  /** The additional headers for the URL of a gateway, read for each request. */
  readonly requestHeaders?: RequestHeaders;
  /** The values of these headers that, like the key, are removed from the gateway's responses. */
  readonly headerSecrets?: HeaderSecrets;
}

export interface Transport {
  /** Rejects with an `AppFailure`, whose `notSent` is set if no byte was sent, or with the reason of an abort. */
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

interface TransportOptions {
  readonly limits: () => Limits;
  readonly network: Network;
  readonly now: () => number;
  readonly log: Log;
}

export function createTransport(options: TransportOptions): Transport {
  const connections = new OwnConnections(options);
  const { remembered } = options.network;
  if (remembered === undefined) return connections;
  return new TransportWithFallback(options, connections, remembered);
}

/** Our own connections, reopened when the network settings change. */
class OwnConnections implements Transport {
  readonly #options: TransportOptions;
  readonly #registration: Disposable;
  #current: { readonly pools: Pools; readonly connect: number };
  #warned = false;

  constructor(options: TransportOptions) {
    const { network, log } = options;
    this.#options = options;
    this.#current = this.#open();
    this.#registration = network.settings.onDidChange(() => {
      this.#reopen();
      network.remembered?.forget();
      log.info("The network settings changed; new requests follow them.");
    });
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const { limits, network } = this.#options;
    const { url, signal, watch } = request;
    const { connect, silence } = limits();
    if (connect !== this.#current.connect) this.#reopen();
    const progress = { sent: false };
    let proxy: URL | undefined;
    try {
      proxy = chooseProxy(url, network.settings.current, network.environment);
      watch?.onWay(proxy === undefined ? { kind: "direct" } : { kind: "proxy", proxy: hostAndPort(proxy) });
      const response = await this.#current.pools.send(request, silence, () => {
        progress.sent = true;
        watch?.onConnected();
      });
      const headers = readHeaders(response.headers);
      const body = decodeContent(response.body, headers.get("content-encoding"));
      return { status: response.statusCode, headers, body };
    } catch (cause) {
      if (signal?.aborted) throw abortReason(signal);
      const error = readTransportError(cause);
      throw new AppFailure(progress.sent ? error : { ...nameProxy(error, proxy), notSent: true }, { cause });
    }
  }

  close(): void {
    this.#registration.dispose();
    this.#current.pools.close();
  }

  #open(): { readonly pools: Pools; readonly connect: number } {
    const { limits, network, log } = this.#options;
    const { environment } = network;
    const { connect } = limits();
    const settings = network.settings.current;
    let loaded: Trust | undefined;
    const trust = (): Trust => (loaded ??= readTrust(settings.systemCertificates, environment, log));
    const onUncheckedProxy = (proxy: string): void => this.#warnOnce(proxy);
    return { connect, pools: createPools({ settings, environment, connect, trust, onUncheckedProxy }) };
  }

  #reopen(): void {
    const before = this.#current;
    this.#current = this.#open();
    before.pools.close();
  }

  #warnOnce(proxy: string): void {
    const { log } = this.#options;
    if (!this.#warned) log.warn("The certificate of the proxy is not checked (http.proxyStrictSSL).", { proxy });
    this.#warned = true;
  }
}

/** Milliseconds. After a day our own connections are tried first again, because a machine moves between networks. */
const maxMemory = 24 * 60 * 60 * 1000;

/** Uses our own connections, and VS Code's fetch for origins that they do not reach, which are remembered. */
class TransportWithFallback implements Transport {
  readonly #options: TransportOptions;
  readonly #own: Transport;
  readonly #remembered: RememberedOrigins;
  /** Whether VS Code's fetch has reached an origin. */
  #isEditorUsed = false;
  /** Origins whose use of VS Code's fetch was logged. */
  readonly #logged = new Set<string>();

  constructor(options: TransportOptions, own: Transport, remembered: RememberedOrigins) {
    this.#options = options;
    this.#own = own;
    this.#remembered = remembered;
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const { signal, url, publicOnly } = request;
    const { editorFetch } = this.#options.network.settings.current;
    if (!editorFetch || isLoopback(url)) return this.#own.send(request);
    // VS Code's fetch resolves the host name and does not report the address, so the address can't be checked.
    if (publicOnly === true) return this.#sendToPublic(request);
    if (this.#isRemembered(url)) return this.#sendAsRemembered(request);
    try {
      return await this.#own.send(request);
    } catch (failure) {
      if (signal?.aborted || !(failure instanceof AppFailure) || !isWorthFallback(failure.error)) throw failure;
      return this.#sendByEditor(request, failure);
    }
  }

  close(): void {
    this.#own.close();
  }

  async #sendToPublic(request: WireRequest): Promise<WireResponse> {
    try {
      return await this.#own.send(request);
    } catch (failure) {
      // If VS Code's fetch has reached another origin, our own connections probably fail because they lack its proxy.
      if (!this.#isEditorUsed || !(failure instanceof AppFailure) || !isWorthFallback(failure.error)) throw failure;
      const { error } = failure;
      if (error.kind !== "unreachable" && error.kind !== "timed-out") throw failure;
      throw new AppFailure({ ...error, kind: "unreachable", code: editorOnlyCode }, { cause: failure });
    }
  }

  /** Sends with VS Code's fetch, only if no byte was sent before; failures propagate. `first`: the failure of our own connection. */
  async #sendByEditor(request: WireRequest, first: AppFailure): Promise<WireResponse> {
    const { log, now, limits } = this.#options;
    const { origin, host } = request.url;
    log.info("No connection of our own could be made; trying the editor's.", { host, code: first.error.code });
    try {
      request.watch?.onWay({ kind: "editor" });
      const response = await sendByHostFetch(request, limits());
      // 407 comes from a proxy, not from the origin.
      if (response.status !== 407) {
        this.#isEditorUsed = true;
        this.#remembered.write(origin, now());
        log.info("The editor's own connection reaches it and is used for a day.", { host, status: response.status });
      }
      return response;
    } catch (second) {
      if (request.signal?.aborted) throw abortReason(request.signal);
      if (!(second instanceof AppFailure)) throw second;
      if (second.error.notSent === true) throw first;
      if (second.error.code !== undefined && second.error.code !== refusedTunnel) throw second;
      // The error has the text of the first one, without its `notSent`, because the second attempt may have sent the request.
      const { notSent: _, ...error } = first.error;
      throw new AppFailure(error, { cause: second });
    }
  }

  #isRemembered({ origin, host }: URL): boolean {
    const { log, now } = this.#options;
    const since = this.#remembered.read(origin);
    if (since === undefined || Math.abs(now() - since) > maxMemory) return false;
    if (!this.#logged.has(origin)) {
      const facts = { host, since: new Date(since).toISOString() };
      log.info("The editor's own connection is used, as it was found to reach it.", facts);
    }
    this.#logged.add(origin);
    return true;
  }

  /** Sends with VS Code's fetch. After a failure our own connections are tried first again. */
  async #sendAsRemembered(request: WireRequest): Promise<WireResponse> {
    const { log, limits } = this.#options;
    const { origin, host } = request.url;
    try {
      request.watch?.onWay({ kind: "editor" });
      const response = await sendByHostFetch(request, limits());
      this.#isEditorUsed = true;
      return response;
    } catch (failure) {
      if (request.signal?.aborted) throw abortReason(request.signal);
      this.#remembered.forget(origin);
      this.#logged.delete(origin);
      const error = failure instanceof AppFailure ? failure.error : undefined;
      log.info("The editor's own connection failed; ours is tried first again.", { host, code: error?.code });
      if (error?.notSent !== true) throw failure;
      return this.#own.send(request);
    }
  }
}

/** The code of VS Code's fetch for a proxy that refused a tunnel ("Request was cancelled."). */
const refusedTunnel = "UND_ERR_ABORTED";

/** False for an untrusted certificate, because VS Code's fetch must not bypass the check. */
function isWorthFallback(error: AppError): boolean {
  return error.notSent === true && !isCertificateCode(error.code);
}

/** Adds the proxy's host and port to the message; never its user name and password. */
function nameProxy(error: AppError, proxy: URL | undefined): AppError {
  if (proxy === undefined) return error;
  return { ...error, message: `${error.message.replace(/\.$/, "")}, through the proxy ${hostAndPort(proxy)}.` };
}

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): ResponseHeaders {
  return {
    get(name) {
      const value = raw[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

// Decompresses bodies that a proxy compressed unasked.

/** With these options decompressed bytes are passed on at once, even those of a response that is cut. */
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** The number of decompressed bytes up to which any ratio is allowed. */
const smallBody = 8 * 1024 * 1024;
/** The highest ratio of decompressed to compressed bytes. Ordinary text is hardly ever compressed to less than a fiftieth. */
const maxRatio = 100;

/**
 * `coding` is the header `content-encoding`. A body with an unknown coding is returned unchanged. The body rejects with an `AppFailure`
 * when it was compressed so much that few bytes would fill memory or disk.
 */
function decodeContent(body: Readable, coding: string | undefined): AsyncIterable<Uint8Array> {
  const names = (coding ?? "").toLowerCase().split(",").reverse();
  const known = names.flatMap((name) => decoders[name.trim()] ?? []);
  if (known.length === 0) return body;
  let received = 0;
  const counter = new PassThrough();
  counter.on("data", (chunk: Uint8Array) => (received += chunk.length));
  let decoded: Readable = pipeline(body, counter, () => undefined);
  // `pipeline` passes an error on to the last stream, and destroys all of them when the last one is destroyed.
  for (const decoder of known) decoded = pipeline(decoded, decoder(), () => undefined);
  return capRatio(decoded, () => received);
}

async function* capRatio(decoded: AsyncIterable<Uint8Array>, received: () => number): AsyncGenerator<Uint8Array> {
  let produced = 0;
  for await (const chunk of decoded) {
    produced += chunk.length;
    if (produced > smallBody && produced > received() * maxRatio) {
      throw new AppFailure({
        kind: "malformed",
        message: `The answer's compression is implausible: more than ${maxRatio} to 1.`,
      });
    }
    yield chunk;
  }
}

// Sends a request with VS Code's fetch, which supports proxies that we do not (automatic configuration, Kerberos), under our own limits
// (C4).

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
    // `fetch` is read at each call, because VS Code may replace Node's fetch after this module was loaded.
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

/** By the Fetch standard the body of a lost connection fails with a `TypeError`. One with a cause comes from undici. */
function isLostConnection(error: unknown): error is TypeError {
  return error instanceof TypeError && !(error.cause instanceof Error);
}

class LostConnection extends Error {
  readonly code = "UND_ERR_SOCKET";

  constructor(cause: TypeError) {
    super(cause.message, { cause });
  }
}
