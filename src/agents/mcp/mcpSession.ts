/** One MCP session, from `initialize` to its end: the SDK speaks the protocol, tools are called through `McpPorts`. */
import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { BoundedMap } from "../../base/boundedMap";
import { asRecord, isRecord, type JsonRecord } from "../../base/jsonValue";
import { readInput } from "../../gateway/families/shared/toolInput";
import type { McpPorts } from "../../domain/tools/mcpTool";

/** Bytes of a request: three times the largest arguments that a tool takes. */
const maxBodySize = 256 * 1024;

/** How many of the newest request ids are remembered, and the most characters of one. */
const maxIds = 1000;
const maxIdLength = 200;

export interface SessionEvents {
  readonly onOpen: (id: string) => void;
  readonly onClose: (id: string) => void;
}

/** Milliseconds between two progress notifications while a person is asked: clients give up after 60 s without one. */
const progressInterval = 20_000;

/**
 * The SDK advises against its low-level `Server`, but its `McpServer` imports three schema libraries, and the tools have their JSON Schema
 * already.
 */
// oxlint-disable-next-line typescript/no-deprecated
const ProtocolServer = Server;

export class McpSession {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: InstanceType<typeof ProtocolServer>;
  readonly #ports: McpPorts;
  /** The ids of the last calls: a request that arrives twice is one call. */
  readonly #called = new BoundedMap<string | number, true>(maxIds);
  #running = 0;

  private constructor(ports: McpPorts, { onOpen, onClose }: SessionEvents, takesStreams: boolean) {
    this.#ports = ports;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: onOpen,
      onsessionclosed: onClose,
      maxRequestBodySize: maxBodySize,
      enableJsonResponse: !takesStreams,
    });
    const identity = { name: "sluice", title: "Sluice", version: ports.version };
    this.#server = new ProtocolServer(identity, { capabilities: { tools: {} }, jsonSchemaValidator: noSchemas });
    // A client that hung up can't be answered; what a request was refused for is in its response.
    this.#server.onerror = () => undefined;
  }

  /** `takesStreams`: the client reads event streams; another one gets each response whole, without progress. */
  static async open(ports: McpPorts, events: SessionEvents, takesStreams = true): Promise<McpSession> {
    const session = new McpSession(ports, events, takesStreams);
    session.#offerTools();
    await session.#server.connect(session.#transport);
    session.#readArguments();
    return session;
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** `gone` aborts when the client hangs up. It travels in `authInfo`, the only value of a caller's that the SDK hands to its handlers. */
  handle(request: Request, gone: AbortSignal): Promise<Response> {
    return this.#transport.handleRequest(request, {
      authInfo: { token: "", clientId: "", scopes: [], extra: { gone } },
    });
  }

  /** Aborts what runs. */
  close(): Promise<void> {
    return this.#server.close();
  }

  /** Before the SDK judges them: it refuses arguments that are no object in the words of its schemas, as an error of the server. */
  #readArguments(): void {
    const transport = this.#transport;
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const read = "method" in message && message.method === "tools/call" ? withObject(message.params) : undefined;
      if (read === undefined || !("id" in message)) onmessage?.(message, extra);
      else if (read === "no-object") {
        const error = { code: invalidParams, message: "The arguments of a call are a JSON object: send one." };
        void transport.send({ jsonrpc: "2.0", id: message.id, error }).catch(() => undefined);
      } else onmessage?.({ ...message, params: read }, extra);
    };
  }

  #offerTools(): void {
    this.#server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: this.#ports
        .tools()
        .map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, type: "object" as const } })),
    }));
    this.#server.setRequestHandler(
      CallToolRequestSchema,
      async ({ params }, { signal, requestId, authInfo, ...extra }) => {
        if (String(requestId).length > maxIdLength) throw new Error("The id of this request is too long.");
        if (this.#called.has(requestId)) throw new Error("This request was made already.");
        this.#called.set(requestId, true);
        const gone = authInfo?.extra?.["gone"];
        const ended = gone instanceof AbortSignal ? AbortSignal.any([signal, gone]) : signal;
        const done = new AbortController();
        this.#running += 1;
        void this.#sendProgress(
          params._meta?.progressToken,
          extra.sendNotification,
          AbortSignal.any([ended, done.signal]),
        );
        try {
          const client = this.#server.getClientVersion()?.name ?? "";
          const {
            text,
            images = [],
            isError,
          } = await this.#ports.call({ name: params.name, input: params.arguments ?? {}, client }, ended);
          const shown = images.map((image) => ({ type: "image" as const, ...image }));
          return { content: [{ type: "text" as const, text }, ...shown], isError };
        } finally {
          done.abort();
          this.#running -= 1;
        }
      },
    );
  }

  /** Until `ended`, for a client that asked for progress with a token. */
  async #sendProgress(
    progressToken: string | number | undefined,
    send: (notification: ServerNotification) => Promise<void>,
    ended: AbortSignal,
  ): Promise<void> {
    if (progressToken === undefined) return;
    const message = "Waiting for the person, or for the gateway.";
    try {
      for (let progress = 1; ; progress += 1) {
        await this.#ports.clock.delay(progressInterval, ended);
        await send({ method: "notifications/progress", params: { progressToken, progress, message } });
      }
    } catch {
      // The call has ended, or the client is gone.
    }
  }
}

/** Would check a form that a client has filled in; this server sends none. Without it the SDK makes its default, a JSON Schema library. */
const noSchemas = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

/** JSON-RPC. */
const invalidParams = -32602;

/** The parameters of a call with arguments that are an object. Some clients send them as JSON text, or `null` for none. */
function withObject(params: unknown): JsonRecord | "no-object" | undefined {
  const given = asRecord(params)?.["arguments"];
  if (given === undefined || isRecord(given)) return undefined;
  const input = given === null ? {} : typeof given === "string" ? readInput(given === "" ? "{}" : given) : undefined;
  return input === undefined ? "no-object" : { ...asRecord(params), arguments: input };
}
