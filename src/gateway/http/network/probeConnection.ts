/** Opens one connection as a request would, sends nothing on it, and reports the result of each step; for *Check Connection* (C3). */
import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from "node:tls";
import { abortable } from "../../../base/async/abort";
import { definedFields } from "../../../base/definedFields";
import type { ConnectFacts, TlsFacts } from "../../../domain/gateway/connectionCheck";
import type { NetworkSettings } from "../../../domain/gateway/networkSettings";
import { readTrust, storeOf, connectTcp, startTls } from "./sockets";
import { findProxy } from "./pools";
import { bareHost, type EnvironmentVariables } from "./proxyChoice";
import { connectProxy, openTunnel } from "./tunnel";

export interface ProbeOptions {
  readonly settings: NetworkSettings;
  readonly environment: EnvironmentVariables;
  readonly signal: AbortSignal;
}

/** Opens a connection and returns it with the facts about it. The caller must `destroy` the socket. */
export async function probeConnect(
  url: URL,
  options: ProbeOptions,
): Promise<{ readonly socket: Socket; readonly facts: ConnectFacts }> {
  const { settings, environment, signal } = options;
  const trust = (): ReturnType<typeof readTrust> => readTrust(settings.systemCertificates, environment);
  const proxy = findProxy(url, { settings, environment, trust, onUncheckedProxy: () => undefined });
  const host = bareHost((proxy?.url ?? url).hostname);
  const start = performance.now();
  const found = isIP(host) === 0 ? await abortable(lookup(host, { all: true }), signal) : [{ address: host }];
  const lookedUp = performance.now();
  // An HTTP proxy forwards plain requests itself, so no tunnel through it is opened for them.
  const isForwarding = url.protocol === "http:" && proxy?.url.protocol.startsWith("http");
  const socket = await (proxy === undefined
    ? connectTcp(url, signal)
    : isForwarding
      ? connectProxy(proxy, signal)
      : openTunnel(proxy, url, signal));
  const addresses = [...new Set(found.map(({ address }) => address))];
  const facts = {
    host,
    addresses,
    address: socket.remoteAddress ?? addresses[0] ?? host,
    lookupMs: lookedUp - start,
    connectMs: performance.now() - lookedUp,
  };
  return { socket, facts };
}

/** Starts TLS with the gateway, with the certificates that requests trust. */
export async function probeTls(socket: Socket, url: URL, options: ProbeOptions): Promise<TlsFacts> {
  const { settings, environment, signal } = options;
  const trust = readTrust(settings.systemCertificates, environment);
  const start = performance.now();
  const secure = await startTls(socket, url, trust, signal);
  const ms = performance.now() - start;
  if (!(secure instanceof TLSSocket)) throw new TypeError("A connection over TLS was expected.");
  const certificate = secure.getPeerCertificate(true);
  const facts = {
    version: secure.getProtocol() ?? "",
    issuer: nameOf(certificate),
    validUntil: certificate.valid_to,
    ms,
    ...definedFields({ store: storeOf(rootOf(certificate).raw, environment) }),
  };
  secure.destroy();
  return facts;
}

/** The last certificate of the chain, which is a trusted one. */
function rootOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate {
  let last = certificate;
  // A root is its own issuer. In an incomplete chain the issuer is missing, although the type does not allow that.
  for (let issuer: DetailedPeerCertificate | undefined = last; issuer;) {
    last = issuer;
    issuer = last.issuerCertificate === last ? undefined : last.issuerCertificate;
  }
  return last;
}

function nameOf({ issuer }: PeerCertificate): string {
  const name = issuer.O ?? issuer.CN;
  return Array.isArray(name) ? name.join(", ") : (name ?? "");
}
