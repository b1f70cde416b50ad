/** An MCP client of the official SDK, a process of its own: one JSON line in is a call, one out its progress or result. Started by the tests with address and token. */
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface ClientRequest {
  readonly id: number;
  /** Without a name the request asks for the list of tools. */
  readonly name?: string;
  readonly input?: Record<string, unknown>;
  /** Cancels the request with that id instead. */
  readonly cancels?: number;
}

const [, , url = "", headers = "{}", revision = ""] = process.argv;

async function main(): Promise<void> {
  // Without a revision it acts like most clients: those before 2026-07-28, with a session.
  const versionNegotiation = { mode: revision === "" ? ("legacy" as const) : { pin: revision } };
  const client = new Client({ name: "test-agent", version: "1" }, { versionNegotiation });
  const requestInit = { headers: JSON.parse(headers) as Record<string, string> };
  const running = new Map<number, AbortController>();
  const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  } catch (error) {
    say({ id: 0, error: String(error) });
    process.exit(1);
  }
  say({ id: 0, text: JSON.stringify(client.getServerVersion()) });
  const answer = async ({ id, name, input, cancels }: ClientRequest): Promise<void> => {
    if (cancels !== undefined) {
      running.get(cancels)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (name === undefined) {
        const { tools } = await client.listTools();
        say({ id, text: JSON.stringify(tools) });
        return;
      }
      const result = await client.callTool(
        { name, arguments: input ?? {} },
        {
          signal: controller.signal,
          onprogress: ({ message }) => say({ id, progress: message }),
        },
      );
      const content = result.content as { type: string; text?: string }[];
      const types = content.map(({ type }) => type);
      say({ id, text: content[0]?.text ?? "", types, isError: result.isError === true });
    } catch (error) {
      say({ id, error: String(error) });
    }
  };
  for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line) as ClientRequest);
  process.exit(0);
}

void main();
