/** An HTTP server for this machine only, with limits for slow, half-open and too many connections. */
import { createServer, type Server, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createHash, timingSafeEqual } from "node:crypto";

/** Time limits, after which a connection is closed. */
export interface ConnectionLimits {
  readonly headersMs: number;
  /** Milliseconds for the whole request. */
  readonly bodyMs: number;
  /** Milliseconds without any traffic in either direction. */
  readonly silentMs: number;
  /** The interval at which Node checks `headersMs` and `bodyMs`. */
  readonly checkMs: number;
  /** The most open connections. One more closes the connection that has been idle for longest. */
  readonly connections: number;
}

const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  silentMs: 120_000,
  checkMs: 5_000,
  connections: 256,
};
/** Bytes of all headers of a request. */
const maxHeadersSize = 32_768;

/** The open connections of a server. */
export interface OpenConnections {
  readonly open: number;
  /** Marks a connection that has carried a request with the key: idle connections without the mark are closed first. */
  markKnown(socket: Socket): void;
}

/** `changed` has the limits that differ from the usual ones. */
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
    maxHeaderSize: maxHeadersSize,
  });
  server.setTimeout(limits.silentMs);
  return { server, connections: limitConnections(server, limits.connections) };
}

/**
 * Closes an idle connection to make room for a new one; connections with a running request stay. `server.maxConnections`
 * would refuse the new one instead, so a client that holds all connections open would keep the others out.
 */
function limitConnections(server: Server, maxConnections: number): OpenConnections {
  const open = new Set<Socket>();
  const known = new WeakSet<Socket>();
  /** Idle connections, the longest idle first. */
  const unknownIdle = new Set<Socket>();
  const knownIdle = new Set<Socket>();
  const addIdle = (socket: Socket): void => void (known.has(socket) ? knownIdle : unknownIdle).add(socket);
  const removeIdle = (socket: Socket): void => {
    unknownIdle.delete(socket);
    knownIdle.delete(socket);
  };

  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      removeIdle(socket);
    });
    if (open.size > maxConnections) {
      const [idle = socket] = unknownIdle.size > 0 ? unknownIdle : knownIdle;
      // The socket is removed before its close event, because until then the next connection would exceed the limit too.
      open.delete(idle);
      removeIdle(idle);
      idle.destroy();
    }
    if (!socket.destroyed) addIdle(socket);
  });
  server.on("request", ({ socket }, response) => {
    removeIdle(socket);
    response.once("close", () => {
      if (!socket.destroyed) addIdle(socket);
    });
  });
  return {
    get open() {
      return open.size;
    },
    markKnown: (socket) => void known.add(socket),
  };
}

/** Listens on 127.0.0.1; port 0 takes any free port. Resolves with the port, rejects with the system's error (`EADDRINUSE`). */
export function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("The server has no port."));
    });
  });
}

/**
 * Says whether a request to a server on this machine names another host, or comes from a page of another site. Returns `undefined` for
 * a request of a program, or of a page that this server has served.
 */
export function foreignnessOf({ headers, socket }: IncomingMessage): "host" | "origin" | undefined {
  const names = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  // This prevents DNS rebinding: another host name that resolves to this machine must not reach the server.
  if (!names.includes(headers.host ?? "")) return "host";
  // Only browsers send Origin and Sec-Fetch-Site.
  const { origin, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || names.some((name) => origin === `http://${name}`);
  return isOwn && (site === "none" || site === "same-origin") ? undefined : "origin";
}

/** Compares the digests of two secrets, so that the time does not depend on how many characters agree. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
