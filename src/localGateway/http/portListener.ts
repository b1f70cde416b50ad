/** Listens on the gateway's port on 127.0.0.1. A fault that simulates a restart closes the port and opens it again. */
import type { Server } from "node:http";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { listenOn } from "../../base/limitedServer";

export class PortListener {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  readonly #suspensions = new Set<Promise<void>>();
  #port = 0;

  /** `closing` ends the wait of a suspension, after which the port stays free. */
  constructor(server: Server, clock: Clock, closing: AbortSignal) {
    this.#server = server;
    this.#clock = clock;
    this.#closing = closing;
  }

  get port(): number {
    return this.#port;
  }

  /** The origin, without a slash at the end. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** With `wanted` 0 it listens on the last port if that is free, else on any. Rejects with `EADDRINUSE` if a wanted port is taken. */
  async listen(wanted: number, last = 0): Promise<void> {
    this.#port =
      wanted === 0 && last !== 0
        ? await listenOn(this.#server, last).catch(() => listenOn(this.#server, 0))
        : await listenOn(this.#server, wanted);
  }

  /** Cuts all connections, refuses new ones for `ms` of the clock, and listens on the same port again. */
  suspend(ms: number): void {
    const suspension = this.#suspend(ms).finally(() => this.#suspensions.delete(suspension));
    this.#suspensions.add(suspension);
  }

  async close(): Promise<void> {
    await Promise.all(this.#suspensions);
    await this.#stop();
  }

  async #suspend(ms: number): Promise<void> {
    await this.#stop();
    for (let isBack = false; !isBack;) {
      try {
        await this.#clock.delay(ms, this.#closing);
      } catch (error) {
        if (isAbort(error)) return;
        throw error;
      }
      // Another program may have taken the port. Clients have only this address, so the port is tried again.
      isBack = await listenOn(this.#server, this.#port).then(
        () => true,
        () => false,
      );
    }
  }

  async #stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await ended;
  }
}
