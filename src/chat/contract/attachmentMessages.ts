/** The messages about what is attached to a prompt: found by `#`, pasted, dropped or picked. The page names things; the host reads and judges them. */
import * as z from "zod/mini";
import { type FileReference, referenceCap } from "../../domain/chat/attachmentSchema";
import { imageSizeCap, imageTypes } from "../../domain/chat/imageTypes";
import type { IntentOf, PageContract } from "../../base/pageContract";

const line = z.int().check(z.gte(1));
const imageId = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Characters; the page makes about 6,000. */
const maxThumbnailLength = 30_000;
const thumbnail = z
  .string()
  .check(z.maxLength(maxThumbnailLength), z.regex(/^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+=*$/));

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

/** The chat that the page showed; empty while it has loaded none. */
const chat = z.string().check(z.maxLength(64));

export const attachmentIntents = {
  /** Lists what can be attached, for the completion after `#`. */
  "context-find": { query: z.string().check(z.maxLength(200)) },
  /** `menu` asks what; `code` is the selection or the file of the editor. `attaching-ended` follows, with the `key`. */
  "context-add": {
    chat,
    key: z.int(),
    from: z.enum(["menu", "selection", "code", "code-with-problems"]),
  },
  /** Files that were dropped on the page, or named by `context-found`. `attaching-ended` follows, with the `key`. */
  "uris-add": {
    chat,
    key: z.int(),
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(referenceCap)),
  },
  /** An image that was pasted or dropped, as base64. The answer has its `key`. */
  "image-add": {
    chat,
    key: z.int(),
    name: z.string().check(z.maxLength(255)),
    data: z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4)),
  },
  "image-open": { id: imageId },
  /** A command that was typed after `/`. */
  "command-run": { command: z.enum(["approval", "export", "find", "history"]) },
} as const;

export type AttachmentIntent = IntentOf<PageContract<typeof attachmentIntents, never>>;

type ItemKind = "group" | "file" | "image" | "folder" | "selection" | "problems" | "class" | "method" | "variable";

/** One line of the completion. */
export interface ContextItem {
  readonly kind: ItemKind;
  readonly label: string;
  readonly detail: string;
  /** What is attached; an image is named by `uri` and read by the host, and with neither it is the selection. */
  readonly reference?: FileReference;
  readonly uri?: string;
  /** Of a group: what is after `#` once it was chosen; its items are listed then. */
  readonly narrow?: string;
}

export type AttachmentMessage =
  /** The answer to `context-find`, best first; with `more` a longer one may follow. */
  | {
      readonly type: "context-found";
      readonly query: string;
      readonly items: readonly ContextItem[];
      readonly more?: true;
    }
  /** Attaches it to the draft of that chat, shown or not. `key` as in `image-add`; `data`: an image that the page has not seen, as base64. */
  | {
      readonly type: "reference-add";
      readonly chat: string;
      readonly reference: FileReference;
      readonly key?: number;
      readonly data?: string;
    }
  /** A sentence below the composer: why something was not attached; with `isRefusal` why the prompt that was sent was not taken. */
  | { readonly type: "composer-hint"; readonly text: string; readonly key?: number; readonly isRefusal?: true }
  /** All of that `context-add` or `uris-add` was attached or refused. */
  | { readonly type: "attaching-ended"; readonly key: number };
