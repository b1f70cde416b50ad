/** The connections of our own: one pool for each origin, direct or through a proxy, with no limits but ours (C4). */
import type { Socket } from "node:net";
import { abortable, abortReason } from "../../../base/abort";
import { definedFields } from "../../../base/definedFields";
import type { NetworkSettings } from "../../../domain/networkSettings";
import type { Trust } from "./certificates";
import type { WireRequest } from "./wire";
import { chooseProxy, type Environment, hostAndPort } from "./proxyChoice";
import { connectTcp, startTls } from "./sockets";
import { connectProxy, openTunnel, type ProxyAccess, proxyHeaders } from "./tunnel";
import { type buildConnector, type Dispatcher, errors, Pool } from "./undici";

export interface PoolOptions {
  readonly settings: NetworkSettings;
  readonly environment: Environment;
  /** Milliseconds until a connection stands, with the proxy and TLS. */
  readonly connect: number;
  /** Called for the first connection over TLS. */
  readonly trust: () => Trust;
  /** The certificate of this proxy will not be checked. */
  readonly onUncheckedProxy: (proxy: string) => void;
}

export interface Pools {
  /** `onStart` is called before the first byte of the request is written, on a connection that stands. */
  send(request: WireRequest, silence: number, onStart: () => void): Promise<Dispatcher.ResponseData>;
  /** Idle connections end now; what is being answered goes on, and is not waited for. */
  close(): void;
}

/** All connections to one origin. */
interface Way {
  readonly pool: Pool;
  /** A proxy that is asked for whole addresses, instead of for a tunnel. */
  readonly asked: ProxyAccess | undefined;
  /** So many requests wait for a connection. */
  waiting: number;
  /** Ends the connections that are being made. */
  giveUp(): void;
}

export function createPools(options: PoolOptions): Pools {
  const kept = new Map<string, Way>();

  const close = (way: Way): void => void way.pool.close().catch(() => undefined);
  const forget = (origin: string, way: Way): void => {
    if (kept.get(origin) === way) kept.delete(origin);
    close(way);
  };
  const keep = (origin: string, way: Way): Way => {
    kept.set(origin, way);
    way.pool.on("disconnect", () => {
      if (way.waiting === 0 && way.pool.stats.connected === 0) forget(origin, way);
    });
    return way;
  };

  return {
    async send(request, silence, onStart) {
      const { method, url, body, firstByte, alone, signal } = request;
      const { origin } = url;
      const way = alone ? openWay(url, options) : (kept.get(origin) ?? keep(origin, openWay(url, options)));
      const progress = { waits: true };
      const stopWaiting = (): void => {
        if (progress.waits) way.waiting -= 1;
        progress.waits = false;
      };
      way.waiting += 1;
      const started = noticeStart(() => {
        stopWaiting();
        onStart();
      });
      const sent = way.pool.compose(started).request({
        method,
        path: `${way.asked === undefined ? "" : origin}${url.pathname}${url.search}`,
        headers: way.asked === undefined ? request.headers : { ...request.headers, ...forProxy(url, way.asked) },
        headersTimeout: firstByte,
        bodyTimeout: silence,
        reset: alone,
        ...definedFields({ body, signal }),
      });
      try {
        // The library hears an abort only when a connection stands.
        return await (signal === undefined ? sent : abortable(sent, signal));
      } catch (error) {
        if (progress.waits) {
          stopWaiting();
          if (way.waiting === 0) {
            forget(origin, way);
            way.giveUp();
          }
        }
        throw error;
      } finally {
        if (alone) close(way);
      }
    },
    close() {
      for (const way of kept.values()) close(way);
      kept.clear();
    },
  };
}

function forProxy(url: URL, proxy: ProxyAccess): Readonly<Record<string, string>> {
  return { host: url.host, ...proxyHeaders(proxy) };
}

function openWay(url: URL, options: PoolOptions): Way {
  const opening = new Set<AbortController>();
  const proxy = findProxy(url, options);
  const asked = url.protocol === "http:" && proxy?.url.protocol.startsWith("http") === true ? proxy : undefined;

  const open = async (signal: AbortSignal): Promise<Socket> => {
    if (asked !== undefined) return connectProxy(asked, signal);
    const socket = await (proxy === undefined ? connectTcp(url, signal) : openTunnel(proxy, url, signal));
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
    pool: new Pool(asked?.url.origin ?? url.origin, { connect, allowH2: false }),
    asked,
    waiting: 0,
    giveUp() {
      for (const attempt of opening) attempt.abort();
    },
  };
}

function findProxy(url: URL, options: PoolOptions): ProxyAccess | undefined {
  const { settings, environment, trust, onUncheckedProxy } = options;
  const proxy = chooseProxy(url, settings, environment);
  if (proxy === undefined) return undefined;
  const unchecked = proxy.protocol === "https:" && !settings.strictProxyCertificates;
  if (unchecked) onUncheckedProxy(hostAndPort(proxy));
  return {
    url: proxy,
    authorization: settings.proxyAuthorization,
    // Only on the way to the proxy: the gateway's certificate is checked inside the tunnel.
    trust: () => (unchecked ? { ...trust(), rejectUnauthorized: false } : trust()),
  };
}

/** Wrapped, because the library reads some codes as its own and tries again for ever. */
function asConnectError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error), { cause: error });
}

/**
 * Calls `onStart` before the first byte of the request is written, on a connection that stands. What fails earlier (name,
 * connection, proxy, certificate) has not reached the service, whatever the error is called.
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
