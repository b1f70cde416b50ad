/** The port by which a chat reads where it works and what guides the model there. */
import type { Environment, Instructions, PromptContext } from "../../domain/chat/environmentSchema";

/** What waits rejects with an `AbortError` only. */
export interface Surroundings {
  /** What the person has in front of them. */
  promptContext(): PromptContext;
  /** Paths of the folders whose files tools can use, as in the environment. */
  roots(): readonly string[];
  /** `undefined` where it can't be read now. */
  readEnvironment(signal: AbortSignal): Promise<Environment | undefined>;
  /** Instructions of the folders that a file lies in, below its root. `known`: bytes of those that the chat has, by path. */
  instructionsAbove(file: string, known: ReadonlyMap<string, number>, signal: AbortSignal): Promise<FoundInstructions>;
  /** The person lets a file that was offered guide the model, from now on. `undefined` where it can't be read. */
  allowInstructions(path: string, known: ReadonlyMap<string, number>): Promise<Instructions | undefined>;
}

export interface FoundInstructions {
  readonly instructions: readonly Instructions[];
  /** As in the environment. */
  readonly offered: readonly string[];
}
