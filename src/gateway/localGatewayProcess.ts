/** The local gateway as a child process: started on demand, ended with the window. */
import { type ChildProcess, fork } from "node:child_process";
import * as z from "zod/mini";
import type { Disposable } from "../base/disposable";
import { Emitter, type Event } from "../base/event";
import type { Log } from "../domain/ports";

export interface LocalGatewayProcess extends Disposable {
  /** Starts the program unless it runs, and returns its address and key. Rejects with its error output when it does not start. */
  start(): Promise<{ readonly url: string; readonly key: string }>;
  readonly onDidExit: Event<void>;
  /** Sends the running program the value of `task_type` for stylized images. */
  sendStylizedImageWord(): void;
}

export interface LocalGatewayProcessOptions {
  /** The program, absolute. */
  readonly program: string;
  /** The folder of its ledger and tasks, absolute. */
  readonly state: string;
  readonly speed: () => number;
  /** Whether the models of an Ollama, LM Studio or llama.cpp on this machine are offered too. */
  readonly relay: () => boolean;
  /** The value of `task_type` for stylized images. */
  readonly stylizedImageWord: () => string;
  readonly log: Log;
}

const hello = z.object({ url: z.url(), key: z.string().check(z.minLength(1)) });

export function createLocalGatewayProcess({
  program,
  state,
  speed,
  relay,
  stylizedImageWord,
  log,
}: LocalGatewayProcessOptions): LocalGatewayProcess {
  const exited = new Emitter<void>();
  let running: { readonly child: ChildProcess; readonly hello: Promise<z.infer<typeof hello>> } | undefined;
  const launch = (): { child: ChildProcess; hello: Promise<z.infer<typeof hello>> } => {
    const child = fork(
      program,
      ["--port", "0", "--state", state, "--speed", String(speed()), ...(relay() ? ["--relay"] : [])],
      {
        // In the desktop's extension host the executable is Electron, which this variable makes run as plain Node.
        env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
        execArgv: [],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      },
    );
    let errorOutput = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (errorOutput = (errorOutput + text).slice(-2000)));
    let hasGreeted = false;
    const greeting = new Promise<z.infer<typeof hello>>((resolve, reject) => {
      child.once("message", (message) => {
        const read = hello.safeParse(message);
        if (read.success) {
          hasGreeted = true;
          resolve(read.data);
        } else reject(new Error("it said something unexpected"));
      });
      // A process that could not be made may emit several errors and no end. An error without a listener would be thrown.
      child.on("error", reject);
      // Unlike `exit`, this event follows the last byte of the error output.
      child.once("close", (code) => {
        reject(new Error(errorOutput.trim() || `it ended with code ${code ?? "unknown"}`));
        // The rejection reports a process that never greeted. As an exit it would be started again without end.
        if (running?.child !== child || !hasGreeted) return;
        running = undefined;
        log.warn("The local gateway ended.", { code: code ?? undefined });
        exited.fire();
      });
    });
    greeting.then(
      ({ url }) => log.info("The local gateway is running.", { url, pid: child.pid }),
      () => {
        // The next start makes a new process.
        if (running?.child === child) running = undefined;
        if (child.connected) child.disconnect();
      },
    );
    // The program reads this message before it accepts requests. A process that could not be made may have no channel.
    if (child.connected) child.send({ stylizedImageWord: stylizedImageWord() });
    return { child, hello: greeting };
  };
  return {
    start: () => (running ??= launch()).hello,
    onDidExit: exited.event,
    sendStylizedImageWord() {
      if (running?.child.connected === true) running.child.send({ stylizedImageWord: stylizedImageWord() });
    },
    dispose() {
      const ending = running;
      running = undefined;
      exited.dispose();
      // The program finishes its writes and ends when its IPC channel closes.
      if (ending?.child.connected) ending.child.disconnect();
    },
  };
}
