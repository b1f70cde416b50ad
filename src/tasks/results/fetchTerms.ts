/** On which terms a result is downloaded; for those who ask for one and for the download itself. */

/** Changes while the download runs: a person may join one that began automatically. */
export interface FetchTerms {
  /** Bytes; `Infinity` for what a person asked for. */
  limit: number;
  /** A person waits for it, not only the window. */
  isAsked: boolean;
  /** What arrived is kept for the next download, also after an abort. */
  keepsPart: boolean;
  /** Downloads it although it is there already. */
  readonly anew: boolean;
}

/** The code of an error that says: too large to be fetched without being asked for. */
export const overLimit = "over-limit";

/** The code of the error for a result that is not read again without a click: VS Code stopped responding while it was read, more than once. */
export const heldBack = "held-back";
