/** A server that no slow, greedy or half-open client can hold up. */
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";

/** What a slow or half-open client may do before it is let go. */
export interface ConnectionLimits {
  readonly headersMs: number;
  /** For the whole request. */
  readonly bodyMs: number;
  /** A line on which nothing moves at all, in either direction. */
  readonly silentMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
  /** Lines at once: one more ends the one that is needed least. */
  readonly connections: number;
}

const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  silentMs: 120_000,
  checkMs: 5_000,
  connections: 256,
};
/** Bytes. */
const largestHeaders = 32_768;

/** The lines that are open. */
export interface OpenConnections {
  readonly open: number;
  /** A request with the right key came over it: of the idle ones it is kept before those of strangers. */
  markKnown(socket: Socket): void;
}

/** Missing limits are the usual ones. */
export function createLimitedServer(changed: Partial<ConnectionLimits> = {}): {
  readonly server: Server;
  readonly connections: OpenConnections;
} {
  const limits = { ...usualLimits, ...changed };
  const server = createServer({
    requestTimeout: limits.bodyMs,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: 65_000,
    maxHeaderSize: largestHeaders,
  });
  server.setTimeout(limits.silentMs);
  return { server, connections: limitConnections(server, limits.connections) };
}

/**
 * Not `server.maxConnections`, which turns the newest away: whoever opened so many lines first would keep everybody else
 * out. Here the line goes that has been idle for longest, a stranger's first; one with an answer under way stays.
 */
function limitConnections(server: Server, most: number): OpenConnections {
  const open = new Set<Socket>();
  const known = new WeakSet<Socket>();
  /** Idle lines, the longest idle first. */
  const strangers = new Set<Socket>();
  const guests = new Set<Socket>();
  const rest = (socket: Socket): void => void (known.has(socket) ? guests : strangers).add(socket);
  const wake = (socket: Socket): void => {
    strangers.delete(socket);
    guests.delete(socket);
  };

  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      wake(socket);
    });
    if (open.size > most) {
      const [idle = socket] = strangers.size > 0 ? strangers : guests;
      // At once, and not when it has closed: until then the next one that comes would be one too many as well.
      open.delete(idle);
      wake(idle);
      idle.destroy();
    }
    if (!socket.destroyed) rest(socket);
  });
  server.on("request", ({ socket }, response) => {
    wake(socket);
    response.once("close", () => {
      if (!socket.destroyed) rest(socket);
    });
  });
  return {
    get open() {
      return open.size;
    },
    markKnown: (socket) => void known.add(socket),
  };
}
