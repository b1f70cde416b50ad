/** What MCP clients send that are not the official one: other forms of `Accept`, arguments as text, a look for a login. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { acceptedTypes, McpServer } from "../../../../src/agents/mcp/mcpServer";
import type { JsonRecord } from "../../../../src/base/jsonValue";
import { noMcpTasks } from "../../../support/plainOptions";
import { createMovedClock } from "../../../support/movedClock";

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

describe("the MCP server for other clients", () => {
  const token = "a-token";
  let server: McpServer;
  let inputs: unknown[];

  before(async () => {
    server = await McpServer.start({
      ...{ version: "1", clock: createMovedClock(), token: () => token, port: 0 },
      tools: () => [],
      tasks: noMcpTasks,
      call: ({ input }) => {
        inputs.push(input);
        return Promise.resolve({ text: "done", isError: false });
      },
    });
  });
  beforeEach(() => (inputs = []));
  after(() => server.close());

  /** With exactly these headers; `until`: resolves with the headers of an event stream that stays open. */
  const send = (
    headers: JsonRecord,
    {
      method = "POST",
      path = "/mcp",
      body = "",
      until = "end",
    }: { method?: string; path?: string; body?: string; until?: "end" | "headers" },
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({
        host: "127.0.0.1",
        port: server.port,
        path,
        method,
        headers: headers as Record<string, string>,
      });
      sent.on("error", reject);
      sent.on("response", (response) => {
        let text = "";
        const end = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.on("data", (data: Buffer) => (text += data.toString()));
        response.on("error", () => undefined);
        response.on("end", end);
        if (until === "headers") {
          end();
          response.destroy();
        }
      });
      sent.end(body);
    });

  const usual = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const rpc = (method: string, params: object, id = 1): { body: string } => ({
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  const initialize = rpc("initialize", {
    ...{ protocolVersion: "2025-06-18", capabilities: {} },
    clientInfo: { name: "x", version: "1" },
  });
  const open = async (headers: JsonRecord = { accept: "*/*" }): Promise<JsonRecord> => {
    const { status, headers: got } = await send({ ...usual, ...headers }, initialize);
    assert.equal(status, 200);
    return { ...usual, ...headers, "mcp-session-id": got["mcp-session-id"] };
  };

  for (const accept of [
    "*/*",
    "application/json",
    "text/event-stream",
    "application/*, text/*",
    "application/json;q=0.9, */*;q=0.1",
    undefined,
  ])
    it(`V6 (field 14): a client with Accept ${accept ?? "left out"} is answered in a type that it takes`, async () => {
      const headers = await open(accept === undefined ? {} : { accept });
      const {
        status,
        headers: got,
        text,
      } = await send(headers, rpc("tools/call", { name: "list", arguments: { a: 1 } }, 2));
      assert.equal(status, 200);
      assert.equal(got["content-type"], accept === "application/json" ? "application/json" : "text/event-stream");
      assert.match(text, /done/);
      assert.deepEqual(inputs, [{ a: 1 }]);
    });

  it("V6 (field 14): one that takes neither type is refused", async () => {
    for (const accept of ["text/html", "application/json;q=0, image/*"])
      assert.equal((await send({ ...usual, accept }, initialize)).status, 406);
    assert.deepEqual(acceptedTypes("text/event-stream;q=0.5"), { json: false, stream: true });
  });

  const forms: readonly (readonly [string, unknown, unknown])[] = [
    ["JSON text", '{"a":1}', { a: 1 }],
    ["JSON text that was encoded twice", JSON.stringify('{"a":1}'), { a: 1 }],
    ["null", null, {}],
    ["the text null", "null", {}],
    ["an empty text", "", {}],
  ];
  for (const [what, given, input] of forms)
    it(`V6 (field 14): arguments as ${what} are read`, async () => {
      const { text } = await send(await open(), rpc("tools/call", { name: "list", arguments: given }, 2));
      assert.match(text, /done/);
      assert.deepEqual(inputs, [input]);
    });

  it("V6 (field 14): arguments that are no object are refused in one sentence", async () => {
    for (const given of ["text", "[1]", [1], 7]) {
      const { text } = await send(await open(), rpc("tools/call", { name: "list", arguments: given }, 2));
      const line = /^data: (\{.*\})$/m.exec(text)?.[1] ?? "{}";
      const { error } = JSON.parse(line) as { error?: { code: number; message: string } };
      assert.deepEqual(error, { code: -32602, message: "The arguments of a call are a JSON object: send one." });
    }
    assert.deepEqual(inputs, []);
  });

  describe("of revision 2026-07-28", () => {
    const revision = "2026-07-28";
    const meta = (of = revision): object => ({
      "io.modelcontextprotocol/protocolVersion": of,
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
    const ask = (method: string, params: object, headers: JsonRecord = {}, of = revision): Promise<Answer> =>
      send(
        {
          ...usual,
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": of,
          "mcp-method": method,
          ...headers,
        },
        rpc(method, { ...params, _meta: meta(of) }),
      );
    const answerOf = ({ text }: Answer): { result?: JsonRecord; error?: { code: number; data?: JsonRecord } } =>
      JSON.parse(/^data: (\{.*\})$/m.exec(text)?.[1] ?? text) as { result?: JsonRecord };

    it("V6 (strangers M2): says what it speaks, without a session; lists say how long they hold", async () => {
      const discovered = await ask("server/discover", {});
      assert.equal(discovered.status, 200);
      assert.equal(discovered.headers["mcp-session-id"], undefined);
      const { result } = answerOf(discovered);
      assert.ok((result?.["supportedVersions"] as string[]).includes(revision), JSON.stringify(result));
      const listed = answerOf(await ask("tools/list", {})).result;
      assert.deepEqual([listed?.["resultType"], listed?.["tools"]], ["complete", []]);
      assert.equal(typeof listed?.["ttlMs"], "number");
      assert.equal(typeof listed?.["cacheScope"], "string");
    });

    it("V6 (strangers M2): a call is answered, also with arguments as text and to a client that reads no streams", async () => {
      for (const headers of [{}, { accept: "application/json" }]) {
        const answer = await ask(
          "tools/call",
          { name: "list", arguments: '{"a":1}' },
          { "mcp-name": "list", ...headers },
        );
        assert.match(answer.text, /done/);
        const isWhole = "accept" in headers;
        assert.equal(answer.headers["content-type"], isWhole ? "application/json" : "text/event-stream");
        assert.equal(answerOf(answer).result?.["resultType"], "complete");
      }
      assert.deepEqual(inputs, [{ a: 1 }, { a: 1 }]);
      const refused = await ask("tools/call", { name: "list", arguments: [1] }, { "mcp-name": "list" });
      assert.equal(answerOf(refused).error?.code, -32602);
      assert.equal(inputs.length, 2);
    });

    it("V6 (strangers M2): headers that don't fit the body, other revisions and unknown methods are refused as the protocol has it", async () => {
      const mismatch = await ask("tools/call", { name: "list", arguments: {} }, { "mcp-name": "other" });
      assert.deepEqual([mismatch.status, answerOf(mismatch).error?.code], [400, -32020]);
      const later = await ask("server/discover", {}, {}, "2999-01-01");
      assert.deepEqual([later.status, answerOf(later).error?.code], [400, -32022]);
      assert.ok((answerOf(later).error?.data?.["supported"] as string[]).includes(revision));
      const unknown = await ask("resources/list", {});
      assert.deepEqual([unknown.status, answerOf(unknown).error?.code], [404, -32601]);
      assert.deepEqual(inputs, []);
    });
  });

  it("V6 (strangers M1): the headers of an event stream are there before its first event", async () => {
    const { status } = await send(
      { ...(await open()), accept: "text/event-stream" },
      { method: "GET", until: "headers" },
    );
    assert.equal(status, 200);
  });

  it("V6 (strangers M3): a wrong token is challenged, and who looks for a login finds none", async () => {
    const wrong = await send({ ...usual, authorization: "Bearer x" }, initialize);
    assert.equal(wrong.status, 401);
    assert.match(String(wrong.headers["www-authenticate"]), /^Bearer /);
    assert.match(wrong.text, /Copy MCP Configuration/);
    const path = "/.well-known/oauth-protected-resource/mcp";
    assert.equal((await send({}, { method: "GET", path })).status, 404);
    assert.equal((await send({ host: "evil.example" }, { method: "GET", path })).status, 403);
  });
});
