/** The messages about pictures that a model answered with: a page gets a chat without their data (`pageChat.ts`), and asks for those that it draws. */
import * as z from "zod/mini";
import type { Immutable } from "../base/immutable";

/** A media block of an answer. */
const place = { answer: z.string(), block: z.number() };

export const mediaActions = ["save", "save-into-workspace", "insert"] as const;
export type MediaAction = (typeof mediaActions)[number];

export const mediaIntents = [
  z.object({ type: z.literal("media-request"), ...place }),
  z.object({ type: z.literal("media-act"), ...place, action: z.enum(mediaActions) }),
] as const;

/** Without a picture: of a type or size that is not shown. `data` is base64. */
export const mediaMessage = z.object({
  type: z.literal("media"),
  ...place,
  picture: z.exactOptional(z.object({ mimeType: z.string(), data: z.string() })),
});
export type MediaMessage = Immutable<z.infer<typeof mediaMessage>>;
