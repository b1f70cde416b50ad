/** The options that a person set for a model: one form, which each family writes into its requests differently. */

/** How much a model is asked to think, from least to most. */
export const efforts = ["off", "low", "medium", "high"] as const;
export type Effort = (typeof efforts)[number];

/** `true` and `false` state whether the model can think, and add nothing to a request. */
export type Thinking = boolean | Effort;

/** An absent option adds nothing to a request. */
export interface ModelOptions {
  /** Tokens, including thinking. */
  readonly maxOutputTokens?: number;
  /** The longest answer in tokens, as the gateway lists it: for the family that requires a limit in each request. */
  readonly outputSize?: number;
  readonly thinking?: Thinking;
  readonly temperature?: number;
  /** Whether requests mark their prompt for the service's cache. When left out, only those to models that are known to accept marks do. */
  readonly promptCache?: boolean;
  /** Merged into the body last: its fields replace all others. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}
