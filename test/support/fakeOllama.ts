/** A server that answers as an Ollama does, and as silently leaves out the beginning of a prompt that exceeds `num_ctx`. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface FakeModel {
  readonly name: string;
  readonly contextLength: number;
  readonly capabilities: readonly string[];
  readonly parameters?: string;
}

export interface FakeOllama {
  readonly port: number;
  /** The bodies of `/api/chat`. */
  readonly requests: OllamaBody[];
  /** The sizes with which a model was loaded, one for each time that it was loaded again. */
  readonly loads: number[];
  close(): Promise<void>;
}

interface OllamaMessage {
  readonly role: string;
  readonly content: string;
  readonly images?: readonly string[];
  readonly tool_name?: string;
  readonly tool_calls?: readonly unknown[];
}

export interface OllamaBody {
  readonly model: string;
  readonly messages: readonly OllamaMessage[];
  readonly stream: boolean;
  readonly tools?: readonly unknown[];
  readonly think?: unknown;
  readonly format?: unknown;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number };
}

/** Tokens at which a request is cut that gives no `num_ctx`. */
export const usualContext = 4096;

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

export async function startFakeOllama(models: readonly FakeModel[]): Promise<FakeOllama> {
  const requests: OllamaBody[] = [];
  const loads: number[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => answer(`${request.method} ${request.url}`, body, response));
  });

  function answer(route: string, body: unknown, response: ServerResponse): void {
    const asked = models.find(({ name }) => name === (body as { model?: string } | undefined)?.model);
    if (route === "GET /api/tags") {
      const listed = models.map(({ name }) => ({ name, model: name, digest: "abc", details: { family: "llama" } }));
      sendJson(response, { models: listed });
    } else if (route === "POST /api/show" && asked) {
      sendJson(response, {
        parameters: asked.parameters ?? "",
        details: { family: "llama" },
        model_info: { "general.architecture": "llama", "llama.context_length": asked.contextLength },
        capabilities: asked.capabilities,
      });
    } else if (route === "POST /api/chat" && asked) chat(asked, body as OllamaBody, response);
    else sendJson(response, { error: "model not found" }, 404);
  }

  function chat({ name, capabilities }: FakeModel, body: OllamaBody, response: ServerResponse): void {
    requests.push(body);
    if (body.tools !== undefined && !capabilities.includes("tools")) {
      sendJson(response, { error: `registry.ollama.ai/library/${name} does not support tools` }, 400);
      return;
    }
    const size = body.options?.num_ctx ?? usualContext;
    if (loads.at(-1) !== size) loads.push(size);
    const kept = [...body.messages];
    const total = (): number => kept.reduce((sum, { content }) => sum + tokensOf(content), 0);
    while (kept.length > 1 && total() > size) kept.shift();
    const first = kept[0]?.content.slice(0, 40) ?? "";
    const head = { model: name, created_at: "2026-11-24T12:00:00.000000Z" };
    const counts = { prompt_eval_count: Math.min(total(), size), eval_count: 2, total_duration: 5_000_000 };
    const said = `I was told: ${first}`;
    const piece = (message: object): object => ({ ...head, message: { role: "assistant", ...message }, done: false });
    const calls = [{ function: { name: "read_file", arguments: { path: "a" } } }];
    const last = kept.at(-1)?.content ?? "";
    const answered = body.tools !== undefined && last.includes("read it");
    if (!body.stream) {
      const message = { role: "assistant", content: said };
      sendJson(response, { ...head, message, done: true, done_reason: "stop", ...counts });
      return;
    }
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const lines = [
      ...(capabilities.includes("thinking") ? [piece({ content: "", thinking: "Hm." })] : []),
      piece({ content: said.slice(0, 8) }),
      piece({ content: said.slice(8) }),
      ...(answered ? [piece({ content: "", tool_calls: calls })] : []),
      { ...head, message: { role: "assistant", content: "" }, done: true, done_reason: "stop", ...counts },
    ];
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    response.end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    port: address.port,
    requests,
    loads,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
