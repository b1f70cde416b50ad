/** The tools that the MCP server offers, and the port through which it calls them. `src/agents/mcp` has the protocol. */

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
  /** The name by which the client calls itself. */
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
  /** Files with results. */
  readonly links?: readonly { readonly uri: string; readonly name: string }[];
  readonly isError: boolean;
}

/**
 * A call that goes on after its response, which its client asks about by the id (extension `io.modelcontextprotocol/tasks`, revision
 * 2026-07-28). Times are milliseconds since 1970.
 */
export interface McpTask {
  readonly id: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** One sentence on the state, for people and models. */
  readonly message?: string;
  readonly state:
    | { readonly status: "working" | "cancelled" }
    /** The question that the person is asked in the window, whose answer counts; the client may show it, and withdraw it. */
    | { readonly status: "asked"; readonly question: string }
    | { readonly status: "completed"; readonly result: McpResult };
}

/** `undefined` and `false` mean that there is no task with that id. */
export interface McpTaskPorts {
  /** Resolves with a task as soon as the person is asked, or with the result of a call that needs nobody. */
  begin(call: McpCall, signal: AbortSignal): Promise<McpTask | McpResult>;
  get(id: string, signal: AbortSignal): Promise<McpTask | undefined>;
  /**
   * Takes over what the client reports of the question: its person said no, or has seen it (a yes counts in the window only), or neither is known.
   */
  answer(id: string, answer: "no" | "seen" | "other"): boolean;
  /** Withdraws the question, or asks the person whether what runs is to be cancelled. */
  cancel(id: string, client: string): boolean;
  /** Withdraws every question. */
  withdrawAll(): void;
}

export interface McpPorts {
  readonly version: string;
  readonly clock: Clock;
  readonly tools: () => readonly McpTool[];
  /** Rejects only with an abort: when the client cancels, hangs up, or the server closes. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
  readonly tasks: McpTaskPorts;
}
