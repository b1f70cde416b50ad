/** The messages about files that tools have changed. Which these are, and whether an undo is possible, only the host decides. */
import * as z from "zod/mini";

const answer = z.string().check(z.maxLength(64));

/** Of the turn that the answer of that id ends. */
export const changeIntents = {
  "changes-show": { answer },
  "changes-undo": { answer },
  "changes-redo": { answer },
  "changes-keep": { answer },
  /** Takes the chat and the files back to before the message of that id, or before the last one where it is empty, after a question. */
  "chat-rewind": { entry: z.string().check(z.maxLength(64)) },
} as const;

/** The files that one answer has changed. `undone`: an undo has taken all of it back. */
export interface AnswerChanges {
  readonly answer: string;
  readonly files: readonly string[];
  readonly state: "made" | "kept" | "undone";
  /** Those of the files of which every change was undone, where that is only a part of them. */
  readonly undone?: readonly string[];
}
