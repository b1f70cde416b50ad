/** MCP from revision 2026-07-28 on: no sessions, each request says by itself which revision and client it is of. The SDK speaks the protocol. */
import { createMcpHandler, isLegacyRequest, type McpHttpHandler, readRequestBody } from "@modelcontextprotocol/server";
import { asRecord, parseJson } from "../../base/jsonValue";
import type { McpPorts } from "../../domain/tools/mcpTool";
import { createProtocolServer, maxBodySize, noObject, withObject } from "./offerTools";

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

  /** Aborts what runs; the next request is answered again. */
  async endAll(): Promise<void> {
    const [streams, whole] = [this.#streams, this.#whole];
    this.#streams = this.#create(true);
    this.#whole = this.#create(false);
    await Promise.all([streams.close(), whole.close()]);
  }

  /** A stream is opened at once, because a client may wait for headers less long than a person takes to answer. */
  #create(hasProgress: boolean): McpHttpHandler {
    return createMcpHandler(() => createProtocolServer({ ports: this.#ports, hasProgress }), {
      legacy: "reject",
      responseMode: hasProgress ? "sse" : "auto",
      maxRequestBodySize: maxBodySize,
    });
  }
}

/** `undefined` for what is too large or no JSON: a session refuses it. */
async function readBody(request: Request): Promise<unknown> {
  const read = await readRequestBody(request, maxBodySize);
  return read.tooLarge ? undefined : parseJson(read.text);
}
