/**
 * Opens a tunnel through a proxy to the target of a request, with CONNECT over HTTP or with SOCKS5, and writes the login for the proxy
 * (`proxy-authorization`).
 */
import type { Socket } from "node:net";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { proxyLoginCode } from "../../../domain/gateway/connectionCheck";
import { type Trust, connectTcp, startTls } from "./sockets";
import { hostAndPort, bareHost, portOf } from "./proxyChoice";
import { Client, errors } from "./undici";

export interface ProxyAccess {
  readonly url: URL;
  /** A login header that replaces the user name and password of `url`. */
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

/** Decodes a name or password; a password may contain a `%` that is no encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Opens the SOCKS5 tunnel with undici's own client over a connection to the proxy; errors of the client get our texts.

interface SocksLogin {
  readonly name: string;
  readonly password: string;
}

/** The texts by the end of the error's code, after `UND_ERR_SOCKS5_`. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:\w+_)?VERSION$/, "The proxy does not speak SOCKS5."],
  [/^AUTH_FAILED$/, "The user name or the password was refused."],
  [/^AUTH_/, "A user name and a password are asked for."],
];

/** Connects `socket` to `target`, whose name the proxy looks up. Rejects with the proxy's refusal; an abort destroys the socket. */
async function openSocks(
  socket: Socket,
  target: URL,
  login: SocksLogin | undefined,
  signal: AbortSignal,
): Promise<void> {
  const destroy = (): void => void socket.destroy();
  signal.addEventListener("abort", destroy);
  const client = new Socks5Client(socket, login && { username: login.name, password: login.password });
  try {
    await new Promise<void>((resolve, reject) => {
      // This listener is not removed, because the client emits the socket's errors as long as the socket lives.
      client.on("error", (error) => reject(new Error(describe(error))));
      client.on("close", () => reject(new Error("The connection was closed.")));
      client.on("authenticated", () => client.connect(bareHost(target.hostname), Number(portOf(target))));
      client.on("connected", () => resolve());
      client.handshake();
    });
  } finally {
    signal.removeEventListener("abort", destroy);
  }
}

function describe(error: Error & { readonly code?: string }): string {
  const code = /^UND_ERR_SOCKS5_(.+)$/.exec(error.code ?? "")?.[1];
  if (code === undefined) return error.message;
  if (code.startsWith("REPLY_") && code !== "REPLY_VERSION") {
    const reason = /connection failed: (?!Unknown)(.+)/.exec(error.message)?.[1];
    return reason === undefined
      ? "The proxy refused the connection."
      : `The proxy refused the connection (${reason.toLowerCase()}).`;
  }
  return meanings.find(([pattern]) => pattern.test(code))?.[1] ?? error.message;
}
