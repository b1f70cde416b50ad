/** Tools of VS Code, of other extensions and of MCP servers, for the chat. What they say of themselves and what they return is untrusted. */

export interface ForeignTool {
  /** As VS Code lists it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: object | undefined;
  /** A fingerprint of who offers it and of all that it said of itself when the person switched it on. */
  readonly promise: string;
}

export type ForeignContent =
  | { readonly type: "text"; readonly text: string }
  /** What can't be shown to a model as text. `size` in bytes. */
  | { readonly type: "data"; readonly mimeType: string; readonly size: number };

export interface ForeignToolPort {
  /** Those that the person has switched on and that still are what they were then; empty in Restricted Mode. */
  chosen(): readonly ForeignTool[];
  /** Rejects with a `ToolRefusal` when it is none of `chosen` any more, or with whatever the tool fails with. */
  call(
    tool: ForeignTool,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly ForeignContent[]>;
}
