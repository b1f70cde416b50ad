/** One request of an MCP client of revision 2026-07-28, which has no session. */
import type { JsonRecord } from "../../src/base/jsonValue";

export interface McpReply {
  readonly result?: JsonRecord;
  readonly error?: { readonly code: number; readonly data?: JsonRecord };
}

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** The capabilities of a client that takes tasks. */
export const withTasks: JsonRecord = { extensions: { [tasksExtension]: {} } };

/** Rejects where the connection breaks. */
export async function askOnce(
  { url, token }: { readonly url: string; readonly token: string },
  method: string,
  params: JsonRecord,
  capabilities: JsonRecord,
  signal?: AbortSignal,
): Promise<McpReply> {
  const revision = "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "tasks-agent", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const named = params["taskId"] ?? params["name"];
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof named === "string" && { "mcp-name": named }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    signal: signal ?? null,
  });
  const text = await response.text();
  if (text === "") return { error: { code: response.status } };
  return JSON.parse(/^data: (\{.*\})$/m.exec(text)?.[1] ?? text) as McpReply;
}
