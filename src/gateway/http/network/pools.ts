/** Our own connections: one undici pool for each origin, direct or through a proxy, with our own timeouts (C4). */
import type { Socket } from "node:net";
import { abortable, abortReason } from "../../../base/async/abort";
import { definedFields } from "../../../base/definedFields";
import type { NetworkSettings } from "../../../domain/gateway/networkSettings";
import { type Trust, connectTcp, startTls } from "./sockets";
import type { WireRequest } from "./wire";
import { chooseProxy, type EnvironmentVariables, hostAndPort } from "./proxyChoice";
import { connectProxy, openTunnel, type ProxyAccess, proxyHeaders } from "./tunnel";
import { type buildConnector, type Dispatcher, errors, Pool } from "./undici";

export interface PoolOptions {
  readonly settings: NetworkSettings;
  readonly environment: EnvironmentVariables;
  /** Milliseconds to open a connection, including proxy and TLS. */
  readonly connect: number;
  /** Called for the first connection over TLS. */
  readonly trust: () => Trust;
  /** Called with a proxy whose certificate will not be checked. */
  readonly onUncheckedProxy: (proxy: string) => void;
}

export interface Pools {
  /** `onStart` is called on the open connection, before the first byte of the request is written. */
  send(request: WireRequest, silence: number, onStart: () => void): Promise<Dispatcher.ResponseData>;
  /** Closes idle connections at once, others after their response. */
  close(): void;
}

/** All connections to one origin. */
interface PooledRoute {
  readonly pool: Pool;
  /** The proxy of an `http:` origin: it gets requests with whole addresses instead of a tunnel. */
  readonly forwarding: ProxyAccess | undefined;
  /** The number of requests that wait for a connection. */
  waiting: number;
  /** Aborts connections that are being opened. */
  abort(): void;
}

export function createPools(options: PoolOptions): Pools {
  const kept = new Map<string, PooledRoute>();

  const close = (route: PooledRoute): void => void route.pool.close().catch(() => undefined);
  const forget = (kind: string, route: PooledRoute): void => {
    if (kept.get(kind) === route) kept.delete(kind);
    close(route);
  };
  const keep = (kind: string, route: PooledRoute): PooledRoute => {
    kept.set(kind, route);
    route.pool.on("disconnect", () => {
      if (route.waiting === 0 && route.pool.stats.connected === 0) forget(kind, route);
    });
    return route;
  };

  return {
    async send(request, silence, onStart) {
      const { method, url, body, firstByte, alone, signal } = request;
      const kind = kindOf(request);
      const route = alone ? openRoute(request, options) : (kept.get(kind) ?? keep(kind, openRoute(request, options)));
      const progress = { waits: true };
      const stopWaiting = (): void => {
        if (progress.waits) route.waiting -= 1;
        progress.waits = false;
      };
      route.waiting += 1;
      const started = noticeStart(() => {
        stopWaiting();
        onStart();
      });
      const sent = route.pool.compose(started).request({
        method,
        path: `${route.forwarding === undefined ? "" : url.origin}${url.pathname}${url.search}`,
        headers:
          route.forwarding === undefined ? request.headers : { ...request.headers, ...forProxy(url, route.forwarding) },
        headersTimeout: firstByte,
        bodyTimeout: silence,
        reset: alone,
        ...definedFields({ body, signal }),
      });
      try {
        // undici reacts to an abort only on an open connection.
        return await (signal === undefined ? sent : abortable(sent, signal));
      } catch (error) {
        if (progress.waits) {
          stopWaiting();
          if (route.waiting === 0) {
            forget(kind, route);
            route.abort();
          }
        }
        throw error;
      } finally {
        if (alone) close(route);
      }
    },
    close() {
      for (const route of kept.values()) close(route);
      kept.clear();
    },
  };
}

/** Requests of one kind share connections. A connection that was opened without the check of its address is never used for `publicOnly`. */
function kindOf({ url: { origin }, publicOnly }: WireRequest): string {
  return publicOnly ? `${origin} public` : origin;
}

function forProxy(url: URL, proxy: ProxyAccess): Readonly<Record<string, string>> {
  return { host: url.host, ...proxyHeaders(proxy) };
}

function openRoute({ url, publicOnly, lookup: checked }: WireRequest, options: PoolOptions): PooledRoute {
  const opening = new Set<AbortController>();
  const proxy = findProxy(url, options);
  const forwarding = url.protocol === "http:" && proxy?.url.protocol.startsWith("http") === true ? proxy : undefined;

  const open = async (signal: AbortSignal): Promise<Socket> => {
    if (forwarding !== undefined) return connectProxy(forwarding, signal);
    const socket = await (proxy === undefined
      ? connectTcp(url, signal, { publicOnly, checked })
      : openTunnel(proxy, url, signal));
    return url.protocol === "https:" ? startTls(socket, url, options.trust(), signal) : socket;
  };
  const connect: buildConnector.connector = (_, done) => {
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(new errors.ConnectTimeoutError()), options.connect);
    opening.add(attempt);
    open(attempt.signal)
      .finally(() => {
        clearTimeout(timer);
        opening.delete(attempt);
      })
      .then(
        (socket) => done(null, socket),
        (error: unknown) => done(asConnectError(attempt.signal.aborted ? abortReason(attempt.signal) : error), null),
      );
  };
  return {
    pool: new Pool(forwarding?.url.origin ?? url.origin, { connect, allowH2: false }),
    forwarding,
    waiting: 0,
    abort() {
      for (const attempt of opening) attempt.abort();
    },
  };
}

export function findProxy(url: URL, options: Omit<PoolOptions, "connect">): ProxyAccess | undefined {
  const { settings, environment, trust, onUncheckedProxy } = options;
  const proxy = chooseProxy(url, settings, environment);
  if (proxy === undefined) return undefined;
  const unchecked = proxy.protocol === "https:" && !settings.strictProxyCertificates;
  if (unchecked) onUncheckedProxy(hostAndPort(proxy));
  return {
    url: proxy,
    authorization: settings.proxyAuthorization,
    // This applies only to the proxy: the gateway's certificate is checked inside the tunnel.
    trust: () => (unchecked ? { ...trust(), rejectUnauthorized: false } : trust()),
  };
}

/** Wraps the error, because undici takes some codes for its own and retries for ever. */
function asConnectError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error), { cause: error });
}

/**
 * Calls `onStart` on the open connection, before the first byte of the request is written. Errors before that (name,
 * connection, proxy, certificate) mean that the service received nothing.
 */
function noticeStart(onStart: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const noticed: Dispatcher.DispatchHandler = {
      onRequestStart(controller, context) {
        onStart();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (controller, status, headers, socket) =>
        handler.onRequestUpgrade?.(controller, status, headers, socket),
      onResponseStart: (controller, status, headers, text) =>
        handler.onResponseStart?.(controller, status, headers, text),
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    };
    return dispatch(options, noticed);
  };
}
