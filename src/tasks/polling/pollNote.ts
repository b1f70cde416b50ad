/** What the window that polls leaves for the others, and for the one that polls after it: pauses, failures, and when it last checked. */
import * as z from "zod/mini";
import { appErrorSchema } from "../../domain/errors/appErrorSchema";

const moment = z.number();

const pollNoteSchema = z.object({
  /** When a read last succeeded; milliseconds since 1970, like all times here. */
  checkedAt: z.exactOptional(moment),
  /** When the running task was read whose last read is the longest ago. */
  oldestRead: z.exactOptional(moment),
  accounts: z.array(
    z.object({
      account: z.string(),
      pause: z.exactOptional(z.object({ until: moment, length: z.number() })),
      failure: z.exactOptional(z.object({ since: moment, error: appErrorSchema })),
    }),
  ),
});

export type PollNote = z.infer<typeof pollNoteSchema>;
export type AccountNote = PollNote["accounts"][number];

export function writePollNote(note: PollNote): string {
  return JSON.stringify(note);
}

/** `undefined` for none, and for one of a later version. */
export function readPollNote(text: string | undefined): PollNote | undefined {
  if (text === undefined) return undefined;
  try {
    const read = pollNoteSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
