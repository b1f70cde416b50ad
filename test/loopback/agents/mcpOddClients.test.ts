/** Seventeen odd clients at the MCP server (V6): each gets words or a plain end, the next client is served, and nothing of them is held. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { McpServer } from "../../../src/agents/mcp/mcpServer";
import { collectGarbage } from "../../support/collectGarbage";
import { eventually } from "../../support/eventually";
import { createMovedClock } from "../../support/movedClock";
import { askOnce } from "../../support/mcpTasksClient";
import { noMcpTasks } from "../../support/plainOptions";
import { fewOf } from "../../support/runs";

const token = "the-token-of-this-test";
const legacy = "2025-06-18";
const modern = "2026-07-28";

/** A JSON-RPC request as text. */
function rpc(method: string, params: unknown = {}, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

const initialize = rpc("initialize", {
  protocolVersion: legacy,
  capabilities: {},
  clientInfo: { name: "odd", version: "1" },
});
const meta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": modern,
    "io.modelcontextprotocol/clientInfo": { name: "odd", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const modernHeaders = (method: string): Record<string, string> => ({
  "mcp-protocol-version": modern,
  "mcp-method": method,
});

describe("odd clients at the MCP server", () => {
  let server: McpServer;
  let begun = 0;
  let ended = 0;

  before(async () => {
    server = await McpServer.start({
      ...{ version: "1", clock: createMovedClock(), token: () => token, port: 0, tasks: noMcpTasks },
      tools: () => [
        {
          ...{ name: "sluice_listTasks", title: "List tasks", description: "The newest tasks." },
          inputSchema: { type: "object", properties: {} },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        },
      ],
      call: (_call, signal) =>
        new Promise((resolve) => {
          begun += 1;
          signal.addEventListener("abort", () => {
            ended += 1;
            resolve({ text: "stopped", isError: true });
          });
        }),
    });
  });
  after(() => server.close());
  // The next one is served as if nothing had been.
  afterEach(async () => {
    const { result, error } = await askOnce({ url: server.url, token }, "tools/list", {}, {});
    assert.equal((result?.["tools"] as unknown[] | undefined)?.length, 1, JSON.stringify(error));
    assert.equal(begun, ended, "a call of a client that is gone goes on");
  });

  interface Said {
    readonly status: number;
    readonly text: string;
    readonly session: string | null;
  }

  async function send(body: string | undefined, headers: Record<string, string> = {}, method = "POST"): Promise<Said> {
    const response = await fetch(server.url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: body ?? null,
    });
    return { status: response.status, text: await response.text(), session: response.headers.get("mcp-session-id") };
  }

  /** Sends bytes as they are, and resolves with what came back until the server ended the connection, or `hangUp` was called. */
  async function raw(bytes: string, hangUp?: () => Promise<void>): Promise<string> {
    const socket = connect(server.port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString()));
    socket.on("error", () => undefined);
    await once(socket, "connect");
    const closed = once(socket, "close");
    socket.write(bytes);
    if (hangUp) {
      await hangUp();
      socket.destroy();
    }
    await closed;
    return text;
  }
  const head = (length: number | string, more = ""): string =>
    `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${more}content-length: ${length}\r\n\r\n`;

  const odd: Readonly<Record<string, () => Promise<Said>>> = {
    "calls a tool without a session": () => send(rpc("tools/call", { name: "sluice_listTasks", arguments: {} })),
    "names a session of its own making": () => send(rpc("tools/list"), { "mcp-session-id": "made-up" }),
    "wants a revision that does not exist": () =>
      send(rpc("tools/list", meta), { ...modernHeaders("tools/list"), "mcp-protocol-version": "2031-01-01" }),
    "says one method in the header and another in the body": () =>
      send(rpc("tools/list", meta), modernHeaders("tools/call")),
    "sends several requests in one body in a revision that has none": () =>
      send(`[${rpc("tools/list", meta)},${rpc("tools/list", meta, 2)}]`, modernHeaders("tools/list")),
    "sends no JSON": () => send("{", modernHeaders("tools/list")),
    "sends JSON that is no request": () => send('"hello"'),
    "sends an answer that nobody has asked for": () => send('{"jsonrpc":"2.0","id":7,"result":{}}'),
    "calls with an id of ten thousand characters": async () => {
      const { session } = await send(initialize);
      const call = rpc("tools/call", { name: "sluice_listTasks", arguments: {} }, "x".repeat(10_000));
      return send(call, { "mcp-session-id": String(session) });
    },
    "asks for a stream of events in a revision that has none": () =>
      send(undefined, { "mcp-protocol-version": modern }, "GET"),
    "ends a session that there is not": () => send(undefined, { "mcp-session-id": "made-up" }, "DELETE"),
    "takes no kind of answer that there is": () => send(initialize, { accept: "text/plain" }),
    "sends 300 KB of arguments": () =>
      send(rpc("tools/call", { name: "sluice_listTasks", arguments: { text: "x".repeat(300_000) } })),
  };
  for (const [what, act] of Object.entries(odd))
    it(`V6: one that ${what} is told so`, async () => {
      const { status, text } = await act();
      assert.ok((status >= 400 && status < 500) || text.includes('"isError":true') || text.includes('"error":'), text);
      assert.match(text, /[A-Za-z]{3,} [a-z]/);
    });

  it("V6: one that says it has a body and sends half of it is let go", async () => {
    const said = await raw(head(5000) + initialize.slice(0, 20), () => Promise.resolve());
    assert.equal(said, "");
  });

  it("V6: one that hangs up in the middle of a call ends the call", async () => {
    const before = begun;
    const call = rpc("tools/call", { ...meta, name: "sluice_listTasks", arguments: {} });
    const headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: sluice_listTasks\r\n";
    await raw(head(call.length, headers) + call, () => eventually("the call", () => begun > before));
    await eventually("the call's end", () => ended === begun);
  });

  it("V6: one that cancels what it has not asked for changes nothing", async () => {
    const { session } = await send(initialize);
    const notice = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
    assert.equal((await send(notice, { "mcp-session-id": String(session) })).status, 202);
  });

  const sessions = fewOf(10_000, 150);
  it(`V6: one that begins ${sessions} sessions and ends none leaves the newest 64, and no memory`, async () => {
    const first = String((await send(initialize)).session);
    collectGarbage();
    const heap = process.memoryUsage().heapUsed;
    for (let count = 0; count < sessions; count += 50)
      await Promise.all(Array.from({ length: 50 }, () => send(initialize)));
    assert.equal((await send(rpc("tools/list"), { "mcp-session-id": first })).status, 404);
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - heap;
    assert.ok(grown < 10_000_000, `the heap has grown by ${grown} bytes`);
  });
});
