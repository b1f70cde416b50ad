/** The intents about the instructions of a chat, by their path: empty for the person's own. */
import * as z from "zod/mini";

const path = z.string().check(z.maxLength(4096));

export const instructionIntents = {
  /** Opens the file, or the setting. */
  "instructions-open": { path },
  /** Takes them out of this chat. */
  "instructions-remove": { path },
  /** Lets a file guide the model that git does not track. */
  "instructions-allow": { path },
} as const;
