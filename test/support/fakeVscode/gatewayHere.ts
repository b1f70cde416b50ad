/**
 * The local gateway in this process, in place of the child process that the extension starts: a fork and the load of its program take longer
 * than most journeys. Tests of the program itself, of several windows on one gateway and of a real window have the child process.
 */
import { fork } from "node:child_process";
import { EventEmitter } from "node:events";
import path from "node:path";
import { parseArgs } from "node:util";
import { type LocalGateway, startLocalGateway } from "../../../src/localGateway/server";

/** The gateways that are ending, by their state folder: the next gateway of that folder waits for it, as one in another process would. */
const ending = new Map<string, Promise<void>>();

/** The parts of a `ChildProcess` that the extension uses. */
class GatewayHere extends EventEmitter {
  readonly pid = process.pid;
  readonly stderr = null;
  connected = true;
  readonly #state: string;
  readonly #started: Promise<LocalGateway | undefined>;
  #word = "";

  constructor(args: readonly string[]) {
    super();
    const text = { type: "string" } as const;
    const { values } = parseArgs({
      args: [...args],
      options: { port: text, state: text, speed: text, relay: { type: "boolean" } },
    });
    const { state = "", speed = "1", relay = false } = values;
    this.#state = path.resolve(state);
    this.#started = this.#start({ stateDir: this.#state, speed: Number(speed), relay });
  }

  send(message: { readonly stylizedImageWord: string }): boolean {
    this.#word = message.stylizedImageWord;
    return true;
  }

  disconnect(): void {
    this.connected = false;
    const ended = this.#started
      .then((gateway) => gateway?.close())
      .then(() => {
        if (ending.get(this.#state) === ended) ending.delete(this.#state);
        this.emit("close", 0);
      });
    ending.set(this.#state, ended);
  }

  async #start(options: Parameters<typeof startLocalGateway>[0]): Promise<LocalGateway | undefined> {
    await ending.get(this.#state);
    try {
      const gateway = await startLocalGateway({ ...options, stylizedImageWord: () => this.#word });
      if (this.connected) this.emit("message", { url: gateway.url, key: gateway.key });
      return gateway;
    } catch (error) {
      this.emit("error", error);
      return undefined;
    }
  }
}

/** `fork` as the extension calls it: its only program is the local gateway. */
export function forkHere(program: string, args: readonly string[], options: Parameters<typeof fork>[2]): unknown {
  return path.basename(program) === "localGateway.mjs" ? new GatewayHere(args) : fork(program, args, options);
}

/** Resolves when every gateway that was told to end has freed its folder and its port. */
export async function gatewaysEnded(): Promise<void> {
  await Promise.all(ending.values());
}
