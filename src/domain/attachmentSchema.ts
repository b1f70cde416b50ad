/** The shape of what a person attaches to a prompt: a reference while it is written, its text once it was sent. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";

/** A file of the workspace, by its path in it, or some of its lines, counted from 1. */
export const fileReferenceSchema = z.object({
  path: z.string(),
  lines: z.exactOptional(z.object({ first: z.number(), last: z.number() })),
});

/** What was read of the file when the prompt was sent, or why it could not be read. */
export const attachmentSchema = z.discriminatedUnion("type", [
  z.extend(fileReferenceSchema, {
    type: z.literal("text"),
    text: z.string(),
    /** Characters of the whole, when `text` is only the beginning of it. */
    cutFrom: z.exactOptional(z.number()),
  }),
  z.extend(fileReferenceSchema, { type: z.literal("unread"), reason: z.string() }),
]);

export type FileReference = Immutable<z.infer<typeof fileReferenceSchema>>;
export type Attachment = Immutable<z.infer<typeof attachmentSchema>>;

/** References of one prompt. */
export const referenceCap = 20;

/** *src/app.ts:3-9*; also tells whether two references are the same. */
export function labelOf({ path, lines }: FileReference): string {
  if (lines === undefined) return path;
  return lines.first === lines.last ? `${path}:${lines.first}` : `${path}:${lines.first}-${lines.last}`;
}
