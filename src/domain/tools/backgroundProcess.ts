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
}
