/** How one request gets out of this machine: over connections of our own, and where none can be made, by the editor's fetch (C4). */
import { type Dispatcher, request as send } from "undici";
import { abortReason } from "../base/abort";
import { type ReadonlyStore, Store } from "../base/store";
import { type GatewayError, GatewayFailure } from "../domain/errors";
import type { NetworkSettings } from "../domain/networkSettings";
import type { Log } from "../domain/ports";
import { isLoopback } from "./addresses";
import { readTrust, type Trust } from "./certificates";
import { createDispatcher } from "./dispatcher";
import type { WireAnswer, WireRequest } from "./exchange";
import { sendByHostFetch } from "./hostFetch";
import type { Limits } from "./limits";
import { chooseProxy, describeProxy, type Environment } from "./proxyChoice";
import type { AnswerHeaders } from "./retryAfter";
import { isCertificateCode, readTransportError } from "./transportError";

export interface Network {
  readonly settings: ReadonlyStore<NetworkSettings>;
  /** Where HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS and their like stand. */
  readonly environment: Environment;
  /** The origins that only the editor's fetch reached. Without it that fetch is not tried. */
  readonly remembered?: { read(origin: string): boolean; write(origin: string): void };
}

/** Direct, with the certificates of Node and the system. */
export const directNetwork: Network = {
  settings: new Store<NetworkSettings>({ noProxy: [], strictProxyCertificates: true, systemCertificates: true }),
  environment: {},
};

export interface Transport {
  /** Rejects with a `GatewayFailure` that says whether anything was sent, or with the reason of an abort. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export function createTransport(options: { limits: Limits; network: Network; log?: Log | undefined }): Transport {
  const { limits, network, log } = options;
  const { settings, environment, remembered } = network;
  let warned = false;
  const onUncheckedProxy = (proxy: string): void => {
    if (!warned) log?.warn("The certificate of the proxy is not checked (http.proxyStrictSSL).", { proxy });
    warned = true;
  };
  const open = (): { readonly kept: Dispatcher; readonly alone: Dispatcher } => {
    const now = settings.current;
    let read: Trust | undefined;
    const trust = (): Trust => (read ??= readTrust(now.systemCertificates, environment, log));
    const common = { environment, trust, onUncheckedProxy };
    return {
      kept: createDispatcher(now, limits, common),
      alone: createDispatcher(now, limits, { ...common, alone: true }),
    };
  };
  let current = open();
  // Idle connections end now; what is still being answered goes on, and is not waited for.
  const retire = ({ kept, alone }: typeof current): void => {
    for (const dispatcher of [kept, alone]) dispatcher.close().catch(() => undefined);
  };
  const registration = settings.onDidChange(() => {
    const before = current;
    current = open();
    retire(before);
    log?.info("The network settings changed; new requests follow them.");
  });

  const sendOurselves = async (request: WireRequest): Promise<WireAnswer> => {
    const { method, url, headers, body, firstByte, signal } = request;
    const progress = { sent: false };
    let proxy: URL | undefined;
    try {
      proxy = chooseProxy(url, settings.current, environment);
      const dispatcher = request.alone ? current.alone : current.kept;
      const answer = await send(url, {
        dispatcher: dispatcher.compose(noticeStart(() => (progress.sent = true))),
        method,
        headers,
        headersTimeout: firstByte,
        bodyTimeout: limits.silence,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: answer.statusCode, headers: readHeaders(answer.headers), body: answer.body };
    } catch (cause) {
      if (signal?.aborted) throw abortReason(signal);
      const error = readTransportError(cause);
      throw new GatewayFailure(progress.sent ? error : { ...nameProxy(error, proxy), notSent: true }, { cause });
    }
  };

  /** Only for a request of which no byte was sent. What happens to it there is known to its caller like any other. */
  const sendByEditor = async (request: WireRequest, first: GatewayFailure): Promise<WireAnswer> => {
    const { origin, host } = request.url;
    log?.info("No connection of our own could be made; trying the editor's.", { host, code: first.error.code });
    try {
      const answer = await sendByHostFetch(request, limits);
      // With this status a proxy speaks, not who was asked.
      if (answer.status !== 407) {
        remembered?.write(origin);
        log?.info("The editor's own connection reaches it and is used from now on.", { host, status: answer.status });
      }
      return answer;
    } catch (second) {
      if (request.signal?.aborted) throw abortReason(request.signal);
      if (!(second instanceof GatewayFailure)) throw second;
      if (second.error.notSent === true) throw first;
      if (second.error.code !== undefined && second.error.code !== refusedTunnel) throw second;
      // It tells less than the first one; whether anything was sent is for the second one to know.
      const { notSent: _, ...said } = first.error;
      throw new GatewayFailure(said, { cause: second });
    }
  };

  return {
    async send(request) {
      const { signal, url } = request;
      if (remembered === undefined || isLoopback(url)) return sendOurselves(request);
      if (remembered.read(url.origin)) {
        return sendByHostFetch(request, limits).catch((error: unknown) => {
          throw signal?.aborted ? abortReason(signal) : error;
        });
      }
      return sendOurselves(request).catch((failure: unknown) => {
        if (signal?.aborted || !(failure instanceof GatewayFailure) || !isWorthAnotherWay(failure.error)) throw failure;
        return sendByEditor(request, failure);
      });
    },
    close() {
      registration.dispose();
      retire(current);
    },
  };
}

/** All that the editor's fetch says of a proxy that refused: "Request was cancelled." */
const refusedTunnel = "UND_ERR_ABORTED";

/** A certificate that we do not trust is no reason to look for someone who does. */
function isWorthAnotherWay(error: GatewayError): boolean {
  return error.notSent === true && !isCertificateCode(error.code);
}

/** Says which proxy stood in the way; never its user name and password. */
function nameProxy(error: GatewayError, proxy: URL | undefined): GatewayError {
  if (proxy === undefined) return error;
  const refused = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  const what =
    refused === "407"
      ? "A user name and a password are asked for (status 407)"
      : refused !== undefined
        ? `The connection was refused (status ${refused})`
        : error.message.replace(/\.$/, "");
  return { ...error, message: `${what}, through the proxy ${describeProxy(proxy)}.` };
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

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): AnswerHeaders {
  return {
    get(name) {
      const value = raw[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}
