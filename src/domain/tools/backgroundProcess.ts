/** A command that runs in the background, as it is shown. */
export interface BackgroundProcess {
  readonly id: string;
  /** The chat that started it. */
  readonly chat: string;
  /** The command line, as the model wrote it. */
  readonly line: string;
  /** The newest line of its output; empty while there is none. */
  readonly lastLine: string;
  /** The command runs in the sandbox and has no network. */
  readonly isConfined: boolean;
  /** The port that `run_command` was given: the command serves there, with the network of this machine. */
  readonly port?: number;
  /**
   * The port of the loopback address at which it has printed to serve, while it runs in the sandbox: no program outside of the sandbox can connect to
   * it.
   */
  readonly heldPort?: number;
  /** Files, as the chat names them, that are new in the workspace since the command began and that something runs or obeys: it may have made them. */
  readonly made?: readonly string[];
}
