/** How one request gets out of this machine: over connections of our own, and where none can be made, by the editor's fetch (C4). */
import { abortReason } from "../../../base/abort";
import { type ReadonlyStore, Store } from "../../../base/store";
import { isLoopback } from "../../../domain/address";
import { type GatewayError, GatewayFailure } from "../../../domain/errors";
import { defaultNetworkSettings, type NetworkSettings, type RememberedOrigins } from "../../../domain/networkSettings";
import type { Log } from "../../../domain/ports";
import type { Limits } from "../limits";
import type { ResponseHeaders } from "../retryAfter";
import { readTrust, type Trust } from "./certificates";
import { decodeContent } from "./contentCoding";
import type { WireResponse, WireRequest } from "./wire";
import { sendByHostFetch } from "./hostFetch";
import { createPools, type Pools } from "./pools";
import { chooseProxy, type Environment, hostAndPort } from "./proxyChoice";
import { isCertificateCode, readTransportError } from "./transportError";

export interface Network {
  readonly settings: ReadonlyStore<NetworkSettings>;
  /** Where HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS and their like stand. */
  readonly environment: Environment;
  /** Without it the editor's fetch is not tried. */
  readonly remembered?: RememberedOrigins;
}

/** A machine goes from one network to another: once a day our own way is tried again. */
const longestMemory = 24 * 60 * 60 * 1000;

/** Direct, with the certificates of Node and the system. */
export const directNetwork: Network = {
  settings: new Store(defaultNetworkSettings),
  environment: {},
};

export interface Transport {
  /** Rejects with a `GatewayFailure` that says whether anything was sent, or with the reason of an abort. */
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

export function createTransport(options: {
  limits: () => Limits;
  network: Network;
  now: () => number;
  log?: Log | undefined;
}): Transport {
  const { limits, network, now, log } = options;
  const { settings, environment, remembered } = network;
  let warned = false;
  const onUncheckedProxy = (proxy: string): void => {
    if (!warned) log?.warn("The certificate of the proxy is not checked (http.proxyStrictSSL).", { proxy });
    warned = true;
  };
  const open = (): { readonly pools: Pools; readonly connect: number } => {
    const { connect } = limits();
    const as = settings.current;
    let read: Trust | undefined;
    const trust = (): Trust => (read ??= readTrust(as.systemCertificates, environment, log));
    return { connect, pools: createPools({ settings: as, environment, connect, trust, onUncheckedProxy }) };
  };
  let current = open();
  const reopen = (): void => {
    const before = current;
    current = open();
    before.pools.close();
  };
  const registration = settings.onDidChange(() => {
    reopen();
    remembered?.forget();
    log?.info("The network settings changed; new requests follow them.");
  });

  const sendOurselves = async (request: WireRequest): Promise<WireResponse> => {
    const { url, signal } = request;
    const { connect, silence } = limits();
    if (connect !== current.connect) reopen();
    const progress = { sent: false };
    let proxy: URL | undefined;
    try {
      proxy = chooseProxy(url, settings.current, environment);
      const answer = await current.pools.send(request, silence, () => (progress.sent = true));
      const headers = readHeaders(answer.headers);
      return { status: answer.statusCode, headers, body: decodeContent(answer.body, headers.get("content-encoding")) };
    } catch (cause) {
      if (signal?.aborted) throw abortReason(signal);
      const error = readTransportError(cause);
      throw new GatewayFailure(progress.sent ? error : { ...nameProxy(error, proxy), notSent: true }, { cause });
    }
  };

  /** Only for a request of which no byte was sent. What happens to it there is known to its caller like any other. */
  const sendByEditor = async (request: WireRequest, first: GatewayFailure): Promise<WireResponse> => {
    const { origin, host } = request.url;
    log?.info("No connection of our own could be made; trying the editor's.", { host, code: first.error.code });
    try {
      const answer = await sendByHostFetch(request, limits());
      // With this status a proxy speaks, not who was asked.
      if (answer.status !== 407) {
        remembered?.write(origin, now());
        log?.info("The editor's own connection reaches it and is used for a day.", { host, status: answer.status });
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

  /** Told once for each origin. */
  const told = new Set<string>();
  const isRemembered = ({ origin, host }: URL): boolean => {
    const since = remembered?.read(origin);
    if (since === undefined || Math.abs(now() - since) > longestMemory) return false;
    if (!told.has(origin)) {
      log?.info("The editor's own connection is used, as it was found to reach it.", {
        host,
        since: new Date(since).toISOString(),
      });
    }
    told.add(origin);
    return true;
  };

  /** As remembered, and where that fails, not any longer. */
  const sendByEditorAgain = async (request: WireRequest): Promise<WireResponse> => {
    const { origin, host } = request.url;
    try {
      return await sendByHostFetch(request, limits());
    } catch (failure) {
      if (request.signal?.aborted) throw abortReason(request.signal);
      remembered?.forget(origin);
      told.delete(origin);
      const error = failure instanceof GatewayFailure ? failure.error : undefined;
      log?.info("The editor's own connection failed; ours is tried first again.", { host, code: error?.code });
      if (error?.notSent !== true) throw failure;
      return sendOurselves(request);
    }
  };

  return {
    async send(request) {
      const { signal, url } = request;
      if (remembered === undefined || !settings.current.editorFetch || isLoopback(url)) return sendOurselves(request);
      if (isRemembered(url)) return sendByEditorAgain(request);
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

function readHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): ResponseHeaders {
  return {
    get(name) {
      const value = raw[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}
