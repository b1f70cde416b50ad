/** The messages about files that tools have changed. Which these are, and whether an undo is possible, the host alone knows. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";

const answer = z.string().check(z.maxLength(64));

/** Of the turn that the answer of that id ends. */
export const changeIntents = [
  z.object({ type: z.literal("changes-show"), answer }),
  z.object({ type: z.literal("changes-undo"), answer }),
  z.object({ type: z.literal("changes-redo"), answer }),
  z.object({ type: z.literal("changes-keep"), answer }),
  /** Takes the chat and the files back to before the message of that id, after a question. */
  z.object({ type: z.literal("chat-rewind"), entry: z.string().check(z.maxLength(64)) }),
] as const;

/** The files that one answer has changed. `undone`: an undo has taken all of it back. */
export const answerChanges = z.object({
  answer: z.string(),
  files: z.array(z.string()),
  state: z.enum(["made", "kept", "undone"]),
});
export type AnswerChanges = Immutable<z.infer<typeof answerChanges>>;
