/** How a connection comes about: TCP, and TLS on top of it. Each ends with its signal while it is being made. */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Trust } from "./certificates";
import { bareHost, portOf } from "./proxyChoice";

const keepAliveInitialDelay = 60_000;

export async function connectTcp(url: URL, signal: AbortSignal): Promise<Socket> {
  const [host, port] = [bareHost(url.hostname), Number(portOf(url))];
  const socket = connect({ host, port, signal, noDelay: true, keepAlive: true, keepAliveInitialDelay });
  return stands(socket, "connect", signal);
}

/** HTTP/1.1 only: one answer has a connection for itself, which ends with it and is not shared with what is sent once. */
export async function startTls(
  socket: Socket,
  url: URL,
  trust: Trust & { readonly rejectUnauthorized?: false },
  signal: AbortSignal,
): Promise<Socket> {
  const host = bareHost(url.hostname);
  // An address is no name that could be asked for.
  const servername = isIP(host) === 0 ? host : "";
  const secure = connectTls({ ...trust, socket, host, servername, ALPNProtocols: ["http/1.1"] });
  return stands(secure, "secureConnect", signal).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

async function stands(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  // It is told to whoever waits below; later ones are for the HTTP client to hear.
  socket.on("error", () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
