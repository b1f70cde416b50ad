/** undici's SOCKS5 client, which it gives no types and exports only inside of an agent that opens its own sockets. */
declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  interface Socks5Events {
    readonly error: [error: Error & { readonly code?: string }];
    readonly close: [];
    readonly authenticated: [];
    readonly connected: [];
  }

  /** Speaks on an open socket to the proxy. */
  export class Socks5Client extends EventEmitter<Socks5Events> {
    constructor(socket: Socket, options?: { readonly username: string; readonly password: string });
    handshake(): void;
    connect(host: string, port: number): void;
  }
}
