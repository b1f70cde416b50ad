/** Starts `mcpClient.ts` as a process and speaks with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ClientRequest } from "./mcpClient";

export interface AgentAnswer {
  readonly id: number;
  readonly text?: string;
  readonly isError?: boolean;
  /** The types of the parts of the result. */
  readonly types?: readonly string[];
  readonly error?: string;
}

export interface McpAgent {
  /** The name that the server gives itself, or the error of the connection. */
  readonly connected: AgentAnswer;
  call(name: string, input?: object): Promise<AgentAnswer>;
  /** Like `call`, and cancels when the signal aborts. */
  callUntil(signal: AbortSignal, name: string, input: object): Promise<AgentAnswer>;
  tools(): Promise<readonly Record<string, unknown>[]>;
  /** Resolves with the next sign that a call goes on. */
  progress(): Promise<string>;
  kill(): void;
  /** Ends it in order. */
  close(): Promise<void>;
}

/** `revision`: the only one of the protocol that it speaks. */
export async function startMcpAgent(
  url: string,
  headers: Readonly<Record<string, string>>,
  revision = "",
): Promise<McpAgent> {
  const program = resolve("dist", "test", "support", "mcpClient.mjs");
  const child: ChildProcess = spawn(process.execPath, [program, url, JSON.stringify(headers), revision], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((done) => void child.once("exit", () => done()));
  const waiting = new Map<number, (answer: AgentAnswer) => void>();
  const answered = (id: number): Promise<AgentAnswer> => new Promise((done) => void waiting.set(id, done));
  const connected = answered(0);
  let onProgress: (message: string) => void = () => undefined;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const answer = JSON.parse(line) as AgentAnswer & { readonly progress?: string };
    if (answer.progress === undefined) waiting.get(answer.id)?.(answer);
    else onProgress(answer.progress);
  });
  let last = 0;
  const send = (request: ClientRequest): void => void child.stdin!.write(`${JSON.stringify(request)}\n`);
  const call = (request: Omit<ClientRequest, "id">): { id: number; answer: Promise<AgentAnswer> } => {
    const id = (last += 1);
    const answer = answered(id);
    send({ id, ...request });
    return { id, answer };
  };
  return {
    connected: await connected,
    call: (name, input = {}) => call({ name, input: { ...input } }).answer,
    callUntil(signal, name, input) {
      const { id, answer } = call({ name, input: { ...input } });
      signal.addEventListener("abort", () => send({ id: -1, cancels: id }), { once: true });
      return answer;
    },
    tools: async () => JSON.parse((await call({}).answer).text ?? "[]") as Record<string, unknown>[],
    progress: () => new Promise((done) => (onProgress = done)),
    kill: () => void child.kill("SIGKILL"),
    async close() {
      child.stdin!.end();
      await exited;
    },
  };
}
