/** Opens TCP connections, and TLS on top of them with the trusted certificates. Aborting the signal ends a connection while it is being opened. */
import { once } from "node:events";
import { lookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  rootCertificates,
  type SecureContext,
} from "node:tls";
import { readFileSync } from "node:fs";
import { isPrivateAddress } from "../../../base/privateAddress";
import { privateAddressCode } from "./transportError";
import { bareHost, portOf, type EnvironmentVariables } from "./proxyChoice";
import type { Log } from "../../../domain/ports";

const keepAliveInitialDelay = 60_000;

/** Node's `dns.lookup`, for all addresses of a name. */
export type Lookup = LookupFunction;

/** `checked`: the lookup for `publicOnly`. By default it is the system's resolver with a check of its addresses. */
export async function connectTcp(
  url: URL,
  signal: AbortSignal,
  {
    publicOnly = false,
    checked: resolve = lookupPublic,
  }: { publicOnly?: boolean | undefined; checked?: Lookup | undefined } = {},
): Promise<Socket> {
  const [host, port] = [bareHost(url.hostname), Number(portOf(url))];
  const checked = publicOnly ? { lookup: resolve } : {};
  const socket = connect({ host, port, signal, noDelay: true, keepAlive: true, keepAliveInitialDelay, ...checked });
  return opened(socket, "connect", signal);
}

/**
 * Fails for a name with any private address, so that nothing is sent there. The connection uses the checked addresses, so there is no second
 * lookup with another result. Literal addresses are not looked up, so the caller checks the URL before.
 */
export function createPublicLookup(resolve: Lookup, isPrivate: (address: string) => boolean): Lookup {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === "string" ? [] : found;
      if (error !== null) done(error, "", 0);
      else if (addresses.some(({ address }) => isPrivate(address))) done(new PrivateAddressFailure(), "", 0);
      else if (options.all) done(null, addresses);
      else done(null, addresses[0]?.address ?? "", addresses[0]?.family);
    });
  };
}

const lookupPublic = createPublicLookup((host, options, done) => lookup(host, options, done), isPrivateAddress);

class PrivateAddressFailure extends Error {
  readonly code = privateAddressCode;
}

/** TLS with HTTP/1.1 only, which has one response at a time, so that a request with `alone` never shares its connection. */
export async function startTls(
  socket: Socket,
  url: URL,
  trust: Trust & { readonly rejectUnauthorized?: false },
  signal: AbortSignal,
): Promise<Socket> {
  const host = bareHost(url.hostname);
  // TLS allows no IP address as server name.
  const servername = isIP(host) === 0 ? host : "";
  const secure = connectTls({ ...trust, socket, host, servername, ALPNProtocols: ["http/1.1"] });
  return opened(secure, "secureConnect", signal).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

async function opened(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  // An error without a listener would crash the process. `once` below and later the HTTP client add their own listeners.
  socket.on("error", () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

// Loads the trusted certificates: Node's own, the system's, and those of NODE_EXTRA_CA_CERTS (C4).

/** Options of a TLS connection. */
export interface Trust {
  /** The certificates, parsed once: to parse hundreds for each connection would cost more than its handshake. */
  readonly secureContext: SecureContext;
  /** An explicit `ca` stops VS Code from adding its own certificates to the connection. */
  readonly ca: string[];
}

/** Reads the certificate stores, which is slow, so it is called for the first TLS connection, not before. */
export function readTrust(system: boolean, environment: EnvironmentVariables, log?: Log): Trust {
  const read = (store: "default" | "system"): readonly string[] => {
    try {
      return getCACertificates(store);
    } catch (error) {
      log?.warn("A certificate store can't be read.", { store, error: String(error) });
      return [];
    }
  };
  const found = new Set([...rootCertificates, ...read("default"), ...(system ? read("system") : [])]);
  const file = environment["NODE_EXTRA_CA_CERTS"]?.trim();
  if (file !== undefined && file !== "") {
    try {
      found.add(readFileSync(file, "utf8"));
    } catch (error) {
      log?.warn("NODE_EXTRA_CA_CERTS can't be read.", { error: String(error) });
    }
  }
  const ca = [...found];
  return { ca, secureContext: trust(ca, log) };
}

type CertificateStore = "bundled" | "system" | "extra";

/** The store that holds this certificate (DER): Node's own, that of NODE_EXTRA_CA_CERTS, or the system's. */
export function storeOf(certificate: Buffer, environment: EnvironmentVariables): CertificateStore | undefined {
  const body = certificate.toString("base64");
  const holds = (texts: readonly string[]): boolean => texts.some((text) => text.replaceAll(/\s/g, "").includes(body));
  if (holds(rootCertificates)) return "bundled";
  const file = environment["NODE_EXTRA_CA_CERTS"]?.trim();
  try {
    if (file && holds([readFileSync(file, "utf8")])) return "extra";
    return holds(getCACertificates("system")) ? "system" : undefined;
  } catch {
    return undefined;
  }
}

/** The last context, which is used again while the certificates are the same: parsing them takes tens of milliseconds. */
let known: { readonly ca: readonly string[]; readonly secureContext: SecureContext } | undefined;

function trust(ca: string[], log: Log | undefined): SecureContext {
  if (known?.ca.length === ca.length && known.ca.every((one, at) => one === ca[at])) return known.secureContext;
  try {
    known = { ca, secureContext: createSecureContext({ ca }) };
    return known.secureContext;
  } catch {
    // One certificate that can't be parsed makes the whole list fail, so it is found and skipped.
    const sound = ca.filter((one) => {
      try {
        createSecureContext({ ca: one });
        return true;
      } catch {
        return false;
      }
    });
    log?.warn("Some certificates can't be read and are left out.", { count: ca.length - sound.length });
    return createSecureContext({ ca: sound });
  }
}
