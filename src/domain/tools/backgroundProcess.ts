/** A command that runs in the background, as it is shown. */
export interface BackgroundProcess {
  readonly id: string;
  /** The chat that started it. */
  readonly chat: string;
  /** The command line, as the model wrote it. */
  readonly line: string;
  /** The newest line of its output; empty while there is none. */
  readonly lastLine: string;
  /** It runs in the sandbox and has no network. */
  readonly isConfined: boolean;
  /** On which it serves, as its start said, with the network of this machine. */
  readonly port?: number;
  /** On which it says that it serves, in the sandbox, where nothing outside can reach it. */
  readonly heldPort?: number;
}
