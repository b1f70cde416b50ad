/** What became of an edit of the model's (A16): the person has taken it back, or changed it. The model is told once, with its next step. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

export const editOutcomeSchema = z.object({
  /** The change of the undo ledger that had left the file so. */
  change: z.string(),
  /** As the file is named in the chat. */
  file: z.string(),
  /** `back`: it was taken back; `there`: it was, and is there again. */
  is: z.enum(["back", "changed", "gone", "there"]),
  /** The first and the last one, from 1, of the file as the model had left it; missing for all of the file. After the last one where none was left. */
  lines: z.exactOptional(z.object({ first: z.number(), last: z.number() })),
  /** What stands there now; missing where it is long, or not for the model to see unasked. */
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
  /** When the model was asked last: what was decided before that was told then. */
  readonly since: number;
  /** What the model has been told, the oldest first. */
  readonly told: readonly EditOutcome[];
}
