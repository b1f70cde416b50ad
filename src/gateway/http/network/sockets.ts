/** Opens TCP connections, and TLS on top of them. Aborting the signal ends a connection while it is being opened. */
import { once } from "node:events";
import { lookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isPrivateAddress } from "../../../base/privateAddress";
import { privateAddressCode } from "./transportError";
import type { Trust } from "./certificates";
import { bareHost, portOf } from "./proxyChoice";

const keepAliveInitialDelay = 60_000;

/** Node's `dns.lookup`, for all addresses of a name. */
export type Lookup = LookupFunction;

/** `checked`: in place of the system's resolver with the check of its addresses. */
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
 * Fails for a name with any private address: nothing is sent there. The connection goes to the addresses that were checked, so a name that is
 * looked up once more changes nothing. Literal addresses are not looked up, so the URL is checked before.
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

/** HTTP/1.1: one response per connection, so that a request on a connection of its own shares it with nothing. */
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
  // Without a listener an error would crash the process; `once` below and later the HTTP client have their own.
  socket.on("error", () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
