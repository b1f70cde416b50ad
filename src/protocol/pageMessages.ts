/** What the messages of all pages have in common: the intents of the page itself, and how a page reads what the host projects. */
import * as z from "zod/mini";
import type { ReadProjected } from "./projection";

/** The page was loaded or missed a revision: it asks for a snapshot. */
export const viewReady = z.object({ type: z.literal("view-ready") });

/** A part of the page could not be rendered; for the log. */
export const pageFailed = z.object({
  type: z.literal("page-failed"),
  what: z.string().check(z.maxLength(100)),
  message: z.string().check(z.maxLength(500)),
});

/** The messages that every page sends, beside those of its own protocol. */
export type PageIntent = z.infer<typeof viewReady> | z.infer<typeof pageFailed>;

export const longestTaskId = 100;
/** The id of an intent. */
export const taskId = z.string().check(z.maxLength(longestTaskId));

const revision = z.int().check(z.nonnegative());

/** For a page whose events are of the host's own version: one that does not fit is unreadable. `undefined` for anything but a message. */
export function projectedReader<Snapshot extends z.ZodMiniType, E extends z.ZodMiniType>(
  snapshot: Snapshot,
  event: E,
): (value: unknown) => ReadProjected<z.infer<Snapshot>, z.infer<E>> | undefined {
  const whole = z.object({ type: z.literal("snapshot"), revision, snapshot });
  const change = z.object({ type: z.literal("events"), after: revision, events: z.array(event) });
  return (value) => {
    const wholeRead = whole.safeParse(value);
    if (wholeRead.success) return wholeRead.data as ReadProjected<z.infer<Snapshot>, z.infer<E>>;
    const changeRead = change.safeParse(value);
    if (changeRead.success) return changeRead.data;
    return isChange(value) ? { type: "unreadable" } : undefined;
  };
}

function isChange(value: unknown): boolean {
  return z.looseObject({ type: z.literal("events"), after: revision }).safeParse(value).success;
}
