/** Opens a tunnel through a SOCKS5 proxy over an open connection to it; errors of the library get our texts. */
import type { Socket } from "node:net";
import { SocksClient } from "socks";
import { bareHost, portOf } from "./proxyChoice";

export interface SocksLogin {
  readonly name: string;
  readonly password: string;
}

/** Longer than our own timeout for the connection, which applies. Milliseconds. */
const timeout = 10 * 60_000;

const meanings: readonly (readonly [RegExp, string])[] = [
  [/invalid socks version/i, "The proxy does not speak SOCKS5."],
  [/authentication failed/i, "The user name or the password was refused."],
  [/authentication type/i, "A user name and a password are asked for."],
  [/socket closed/i, "The connection was closed."],
];

/** Afterwards `socket` leads to `target`, whose name the proxy looks up. Rejects with the proxy's refusal. */
export async function openSocks(
  socket: Socket,
  target: URL,
  login: SocksLogin | undefined,
  signal: AbortSignal,
): Promise<void> {
  const destroy = (): void => void socket.destroy();
  signal.addEventListener("abort", destroy);
  try {
    await SocksClient.createConnection({
      existing_socket: socket,
      command: "connect",
      destination: { host: bareHost(target.hostname), port: Number(portOf(target)) },
      proxy: {
        // Required, but unused for an open connection.
        ...{ host: "proxy", port: 1080 },
        type: 5,
        ...(login === undefined ? {} : { userId: login.name, password: login.password }),
      },
      timeout,
    });
  } catch (error) {
    // The library's error object contains the password: only its message is used.
    throw new Error(describe(error instanceof Error ? error.message : String(error)));
  } finally {
    signal.removeEventListener("abort", destroy);
  }
}

function describe(message: string): string {
  const refusal = /rejected connection - (\w+)/i.exec(message)?.[1];
  // The library writes "undefined" for an unknown code.
  if (refusal === "undefined") return "The proxy refused the connection.";
  if (refusal !== undefined) return `The proxy refused the connection (${refusal}).`;
  return meanings.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}
