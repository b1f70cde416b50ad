/** Types of the paths in `undici.ts` and of the SOCKS5 client: undici declares types for its index only. */
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export = connect;
}
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  const request: Dispatcher["request"];
  export = request;
}
declare module "undici/lib/core/errors.js" {
  import { errors } from "undici";
  export = errors;
}
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export = Client;
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export = Dispatcher;
}
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
// undici's index exports the SOCKS5 client only within an agent that opens its own sockets.
declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  interface Socks5Events {
    readonly error: [error: Error & { readonly code?: string }];
    readonly close: [];
    readonly authenticated: [];
    readonly connected: [];
  }

  /** A SOCKS5 client on an open socket to the proxy. */
  export class Socks5Client extends EventEmitter<Socks5Events> {
    constructor(socket: Socket, options?: { readonly username: string; readonly password: string });
    handshake(): void;
    connect(host: string, port: number): void;
  }
}
