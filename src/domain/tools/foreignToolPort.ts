/** Tools of VS Code, of other extensions and of MCP servers, for the chat. Their descriptions and their results are untrusted. */

export interface ForeignTool {
  /** As VS Code lists it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: object | undefined;
  /** Fingerprint of the extensions that declare it, its description, schema and tags; rules and the person's choice hold for this one only. */
  readonly promise: string;
}

export type ForeignContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly bytes: Uint8Array }
  /** What can't be shown to a model as text. `size` in bytes. */
  | { readonly type: "data"; readonly mimeType: string; readonly size: number };

export interface ForeignToolPort {
  /** Those that the person has switched on and that still are what they were then; empty in Restricted Mode. */
  chosen(): readonly ForeignTool[];
  /** Rejects with a `ToolRefusal` when the tool was switched off or has changed, otherwise with the tool's own error. */
  call(
    tool: ForeignTool,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly ForeignContent[]>;
}
