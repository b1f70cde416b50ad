/** What a person set for a model: the same for all families, each of which writes it in its own way. */

/** How much a model thinks. `true` says that it can, `false` that it can't: neither asks it for anything. */
export type Thinking = boolean | "off" | "low" | "medium" | "high";

/** Nothing is sent of what is left out. */
export interface ModelOptions {
  /** Tokens, thinking among them. */
  readonly maxOutputTokens?: number;
  /** Tokens that the gateway says the model can answer with: for the family that wants a limit in each request. */
  readonly outputSize?: number;
  readonly thinking?: Thinking;
  readonly temperature?: number;
  /** Goes into the body over everything else. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}
