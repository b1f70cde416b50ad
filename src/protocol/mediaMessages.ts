/** The messages about pictures that a model answered with: a page gets a chat without their data (`chatForPage.ts`), and asks for those that it draws. */
import * as z from "zod/mini";

/** A media block of an answer. */
const place = { answer: z.string(), block: z.number() };

export const mediaActions = ["save", "save-into-workspace", "insert"] as const;
export type MediaAction = (typeof mediaActions)[number];

export const mediaIntents = {
  "media-request": { ...place },
  "media-act": { ...place, action: z.enum(mediaActions) },
} as const;

/** Without a picture: of a type or size that is not shown. `data` is base64. */
export interface MediaMessage {
  readonly type: "media";
  readonly answer: string;
  readonly block: number;
  readonly picture?: { readonly mimeType: string; readonly data: string };
}
