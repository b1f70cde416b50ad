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

export type PreparedCall = FreeCall | AskingCall;

interface CallTitle {
  /** What it does, for a person: *Read src/app.ts, lines 1 to 80*. */
  readonly title: string;
}

/** May run at once. */
export interface FreeCall extends CallTitle {
  readonly ask?: undefined;
  /** Does what the title says, nothing else. The text is the result for the model. */
  run(signal: AbortSignal): Promise<string>;
}

/** Needs a yes first. */
export interface AskingCall extends CallTitle {
  readonly ask: { readonly reason: string; readonly preview?: DiffPreview; readonly change?: ProposedChange };
  /** Like a free call's, or resolves with the next step, which has a question of its own: what it shows could not be known before this yes. */
  run(signal: AbortSignal): Promise<string | AskingCall>;
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
