/**
 * The MCP server of one window (V6): streamable HTTP on 127.0.0.1, for programs of this machine that have the token. Requests without it,
 * for another host name or from a page of another site are refused by their headers alone, and counted.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  foreignnessOf,
  type ConnectionLimits,
  createLimitedServer,
  listenOn,
  type OpenConnections,
  isSameSecret,
} from "../../base/limitedServer";
import { McpSession, ModernRequests } from "./mcpSession";
import type { McpPorts } from "../../domain/tools/mcpTool";

const maxSessions = 64;
/** Requests under way at the same time, including event streams. */
const maxRequests = 128;
const path = "/mcp";

export interface McpServerOptions extends McpPorts {
  /** Read for each request. */
  readonly token: () => string;
  /** 0 for any free port. */
  readonly port: number;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface McpCounts {
  /** Calls of tools. */
  readonly calls: number;
  /** Requests without the token, for another host or from a page of another site. */
  readonly refused: number;
}

export class McpServer {
  readonly #options: McpServerOptions;
  readonly #server: Server;
  readonly #connections: OpenConnections;
  readonly #sessions = new Map<string, McpSession>();
  readonly #modern: ModernRequests;
  readonly #responses = new Set<ServerResponse>();
  #isClosed = false;
  #counts: McpCounts = { calls: 0, refused: 0 };
  #port = 0;

  private constructor(options: McpServerOptions) {
    this.#options = {
      ...options,
      call: (call, signal) => {
        this.#countCall();
        return options.call(call, signal);
      },
      tasks: {
        begin: (call, signal) => {
          this.#countCall();
          return options.tasks.begin(call, signal);
        },
        get: (id, signal) => options.tasks.get(id, signal),
        answer: (id, answer) => options.tasks.answer(id, answer),
        cancel: (id, client) => options.tasks.cancel(id, client),
        withdrawAll: () => options.tasks.withdrawAll(),
      },
    };
    this.#modern = new ModernRequests(this.#options);
    const { server, connections } = createLimitedServer(options.limits);
    this.#server = server;
    this.#connections = connections;
    server.on("request", (request, response) => void this.#accept(request, response));
  }

  /** Rejects with the system's error when the port can't be had. */
  static async start(options: McpServerOptions): Promise<McpServer> {
    const made = new McpServer(options);
    made.#port = await listenOn(made.#server, options.port);
    return made;
  }

  #countCall(): void {
    this.#counts = { ...this.#counts, calls: this.#counts.calls + 1 };
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  get counts(): McpCounts {
    return this.#counts;
  }

  /** Ends every session and call, as when the token was replaced. */
  async endSessions(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#options.tasks.withdrawAll();
    await Promise.all([this.#modern.endAll(), ...sessions.map((session) => session.close())]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = new Promise((resolve) => this.#server.close(resolve));
    await this.endSessions();
    this.#server.closeAllConnections();
    await ended;
  }

  async #accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Node raises these for a client that hangs up; without a listener they would end the process.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const refusal = this.#refuse(request);
    // After a 401 clients look there for a login. That there is none is no secret, and they then show the message of the 401.
    if (refusal?.[0] === 401 && request.url?.startsWith("/.well-known/") === true) {
      refuse(response, 404, "There is no login here: the token is all.");
      return;
    }
    if (refusal) {
      this.#counts = { ...this.#counts, refused: this.#counts.refused + 1 };
      refuse(response, ...refusal);
      return;
    }
    this.#connections.markKnown(request.socket);
    if (request.url?.split("?", 1)[0] !== path) refuse(response, 404, "The MCP server is at /mcp.");
    else if (this.#responses.size >= maxRequests) refuse(response, 503, "Too many requests are under way.");
    else await this.#respond(request, response).catch(() => refuse(response, 500, "The request failed."));
  }

  #refuse(request: IncomingMessage): readonly [status: number, message: string] | undefined {
    switch (foreignnessOf(request)) {
      case "host":
        return [403, "This server answers to 127.0.0.1 and localhost only."];
      case "origin":
        return [403, "This server answers to no page of another site."];
      case undefined:
        break;
    }
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
    if (given !== undefined && isSameSecret(given, this.#options.token())) return undefined;
    return [401, "The token is missing or wrong: Sluice: Copy MCP Configuration has it."];
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#responses.add(response);
    const gone = new AbortController();
    response.once("close", () => {
      this.#responses.delete(response);
      gone.abort();
    });
    const { stream } = acceptedTypes(request.headers.accept ?? null);
    const answer = await this.#handle(toWebRequest(request, this.url, gone.signal), gone.signal, stream);
    // The rest of a body that was not read to its end would be taken for the next request on the connection.
    if (!request.complete) response.setHeader("connection", "close");
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    // Node holds the headers back until the first bytes of the body, which an event stream may have 15 s later.
    response.flushHeaders();
    if (!answer.body) {
      response.end();
      return;
    }
    const body = Readable.fromWeb(answer.body);
    body.on("error", () => response.destroy());
    gone.signal.addEventListener("abort", () => body.destroy(), { once: true });
    body.pipe(response);
  }

  async #handle(request: Request, gone: AbortSignal, takesStreams: boolean): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : this.#sessions.get(id);
    if (known) return known.handle(request, gone);
    const modern = await this.#modern.handle(request, gone, takesStreams);
    if (modern) return modern;
    // The protocol has a client begin a new session after this 404.
    if (id !== null) return new Response("There is no such session.", { status: 404 });
    const session: McpSession = await McpSession.open(
      this.#options,
      {
        onOpen: (opened) => {
          if (this.#isClosed) return;
          this.#makeRoom();
          this.#sessions.set(opened, session);
        },
        onClose: (closed) => void this.#sessions.delete(closed),
      },
      takesStreams,
    );
    const answer = await session.handle(request, gone);
    // The request was no `initialize`, or the server is closing.
    if (![...this.#sessions.values()].includes(session)) await session.close();
    return answer;
  }

  /** Closes the oldest session without a call under way, or the oldest of all where each has one. */
  #makeRoom(): void {
    if (this.#sessions.size < maxSessions) return;
    const idle = [...this.#sessions].find(([, session]) => !session.isBusy) ?? [...this.#sessions][0];
    if (!idle) return;
    this.#sessions.delete(idle[0]);
    void idle[1].close();
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The connection is closed, because the rest of the request's body is not read.
  const challenge = status === 401 ? { "www-authenticate": 'Bearer realm="Sluice", error="invalid_token"' } : {};
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...challenge });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
}

/** Leaves the token out, because no handler behind this needs it. */
function toWebRequest(request: IncomingMessage, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && name !== "authorization") headers.set(name, value);
  }
  const method = request.method ?? "GET";
  const { accept } = request.headers;
  const accepted = acceptedTypes(accept ?? null);
  // The SDK looks for both types by their names.
  if (method === "GET" ? accepted.stream : accepted.json || accepted.stream) headers.set("accept", bothTypes);
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url, {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request), duplex: "half" } : {}),
  });
}

/** The types of a response that an MCP client takes. The SDK requires both by name, and refuses the defaults of other programs. */
interface AcceptedTypes {
  readonly json: boolean;
  readonly stream: boolean;
}

/** Both types written out, as the protocol demands. */
const bothTypes = "application/json, text/event-stream";

/** Reads an `Accept` header. A client without one takes anything. */
export function acceptedTypes(accept: string | null): AcceptedTypes {
  const ranges = new Set(
    (accept ?? "*/*").split(",").flatMap((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [type];
    }),
  );
  const takes = (...types: readonly string[]): boolean => types.some((type) => ranges.has(type));
  return {
    json: takes("application/json", "application/*", "*/*"),
    stream: takes("text/event-stream", "text/*", "*/*"),
  };
}
