/** How one request gets out of this machine: over connections of our own, and where none can be made, by the editor's fetch (C4). */
import { abortReason } from "../base/abort";
import { type ReadonlyStore, Store } from "../base/store";
import { type GatewayError, GatewayFailure } from "../domain/errors";
import { defaultNetworkSettings, type NetworkSettings } from "../domain/networkSettings";
import type { Log } from "../domain/ports";
import { isLoopback } from "./addresses";
import { readTrust, type Trust } from "./certificates";
import type { WireAnswer, WireRequest } from "./exchange";
import { sendByHostFetch } from "./hostFetch";
import type { Limits } from "./limits";
import { createPools, type Pools } from "./pools";
import { chooseProxy, type Environment, hostAndPort } from "./proxyChoice";
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
  settings: new Store(defaultNetworkSettings),
  environment: {},
};

export interface Transport {
  /** Rejects with a `GatewayFailure` that says whether anything was sent, or with the reason of an abort. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export function createTransport(options: { limits: () => Limits; network: Network; log?: Log | undefined }): Transport {
  const { limits, network, log } = options;
  const { settings, environment, remembered } = network;
  let warned = false;
  const onUncheckedProxy = (proxy: string): void => {
    if (!warned) log?.warn("The certificate of the proxy is not checked (http.proxyStrictSSL).", { proxy });
    warned = true;
  };
  const open = (): { readonly pools: Pools; readonly connect: number } => {
    const { connect } = limits();
    const now = settings.current;
    let read: Trust | undefined;
    const trust = (): Trust => (read ??= readTrust(now.systemCertificates, environment, log));
    return { connect, pools: createPools({ settings: now, environment, connect, trust, onUncheckedProxy }) };
  };
  let current = open();
  const reopen = (): void => {
    const before = current;
    current = open();
    before.pools.close();
  };
  const registration = settings.onDidChange(() => {
    reopen();
    log?.info("The network settings changed; new requests follow them.");
  });

  const sendOurselves = async (request: WireRequest): Promise<WireAnswer> => {
    const { url, signal } = request;
    const { connect, silence } = limits();
    if (connect !== current.connect) reopen();
    const progress = { sent: false };
    let proxy: URL | undefined;
    try {
      proxy = chooseProxy(url, settings.current, environment);
      const answer = await current.pools.send(request, silence, () => (progress.sent = true));
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
      const answer = await sendByHostFetch(request, limits());
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
        return sendByHostFetch(request, limits()).catch((error: unknown) => {
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
      current.pools.close();
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
  return { ...error, message: `${error.message.replace(/\.$/, "")}, through the proxy ${hostAndPort(proxy)}.` };
}

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): AnswerHeaders {
  return {
    get(name) {
      const value = raw[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}
