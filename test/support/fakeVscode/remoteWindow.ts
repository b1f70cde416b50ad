/** A fake window in a process of its own. Its work is a function that gets the window: its source is sent, so it uses nothing from outside. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { OpenedWindow, OpenOptions } from "./openWindow";
import type { Reply, Request } from "./windowProgram";

type Pending = { resolve(value: unknown): void; reject(error: Error): void };
type Body<T> = T extends unknown ? Omit<T, "id"> : never;

export class RemoteWindow {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #requests = 0;
  storage = "";
  folder = "";

  private constructor() {
    this.#child = fork(path.resolve("dist", "test", "support", "fakeVscode", "windowProgram.mjs"), { execArgv: [] });
    this.#child.on("message", (reply: Reply) => {
      const waiting = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("error" in reply) waiting?.reject(new Error(`In the other window: ${reply.error}`));
      else waiting?.resolve(reply.value);
    });
    this.#child.on("exit", (code) => {
      for (const waiting of this.#pending.values())
        waiting.reject(new Error(`The other window ended with ${code ?? "a signal"}.`));
      this.#pending.clear();
    });
  }

  /** Pauses of the extension take their time in it unless the options say otherwise: several windows have to agree on the time. */
  static async open(options: Omit<OpenOptions, "clock" | "extensions"> = {}): Promise<RemoteWindow> {
    const window = new RemoteWindow();
    remotes.add(window);
    const place = await window.#ask<{ folder: string; storage: string }>({
      type: "open",
      options: { skipsPauses: false, ...options },
    });
    Object.assign(window, place);
    return window;
  }

  evaluate<T, Argument>(
    run: (opened: OpenedWindow, argument: Argument) => T | Promise<T>,
    argument: Argument,
  ): Promise<T> {
    return this.#ask<T>({ type: "evaluate", source: run.toString(), argument });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await this.#ask({ type: "close" });
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
    remotes.delete(this);
  }

  /** Ends the process as when the extension host crashes: nothing is closed. */
  async kill(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
    remotes.delete(this);
  }

  #ask<T = unknown>(request: Body<Request>): Promise<T> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve, reject });
      this.#child.send({ ...request, id });
    });
  }
}

const remotes = new Set<RemoteWindow>();

/** Closes what a test has left open: for `afterEach`. */
export async function closeRemoteWindows(): Promise<void> {
  for (const window of [...remotes]) await window.close();
}
