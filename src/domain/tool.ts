/** What a function that a model may call looks like to the session: it prepares without changing anything, and runs exactly what was prepared. */
import type { ToolDeclaration } from "./message";
import type { DiffPreview } from "./transcript";

export interface Tool {
  readonly declaration: ToolDeclaration;
  /**
   * Reads the arguments and looks at the workspace, without changing it. Rejects with a `ToolRefusal` whose text is for
   * the model when the arguments don't fit or the path is not allowed.
   */
  prepare(input: unknown, signal: AbortSignal): Promise<PreparedCall>;
}

export interface PreparedCall {
  /** What it does, for a person: *Read src/app.ts, lines 1 to 80*. */
  readonly title: string;
  /** There when a person must say yes first. */
  readonly ask?: { readonly reason: string; readonly preview?: DiffPreview; readonly change?: ProposedChange };
  /** Does what the title says, nothing else. The text is the result for the model. */
  run(signal: AbortSignal): Promise<string>;
}

/** A whole file before and after, for the editor's own diff. `path` is as the person knows it. */
export interface ProposedChange {
  readonly path: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A call that can't or may not run; the message goes back to the model. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}
