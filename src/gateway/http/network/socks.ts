/** The way through a SOCKS5 proxy, over a connection to it that stands. The protocol is the library's, the words are ours. */
import type { Socket } from "node:net";
import { SocksClient } from "socks";
import { bareHost, portOf } from "./proxyChoice";

export interface SocksLogin {
  readonly name: string;
  readonly password: string;
}

/** Connecting has a limit of its own; the library's must only not be shorter. */
const timeout = 10 * 60_000;

const meanings: readonly (readonly [RegExp, string])[] = [
  [/invalid socks version/i, "The proxy does not speak SOCKS5."],
  [/authentication failed/i, "The user name or the password was refused."],
  [/authentication type/i, "A user name and a password are asked for."],
  [/socket closed/i, "The connection was closed."],
];

/** What is sent on `socket` afterwards goes to `target`, whose name the proxy looks up. Rejects with what the proxy said. */
export async function openSocks(
  socket: Socket,
  target: URL,
  login: SocksLogin | undefined,
  signal: AbortSignal,
): Promise<void> {
  const end = (): void => void socket.destroy();
  signal.addEventListener("abort", end);
  try {
    await SocksClient.createConnection({
      existing_socket: socket,
      command: "connect",
      destination: { host: bareHost(target.hostname), port: Number(portOf(target)) },
      proxy: {
        // It stands: these two only have to be filled in.
        ...{ host: "proxy", port: 1080 },
        type: 5,
        ...(login === undefined ? {} : { userId: login.name, password: login.password }),
      },
      timeout,
    });
  } catch (error) {
    // The library's error holds the password: only its words go on.
    throw new Error(describe(error instanceof Error ? error.message : String(error)));
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function describe(message: string): string {
  const refusal = /rejected connection - (\w+)/i.exec(message)?.[1];
  // What it does not know it calls undefined.
  if (refusal === "undefined") return "The proxy refused the connection.";
  if (refusal !== undefined) return `The proxy refused the connection (${refusal}).`;
  return meanings.find(([said]) => said.test(message))?.[1] ?? message;
}
