/** One MCP session of the revisions before 2026-07-28, from `initialize` to its end. */
import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { BoundedMap } from "../../base/boundedMap";
import type { McpPorts } from "../../domain/tools/mcpTool";
import { createProtocolServer, maxBodySize, noObject, type ProtocolServer, withObject } from "./offerTools";

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
    this.#server = createProtocolServer({ ports, hasProgress: true, onCall: (id) => this.#begin(id) });
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

  #begin(id: string | number): () => void {
    if (String(id).length > maxIdLength) throw new Error("The id of this request is too long.");
    if (this.#called.has(id)) throw new Error("This request was made already.");
    this.#called.set(id, true);
    this.#running += 1;
    return () => (this.#running -= 1);
  }

  /** Before the SDK judges them. */
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
