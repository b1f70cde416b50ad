/** One MCP session of the revisions before 2026-07-28, from `initialize` to its end. */
import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport,
  Server,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  readRequestBody,
} from "@modelcontextprotocol/server";
import { BoundedMap } from "../../base/boundedMap";
import * as z from "zod/mini";
import type { McpPorts, McpResult, McpTask, McpTaskPorts } from "../../domain/tools/mcpTool";
import { definedFields } from "../../base/definedFields";
import { agentToolNames } from "../tasks/agentToolNames";
import { asRecord, isRecord, type JsonRecord, parseJson } from "../../base/jsonValue";
import { parseArguments } from "../../gateway/families/toolCallAssembly";

/** How many of the newest request ids are remembered, and the most characters of one. */
const maxIds = 1000;
const maxIdLength = 200;

export interface SessionEvents {
  readonly onOpen: (id: string) => void;
  readonly onClose: (id: string) => void;
}

export class McpSession {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: ProtocolServer;
  /** The ids of the last calls: a request that arrives twice is one call. */
  readonly #called = new BoundedMap<string | number, true>(maxIds);
  #running = 0;

  private constructor(ports: McpPorts, { onOpen, onClose }: SessionEvents, takesStreams: boolean) {
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: onOpen,
      onsessionclosed: onClose,
      maxRequestBodySize: maxBodySize,
      enableJsonResponse: !takesStreams,
    });
    this.#server = createProtocolServer({
      ports,
      hasProgress: true,
      onCall: (id) => this.#begin(id),
      hasTasks: false,
    });
  }

  /** `takesStreams`: the client reads event streams; another one gets each response whole, without progress. */
  static async open(ports: McpPorts, events: SessionEvents, takesStreams = true): Promise<McpSession> {
    const session = new McpSession(ports, events, takesStreams);
    await session.#server.connect(session.#transport);
    session.#readArguments();
    return session;
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** `gone` aborts when the client hangs up. It is passed in `authInfo`, the only value of a caller that the SDK passes to its handlers. */
  handle(request: Request, gone: AbortSignal): Promise<Response> {
    return this.#transport.handleRequest(request, {
      authInfo: { token: "", clientId: "", scopes: [], extra: { gone } },
    });
  }

  /** Aborts what runs. */
  close(): Promise<void> {
    return this.#server.close();
  }

  #begin(id: string | number): () => void {
    if (String(id).length > maxIdLength) throw new Error("The id of this request is too long.");
    if (this.#called.has(id)) throw new Error("This request was made already.");
    this.#called.set(id, true);
    this.#running += 1;
    return () => (this.#running -= 1);
  }

  /** Reads the arguments of calls before the SDK validates them. */
  #readArguments(): void {
    const transport = this.#transport;
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (withObject(message) === undefined && "id" in message) {
        void transport.send({ jsonrpc: "2.0", id: message.id, error: noObject }).catch(() => undefined);
      } else onmessage?.({ ...message, ...(withObject(message) as object) }, extra);
    };
  }
}

/** Bytes of a request: three times the largest arguments that a tool takes. */
const maxBodySize = 256 * 1024;

/** Milliseconds between two progress notifications while a person is asked: clients give up after 60 s without one. */
const progressInterval = 20_000;

/**
 * The SDK advises against its low-level `Server`, but its `McpServer` takes the schemas of a library, and the tools have their JSON Schema
 * already.
 */
// oxlint-disable-next-line typescript/no-deprecated
const ProtocolServer = Server;
type ProtocolServer = InstanceType<typeof ProtocolServer>;

export interface ToolOffer {
  readonly ports: McpPorts;
  /** Whether progress of a running call can be sent to the client, because its response is a stream. */
  readonly hasProgress: boolean;
  /** Throws for a call that is refused; returns what to do at its end. */
  readonly onCall?: (id: string | number) => () => void;
  /** Whether a submission may go on after its response, as from revision 2026-07-28 on. */
  readonly hasTasks: boolean;
}

function createProtocolServer({ ports, hasProgress, onCall, hasTasks }: ToolOffer): ProtocolServer {
  const identity = { name: "sluice", title: "Sluice", version: ports.version };
  const capabilities = { tools: {}, ...(hasTasks ? { extensions: { [tasksExtension]: {} } } : {}) };
  const server = new ProtocolServer(identity, { capabilities, jsonSchemaValidator: noSchemas });
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
      // Only here the name of the client is found in every revision.
      // oxlint-disable-next-line typescript/no-deprecated
      const client = server.getClientVersion()?.name ?? "";
      const called = { name: params.name, input: params.arguments ?? {}, client };
      if (hasTasks && params.name === agentToolNames.submit && takesTasks(mcpReq.envelope)) {
        const begun = await ports.tasks.begin(called, ended);
        // The SDK has no type for such a result, and passes it on unchanged.
        return "id" in begun ? ({ resultType: "task", ...wireTaskOf(begun) } as never) : wireResultOf(begun);
      }
      return wireResultOf(await ports.call(called, ended));
    } finally {
      done.abort();
      atEnd?.();
    }
  });
  if (hasTasks) serveTasks(server, ports.tasks);
  return server;
}

/** https://github.com/modelcontextprotocol/ext-tasks, specification/2026-07-28/tasks.md */
const tasksExtension = "io.modelcontextprotocol/tasks";
/** Milliseconds between two looks of a client at its task. */
const pollInterval = 3000;
/** The key of the one question that an order has. */
const questionKey = "yes";

const taskParameters = z.looseObject({ taskId: z.string() });

function serveTasks(server: ProtocolServer, tasks: McpTaskPorts): void {
  server.setRequestHandler("tasks/get", { params: taskParameters }, async ({ taskId }, { mcpReq }) => {
    const capabilities = needTasks(mcpReq.envelope);
    const task = (await tasks.get(taskId, mcpReq.signal)) ?? noTask();
    const asks = isRecord(capabilities["elicitation"]) && hasForms(capabilities["elicitation"]);
    return wireTaskOf(task, asks);
  });
  server.setRequestHandler("tasks/update", { params: taskParameters }, ({ taskId }, { mcpReq }) => {
    needTasks(mcpReq.envelope);
    // The SDK takes the responses out of the parameters.
    const answer = asRecord(mcpReq.inputResponses?.[questionKey]);
    const said = answer === undefined ? "other" : answer["action"] === "accept" ? "seen" : "no";
    if (!tasks.answer(taskId, said)) noTask();
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: taskParameters }, ({ taskId }, { mcpReq }) => {
    needTasks(mcpReq.envelope);
    // Only here the name of the client is found in every revision.
    // oxlint-disable-next-line typescript/no-deprecated
    if (!tasks.cancel(taskId, server.getClientVersion()?.name ?? "")) noTask();
    return {};
  });
}

/** The capabilities that the client declares in `_meta` of the request. */
function capabilitiesOf(envelope: unknown): JsonRecord {
  return asRecord(asRecord(envelope)?.["io.modelcontextprotocol/clientCapabilities"]) ?? {};
}

function takesTasks(envelope: unknown): boolean {
  return isRecord(asRecord(capabilitiesOf(envelope)["extensions"])?.[tasksExtension]);
}

function needTasks(envelope: unknown): JsonRecord {
  if (takesTasks(envelope)) return capabilitiesOf(envelope);
  throw new ProtocolError(-32_021, "This method needs the extension for tasks: declare it in the capabilities.", {
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });
}

function noTask(): never {
  throw new ProtocolError(-32_602, "There is no task with this id here.");
}

/** Whether the client shows forms. It does so too if it names no mode. */
function hasForms(elicitation: JsonRecord): boolean {
  return Object.keys(elicitation).length === 0 || isRecord(elicitation["form"]);
}

/** Writes a task in the form of the extension. `asks`: the client shows questions to its person. */
function wireTaskOf({ id, createdAt, changedAt, message, state }: McpTask, asks = false): JsonRecord {
  const task = {
    taskId: id,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs: pollInterval,
    ...definedFields({ statusMessage: message }),
  };
  switch (state.status) {
    case "asked": {
      if (!asks) return { ...task, status: "working" };
      const requestedSchema = { type: "object", properties: {} };
      const params = { mode: "form", message: state.question, requestedSchema };
      return {
        ...task,
        status: "input_required",
        inputRequests: { [questionKey]: { method: "elicitation/create", params } },
      };
    }
    case "completed":
      // The SDK adds the type to the response only, and a client reads the result inside as that of a call.
      return { ...task, status: "completed", result: { resultType: "complete", ...wireResultOf(state.result) } };
    case "working":
    case "cancelled":
      return { ...task, status: state.status };
  }
}

function wireResultOf({ text, images = [], links = [], isError }: McpResult) {
  const shown = images.map((image) => ({ type: "image" as const, ...image }));
  const linked = links.map((link) => ({ type: "resource_link" as const, ...link }));
  return { content: [{ type: "text" as const, text }, ...shown, ...linked], isError };
}

/** Sends progress until `ended`, to a client that asked for it with a token. */
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

/** Validates forms that a client has filled in. This server sends none, but without this the SDK makes its default, a JSON Schema library. */
const noSchemas = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

/** JSON-RPC: the parameters are wrong. */
const noObject = { code: -32602, message: "The arguments of a call are a JSON object: send one." };

/**
 * Gives a call arguments that are an object, because the SDK refuses others with a message about its schemas. Some clients send them as JSON text,
 * or `null` for none. `undefined` where they can't be read.
 */
function withObject(message: unknown): unknown {
  const call = asRecord(message);
  const params = asRecord(call?.["params"]);
  const given = params?.["arguments"];
  if (call?.["method"] !== "tools/call" || given === undefined || isRecord(given)) return message;
  const input =
    given === null ? {} : typeof given === "string" ? parseArguments(given === "" ? "{}" : given) : undefined;
  return input === undefined ? undefined : { ...call, params: { ...params, arguments: input } };
}

/** Handles MCP from revision 2026-07-28 on. It has no sessions: each request names its revision and client. The SDK implements the protocol. */
export class ModernRequests {
  readonly #ports: McpPorts;
  #streams: McpHttpHandler;
  #whole: McpHttpHandler;

  constructor(ports: McpPorts) {
    this.#ports = ports;
    this.#streams = this.#create(true);
    this.#whole = this.#create(false);
  }

  /** `undefined` for a request of an earlier revision, whose body is then still there to read. `takesStreams`: as in a session. */
  async handle(request: Request, gone: AbortSignal, takesStreams: boolean): Promise<Response | undefined> {
    const body = request.method === "POST" ? await readBody(request.clone()) : undefined;
    if (body === undefined || (await isLegacyRequest(request, body))) return undefined;
    const parsedBody = withObject(body);
    if (parsedBody === undefined) {
      return Response.json({ jsonrpc: "2.0", id: asRecord(body)?.["id"] ?? null, error: noObject });
    }
    const handler = takesStreams ? this.#streams : this.#whole;
    return handler.fetch(request, { parsedBody, authInfo: { token: "", clientId: "", scopes: [], extra: { gone } } });
  }

  /** Aborts running requests. Later requests are answered again. */
  async endAll(): Promise<void> {
    const [streams, whole] = [this.#streams, this.#whole];
    this.#streams = this.#create(true);
    this.#whole = this.#create(false);
    await Promise.all([streams.close(), whole.close()]);
  }

  /** A stream is opened at once, because a client may wait for headers less long than a person takes to answer. */
  #create(hasProgress: boolean): McpHttpHandler {
    return createMcpHandler(() => createProtocolServer({ ports: this.#ports, hasProgress, hasTasks: true }), {
      legacy: "reject",
      responseMode: hasProgress ? "sse" : "auto",
      maxRequestBodySize: maxBodySize,
    });
  }
}

/** `undefined` for a body that is too large or no JSON, which a session refuses. */
async function readBody(request: Request): Promise<unknown> {
  const read = await readRequestBody(request, maxBodySize);
  return read.tooLarge ? undefined : parseJson(read.text);
}
