/** The port of the gateway on 127.0.0.1: taken at the start, left and taken again when a fault simulates a restart. */
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

  /** `closing` ends the wait of a suspension; the port then stays free. */
  constructor(server: Server, clock: Clock, closing: AbortSignal) {
    this.#server = server;
    this.#clock = clock;
    this.#closing = closing;
  }

  get port(): number {
    return this.#port;
  }

  /** Without a slash at the end. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** `wanted` 0: the last port when it is free, else any. A wanted port that is taken rejects with `EADDRINUSE`. */
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
      // Another program may have taken the port: clients have only this address, so it is tried again.
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
