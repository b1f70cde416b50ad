/** The person's own terminals, as a tool may open one. */

export interface TerminalCommand {
  /** Absolute. */
  readonly folder: string;
  /** As the model wrote it. */
  readonly line: string;
  /** Missing for a line that is more than plain words: it is typed but not sent. */
  readonly argv?: readonly string[];
}

/** `started`: it runs there. `typed`: it waits there for the person. `opened`: nothing was typed, because a terminal would send a part of it. */
export type TerminalOutcome = "started" | "typed" | "opened";

export interface Terminals {
  open(command: TerminalCommand): TerminalOutcome;
}
