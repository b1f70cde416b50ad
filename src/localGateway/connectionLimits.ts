/** A server that no slow, greedy or half-open client can hold up. */
import { createServer, type Server } from "node:http";

/** What a slow or half-open client may do before it is let go. */
export interface ConnectionLimits {
  readonly headersMs: number;
  /** For the whole request. */
  readonly bodyMs: number;
  /** A line on which nothing moves at all, in either direction. */
  readonly silentMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
  /** Lines at once. */
  readonly connections: number;
}

const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  silentMs: 120_000,
  checkMs: 5_000,
  connections: 2_000,
};
/** Bytes. */
const largestHeaders = 32_768;

/** Missing limits are the usual ones. */
export function createLimitedServer(changed: Partial<ConnectionLimits> = {}): Server {
  const limits = { ...usualLimits, ...changed };
  const server = createServer({
    requestTimeout: limits.bodyMs,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: 65_000,
    maxHeaderSize: largestHeaders,
  });
  server.maxConnections = limits.connections;
  server.setTimeout(limits.silentMs);
  return server;
}
