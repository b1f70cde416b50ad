/** The tools that the MCP server offers, and the port through which it calls them. `src/mcp` speaks the protocol. */

import type { Clock } from "../../base/clock";

/** `inputSchema` is a JSON Schema whose root is an object. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface McpCall {
  readonly name: string;
  /** The input, which may have any shape. */
  readonly input: unknown;
  /** What the client calls itself. */
  readonly client: string;
}

/** `data` is base64. */
export interface McpImage {
  readonly mimeType: string;
  readonly data: string;
}

export interface McpResult {
  readonly text: string;
  readonly images?: readonly McpImage[];
  readonly isError: boolean;
}

export interface McpPorts {
  readonly version: string;
  readonly clock: Clock;
  readonly tools: () => readonly McpTool[];
  /** Rejects only with an abort: when the client cancels, hangs up, or the server closes. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
}
