/** Opens a tunnel through a proxy to the target of a request: CONNECT over HTTP, or SOCKS5. */
import type { Socket } from "node:net";
import { proxyLoginCode } from "../../../domain/gateway/connectionCheck";
import type { Trust } from "./certificates";
import { hostAndPort } from "./proxyChoice";
import { connectTcp, startTls } from "./sockets";
import { openSocks, type SocksLogin } from "./socks";
import { Client, errors } from "./undici";

export interface ProxyAccess {
  readonly url: URL;
  /** In place of the user name and password of `url`. */
  readonly authorization?: string | undefined;
  /** How the proxy's own certificate is checked. */
  readonly trust: () => Trust & { readonly rejectUnauthorized?: false };
}

/** A connection to the proxy itself. */
export async function connectProxy({ url, trust }: ProxyAccess, signal: AbortSignal): Promise<Socket> {
  const socket = await connectTcp(url, signal);
  return url.protocol === "https:" ? startTls(socket, url, trust(), signal) : socket;
}

export async function openTunnel(proxy: ProxyAccess, target: URL, signal: AbortSignal): Promise<Socket> {
  const socket = await connectProxy(proxy, signal);
  try {
    if (proxy.url.protocol.startsWith("http")) await requestTunnel(socket, proxy, target, signal);
    else await openSocks(socket, target, readLogin(proxy.url), signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The login as a header, which is sent to the proxy only; none without a login. */
export function proxyHeaders({ url, authorization }: ProxyAccess): Readonly<Record<string, string>> {
  const login = readLogin(url);
  const basic =
    login === undefined ? undefined : `Basic ${Buffer.from(`${login.name}:${login.password}`).toString("base64")}`;
  const value = authorization ?? basic;
  return value === undefined ? {} : { "proxy-authorization": value };
}

async function requestTunnel(socket: Socket, proxy: ProxyAccess, target: URL, signal: AbortSignal): Promise<void> {
  const client = new Client(proxy.url.origin, {
    // undici ignores a synchronous callback.
    connect: (_, done) => queueMicrotask(() => done(null, socket)),
    // The timeout of the whole connection covers this.
    headersTimeout: 0,
  });
  // CONNECT requires the port, also the default one.
  const host = hostAndPort(target);
  const headers = { host, ...proxyHeaders(proxy) };
  const { statusCode } = await client.connect({ path: host, headers, signal }).catch((error: unknown) => {
    throw error instanceof errors.SocketError ? new Error("The connection was closed before it stood.") : error;
  });
  if (statusCode === 407) {
    const error = new Error("A user name and a password are asked for (status 407).");
    throw Object.assign(error, { code: proxyLoginCode });
  }
  if (statusCode >= 300) throw new Error(`The connection was refused (status ${statusCode}).`);
}

function readLogin(proxy: URL): SocksLogin | undefined {
  if (proxy.username === "") return undefined;
  return { name: decode(proxy.username), password: decode(proxy.password) };
}

/** A password may contain a `%` that is no encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
