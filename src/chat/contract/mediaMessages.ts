/** The messages about pictures in answers: a page gets a chat without their data (`chatForPage.ts`), and asks for those that it draws. */
import * as z from "zod/mini";
import { imageSizeCap } from "../../domain/chat/imageTypes";

/** A media block of an answer, or an image in the result of a call, by its id. */
const place = { answer: z.string(), block: z.number(), image: z.exactOptional(z.string().check(z.maxLength(64))) };

export interface PicturePlace {
  readonly answer: string;
  readonly block: number;
  readonly image?: string;
}

export const mediaActions = ["save", "save-into-workspace", "insert"] as const;
export type MediaAction = (typeof mediaActions)[number];

export const mediaIntents = {
  "media-request": { ...place },
  "media-act": { ...place, action: z.enum(mediaActions) },
  /** The answer to `image-scale`, as base64; without data where the image can't be decoded. */
  "image-scaled": {
    key: z.int(),
    data: z.exactOptional(z.string().check(z.maxLength(Math.ceil(imageSizeCap / 3) * 4))),
  },
} as const;

/** Without a picture: of a type or size that is not shown. `data` is base64. */
export interface MediaMessage extends PicturePlace {
  readonly type: "media";
  readonly picture?: { readonly mimeType: string; readonly data: string };
}
