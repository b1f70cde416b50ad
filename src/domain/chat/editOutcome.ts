/** The outcome of an edit of the model's (A16): the person has taken it back, or changed it. The model gets it once, with its next step. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

export const editOutcomeSchema = z.object({
  /** The id of the model's last change to the file, in the undo ledger. `lines` count the file as that change left it. */
  change: z.string(),
  /** The name of the file in the chat. */
  file: z.string(),
  /** `back`: the edit was taken back. `there`: it had been taken back and is there again. */
  is: z.enum(["back", "changed", "gone", "there"]),
  /**
   * The first and the last line, from 1, of the file as the model had left it; missing for all of the file. `first` is `last` + 1 where the edit left
   * no line.
   */
  lines: z.exactOptional(z.object({ first: z.number(), last: z.number() })),
  /** The text that is there now; missing where it is long, or where the model may not see it unasked. */
  text: z.exactOptional(z.string()),
});

export type EditOutcome = Immutable<z.infer<typeof editOutcomeSchema>>;

/** Whether both are of the same lines of the same edit. */
export function isOfSameLines(one: EditOutcome, other: EditOutcome): boolean {
  const areSame = one.lines?.first === other.lines?.first && one.lines?.last === other.lines?.last;
  return areSame && one.change === other.change && one.file === other.file;
}

export interface AskedOutcomes {
  /** The answers of the chat, by their ids. */
  readonly answers: ReadonlySet<string>;
  /** The time of the last request to the model, which held all outcomes that were decided before it. */
  readonly since: number;
  /** The outcomes that the model has got, the oldest first. */
  readonly told: readonly EditOutcome[];
}
