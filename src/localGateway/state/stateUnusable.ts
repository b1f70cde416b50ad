/** The error of a state folder that can't be read, written or understood; its message is for a person. */
export class StateUnusable extends Error {
  override readonly name = "StateUnusable";

  constructor(stateDir: string, reason: string, cause?: unknown) {
    super(`The state folder ${stateDir} can't be used: ${reason}`, { cause });
  }

  static from(stateDir: string, error: unknown): StateUnusable {
    if (error instanceof StateUnusable) return error;
    return new StateUnusable(stateDir, error instanceof Error ? error.message : String(error), error);
  }
}
