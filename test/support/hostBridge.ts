/** Runs functions of a test in the extension host of a window, through the extension in test/fixtures/bridgeExtension. */
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { temporaryFolder } from "../../scripts/workspace.mjs";

/** Gets the API of the extension host and `argument`, which travels as JSON, and uses nothing from around it: its source text is sent. */
export type HostWork<Argument, Result> = (api: typeof vscode, argument: Argument) => Result | PromiseLike<Result>;

export interface HostBridge {
  /** The process id of the extension host. */
  readonly pid: number;
  hasEnded(): boolean;
  /** Resolves with what `work` returns, as JSON carries it. */
  evaluate<Argument, Result>(work: HostWork<Argument, Result>, argument: Argument): Promise<Result>;
}

export interface BridgeListener {
  /** The value of `SLUICE_TEST_BRIDGE` for the extension host. */
  readonly address: string;
  /** The extension host that connects next. Call it before the page that starts that host is loaded. */
  next(): Promise<HostBridge>;
  close(): void;
}

const hello = z.object({ pid: z.int() });
const reply = z.object({ id: z.int(), value: z.optional(z.unknown()), error: z.optional(z.string()) });

export async function listenForHosts(): Promise<BridgeListener> {
  const folder = await temporaryFolder();
  const address =
    process.platform === "win32"
      ? path.join(String.raw`\\.\pipe`, path.basename(folder))
      : path.join(folder, "bridge.sock");
  const sockets = new Set<Socket>();
  const waiting: ((bridge: HostBridge) => void)[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    const lines = createInterface({ input: socket });
    lines.once("line", (line) => waiting.shift()?.(bridgeOver(socket, lines, hello.parse(JSON.parse(line)).pid)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
  return {
    address,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function bridgeOver(socket: Socket, lines: NodeJS.EventEmitter, pid: number): HostBridge {
  interface Call {
    readonly resolve: (value: unknown) => void;
    readonly reject: (error: Error) => void;
  }
  const calls = new Map<number, Call>();
  let count = 0;
  lines.on("line", (line: string) => {
    const { id, value, error } = reply.parse(JSON.parse(line));
    const call = calls.get(id);
    calls.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(`In the extension host: ${error}`));
  });
  socket.once("close", () => {
    for (const { reject } of calls.values()) reject(new Error("The extension host has ended."));
    calls.clear();
  });
  return {
    pid,
    hasEnded: () => socket.destroyed,
    evaluate: <Argument, Result>(work: HostWork<Argument, Result>, argument: Argument) =>
      new Promise<Result>((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error("The extension host has ended."));
          return;
        }
        count += 1;
        calls.set(count, { resolve: (value) => resolve(value as Result), reject });
        socket.write(`${JSON.stringify({ id: count, work: String(work), argument })}\n`);
      }),
  };
}
