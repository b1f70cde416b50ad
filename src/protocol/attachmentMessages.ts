/** The messages about what is attached to a prompt: found by `#`, pasted, dropped or picked. The page names things; the host reads and judges them. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";
import { fileReferenceSchema, referenceCap } from "../domain/attachmentSchema";
import { imageSizeCap, imageTypes } from "../domain/imageTypes";

const line = z.int().check(z.gte(1));
const imageId = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Characters; the page makes about 6,000. */
const longestThumbnail = 30_000;
const thumbnail = z
  .string()
  .check(z.maxLength(longestThumbnail), z.regex(/^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+=*$/));

/** As `FileReference`, within bounds. */
export const referenceIntent = z.object({
  path: z.string().check(z.maxLength(4096)),
  lines: z.exactOptional(z.object({ first: line, last: line })),
  kind: z.exactOptional(z.enum(["folder", "problems"])),
  image: z.exactOptional(
    z.object({
      id: imageId,
      mimeType: z.enum(imageTypes),
      size: z.int().check(z.gte(0), z.lte(imageSizeCap)),
      thumbnail: z.exactOptional(thumbnail),
    }),
  ),
});

export const attachmentIntents = [
  /** Lists what can be attached, for the completion after `#`. */
  z.object({ type: z.literal("context-find"), query: z.string().check(z.maxLength(200)) }),
  /** `menu` asks what; `code` is the selection or the file of the editor. `attaching-ended` follows, with the `key`. */
  z.object({
    type: z.literal("context-add"),
    key: z.int(),
    from: z.enum(["menu", "selection", "code", "code-with-problems"]),
  }),
  /** Files that were dropped on the page, or named by `context-found`. `attaching-ended` follows, with the `key`. */
  z.object({
    type: z.literal("uris-add"),
    key: z.int(),
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(referenceCap)),
  }),
  /** An image that was pasted or dropped, as base64. The answer has its `key`. */
  z.object({
    type: z.literal("image-add"),
    key: z.int(),
    name: z.string().check(z.maxLength(255)),
    data: z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4)),
  }),
  z.object({ type: z.literal("image-open"), id: imageId }),
  /** A command that was typed after `/`. */
  z.object({ type: z.literal("command-run"), command: z.enum(["approval", "export", "find", "history"]) }),
] as const;

export type AttachmentIntent = z.infer<(typeof attachmentIntents)[number]>;

const itemKinds = ["file", "image", "folder", "selection", "problems", "class", "method", "variable"] as const;

/** One line of the completion. */
const contextItem = z.object({
  kind: z.enum(itemKinds),
  label: z.string(),
  detail: z.string(),
  /** What is attached; an image is named by `uri` and read by the host, and with neither it is the selection. */
  reference: z.exactOptional(fileReferenceSchema),
  uri: z.exactOptional(z.string()),
});
export type ContextItem = Immutable<z.infer<typeof contextItem>>;

export const attachmentMessages = [
  /** The answer to `context-find`, best first; a longer one may follow. */
  z.object({ type: z.literal("context-found"), query: z.string(), items: z.array(contextItem) }),
  /** Attaches it to the prompt that is written. `key` as in `image-add`; `data`: an image that the page has not seen, as base64. */
  z.object({
    type: z.literal("reference-add"),
    reference: fileReferenceSchema,
    key: z.exactOptional(z.int()),
    data: z.exactOptional(z.string()),
  }),
  /** A sentence below the composer: why something was not attached. */
  z.object({ type: z.literal("composer-hint"), text: z.string(), key: z.exactOptional(z.int()) }),
  /** All of that `context-add` or `uris-add` was attached or refused. */
  z.object({ type: z.literal("attaching-ended"), key: z.int() }),
] as const;

export type AttachmentMessage = Immutable<z.infer<(typeof attachmentMessages)[number]>>;
