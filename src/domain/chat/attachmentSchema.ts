/** The shape of what a person attaches to a prompt: a reference while it is written, its content once it was sent. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import { imageTypes } from "./imageTypes";

/** The source of text in the chat that others may have written, as shown to the person. */
export const untrustedSchema = z.exactOptional(z.string());

const imageSchema = z.object({
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  id: z.string(),
  mimeType: z.enum(imageTypes),
  /** Bytes. */
  size: z.number(),
  /** A small copy as a data URL, made by the page. */
  thumbnail: z.exactOptional(z.string()),
});

/** An image in the result of a call; the chat has its bytes. */
export const resultImageSchema = z.extend(imageSchema, { name: z.string(), width: z.number(), height: z.number() });

/** A file of the workspace, by its path in it, or some of its lines, counted from 1. */
export const fileReferenceSchema = z.object({
  path: z.string(),
  lines: z.exactOptional(z.object({ first: z.number(), last: z.number() })),
  /** `problems`: those of the file or its lines, or of the workspace when the path is empty. Missing for a file or an image. */
  kind: z.exactOptional(z.enum(["folder", "problems"])),
  /** `path` is its name. */
  image: z.exactOptional(imageSchema),
});

/** The content of a reference as it was read when the prompt was sent, or the reason why it could not be read. */
export const attachmentSchema = z.discriminatedUnion("type", [
  z.extend(fileReferenceSchema, {
    type: z.literal("text"),
    text: z.string(),
    /** Characters of the whole, when `text` is only the beginning of it. */
    cutFrom: z.exactOptional(z.number()),
    untrusted: untrustedSchema,
  }),
  /** The chat has its bytes. */
  z.extend(fileReferenceSchema, { type: z.literal("image"), image: imageSchema, untrusted: untrustedSchema }),
  z.extend(fileReferenceSchema, { type: z.literal("unread"), reason: z.string() }),
]);

/** An image of the chat, stored once for all prompts and results that hold it; `data` is base64. */
export const storedImageSchema = z.object({ id: z.string(), mimeType: z.enum(imageTypes), data: z.string() });

/** The prompt file or skill that a person started by its name after `/`, as it read then. */
export const startedPromptSchema = z.object({
  name: z.string(),
  kind: z.enum(["prompt", "skill"]),
  /** The path by which tools name the file; missing for a file of the person's own. */
  path: z.exactOptional(z.string()),
  /** The text exactly as it is sent, with the arguments and answers filled in. */
  text: z.string(),
  /** Characters of the whole, when `text` is only the beginning of it. */
  cutFrom: z.exactOptional(z.number()),
  untrusted: untrustedSchema,
});

export type StartedPrompt = Immutable<z.infer<typeof startedPromptSchema>>;
export type AttachedImage = Immutable<z.infer<typeof imageSchema>>;
export type ResultImage = Immutable<z.infer<typeof resultImageSchema>>;
export type FileReference = Immutable<z.infer<typeof fileReferenceSchema>>;
export type Attachment = Immutable<z.infer<typeof attachmentSchema>>;
export type StoredImage = Immutable<z.infer<typeof storedImageSchema>>;

/** References of one prompt. */
export const referenceCap = 20;

/** *src/app.ts:3-9*, *src/*, *problems of src/app.ts*: in English, as the model gets it. */
export function labelForModel({ path, lines, kind }: FileReference): string {
  if (kind === "folder") return `${path}/`;
  if (kind === "problems")
    return path === "" ? "the problems that the editor shows" : `problems of ${withLines(path, lines)}`;
  return withLines(path, lines);
}

/** *src/app.ts:3-9*. */
export function withLines(path: string, lines: FileReference["lines"]): string {
  if (lines === undefined) return path;
  return lines.first === lines.last ? `${path}:${lines.first}` : `${path}:${lines.first}-${lines.last}`;
}

/** Whether two references are to the same file, lines or image. */
export function isSameReference(one: FileReference, other: FileReference): boolean {
  return labelForModel(one) === labelForModel(other) && one.image?.id === other.image?.id;
}
