/** What one session keeps of the calls that were made in it. */
import assert from "node:assert/strict";
import { McpSession } from "../../../../src/agents/mcp/mcpSession";
import { noMcpTasks } from "../../../support/plainOptions";
import { createMovedClock } from "../../../support/movedClock";

const gone = new AbortController().signal;

describe("a session over MCP", () => {
  let session: McpSession;
  let id: string;
  let calls: number;

  const post = async (body: object): Promise<string> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await session.handle(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { ...headers, ...(id !== "" && { "mcp-session-id": id }) },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      }),
      gone,
    );
    return await response.text();
  };
  const call = (request: string | number): Promise<string> =>
    post({ id: request, method: "tools/call", params: { name: "list", arguments: {} } });

  beforeEach(async () => {
    id = "";
    calls = 0;
    session = await McpSession.open(
      {
        ...{ version: "1", clock: createMovedClock(), tools: () => [], tasks: noMcpTasks },
        call: () => {
          calls += 1;
          return Promise.resolve({ text: "done", isError: false });
        },
      },
      { onOpen: (opened) => (id = opened), onClose: () => undefined },
    );
    const clientInfo = { name: "x", version: "1" };
    await post({
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    assert.notEqual(id, "");
  });
  afterEach(() => session.close());

  it("V6: a request that arrives twice is one call", async () => {
    assert.match(await call("a"), /done/);
    assert.match(await call("a"), /was made already/);
    assert.equal(calls, 1);
  });

  it("V6 (finding H13): the ids of the last thousand calls are kept, and none that is long", async () => {
    assert.match(await call("x".repeat(100_000)), /id of this request is too long/);
    assert.equal(calls, 0);
    for (let request = 1; request <= 1001; request += 1) await call(request);
    assert.match(await call(2), /was made already/);
    assert.equal(calls, 1001);
    assert.match(await call(1), /done/);
  });
});
