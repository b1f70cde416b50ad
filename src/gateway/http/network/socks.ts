/** Opens a tunnel through a SOCKS5 proxy over an open connection to it, by undici's own client; its errors get our texts. */
import type { Socket } from "node:net";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { bareHost, portOf } from "./proxyChoice";

export interface SocksLogin {
  readonly name: string;
  readonly password: string;
}

/** By the end of the error's code, after `UND_ERR_SOCKS5_`. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(?:\w+_)?VERSION$/, "The proxy does not speak SOCKS5."],
  [/^AUTH_FAILED$/, "The user name or the password was refused."],
  [/^AUTH_/, "A user name and a password are asked for."],
];

/** Afterwards `socket` leads to `target`, whose name the proxy looks up. Rejects with the proxy's refusal; an abort destroys the socket. */
export async function openSocks(
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
      // It stays: the client raises the socket's errors again as long as the socket lives.
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
