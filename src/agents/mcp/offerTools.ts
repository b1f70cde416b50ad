/** Gives a server of the SDK the tools of `McpPorts`: listed, and called with progress while they run. */
import { Server } from "@modelcontextprotocol/server";
import { asRecord, isRecord, type JsonRecord } from "../../base/jsonValue";
import type { McpPorts } from "../../domain/tools/mcpTool";
import { readInput } from "../../gateway/families/toolCallAssembly";

/** Bytes of a request: three times the largest arguments that a tool takes. */
export const maxBodySize = 256 * 1024;

/** Milliseconds between two progress notifications while a person is asked: clients give up after 60 s without one. */
const progressInterval = 20_000;

/**
 * The SDK advises against its low-level `Server`, but its `McpServer` takes the schemas of a library, and the tools have their JSON Schema
 * already.
 */
// oxlint-disable-next-line typescript/no-deprecated
const ProtocolServer = Server;
export type ProtocolServer = InstanceType<typeof ProtocolServer>;

export interface ToolOffer {
  readonly ports: McpPorts;
  /** Progress of a running call can be sent to the client, because its response is a stream. */
  readonly hasProgress: boolean;
  /** Throws for a call that is refused; returns what to do at its end. */
  readonly onCall?: (id: string | number) => () => void;
}

export function createProtocolServer({ ports, hasProgress, onCall }: ToolOffer): ProtocolServer {
  const identity = { name: "sluice", title: "Sluice", version: ports.version };
  const server = new ProtocolServer(identity, { capabilities: { tools: {} }, jsonSchemaValidator: noSchemas });
  // A client that hung up can't be answered; what a request was refused for is in its response.
  server.onerror = () => undefined;
  server.setRequestHandler("tools/list", () => ({
    tools: ports.tools().map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, type: "object" as const } })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }) => {
    const { id, signal, _meta: meta } = mcpReq;
    const atEnd = onCall?.(id);
    const gone = http?.authInfo?.extra?.["gone"];
    const ended = gone instanceof AbortSignal ? AbortSignal.any([signal, gone]) : signal;
    const done = new AbortController();
    const token = hasProgress ? meta?.progressToken : undefined;
    void sendProgress(ports, token, mcpReq.notify, AbortSignal.any([ended, done.signal]));
    try {
      // The one place that has the name in every revision.
      // oxlint-disable-next-line typescript/no-deprecated
      const client = server.getClientVersion()?.name ?? "";
      const called = { name: params.name, input: params.arguments ?? {}, client };
      const { text, images = [], isError } = await ports.call(called, ended);
      const shown = images.map((image) => ({ type: "image" as const, ...image }));
      return { content: [{ type: "text" as const, text }, ...shown], isError };
    } finally {
      done.abort();
      atEnd?.();
    }
  });
  return server;
}

/** Until `ended`, for a client that asked for progress with a token. */
async function sendProgress(
  { clock }: McpPorts,
  progressToken: string | number | undefined,
  notify: (notification: { method: string; params: JsonRecord }) => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  if (progressToken === undefined) return;
  const message = "Waiting for the person, or for the gateway.";
  try {
    for (let progress = 1; ; progress += 1) {
      await clock.delay(progressInterval, ended);
      await notify({ method: "notifications/progress", params: { progressToken, progress, message } });
    }
  } catch {
    // The call has ended, or the client is gone.
  }
}

/** Would check a form that a client has filled in; this server sends none. Without it the SDK makes its default, a JSON Schema library. */
const noSchemas = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

/** JSON-RPC: the parameters are wrong. */
export const noObject = { code: -32602, message: "The arguments of a call are a JSON object: send one." };

/**
 * The message with arguments that are an object, where it is a call: the SDK refuses others in the words of its schemas. Some clients send them
 * as JSON text, or `null` for none.
 */
export function withObject(message: unknown): unknown {
  const call = asRecord(message);
  const params = asRecord(call?.["params"]);
  const given = params?.["arguments"];
  if (call?.["method"] !== "tools/call" || given === undefined || isRecord(given)) return message;
  const input = given === null ? {} : typeof given === "string" ? readInput(given === "" ? "{}" : given) : undefined;
  return input === undefined ? undefined : { ...call, params: { ...params, arguments: input } };
}
