/** Makes an image of a result part of the chat, once for all results that have it. */
import { createHash } from "node:crypto";
import type { ResultImage } from "../domain/chat/attachmentSchema";
import type { Chat, SessionEvent } from "../domain/chat/chat";
import type { ShownImage } from "../domain/tools/imagePort";

/** Characters of all images of a chat as base64: the whole chat is in memory while it is open. */
const totalCap = 64 * 1024 * 1024;

/** `undefined` where the chat would hold too much. */
export function keepImage(
  { chat, emit }: { readonly chat: () => Chat; readonly emit: (event: SessionEvent) => void },
  { name, mimeType, bytes, width, height }: ShownImage,
): ResultImage | undefined {
  const id = createHash("sha256").update(bytes).digest("hex");
  const { images = [] } = chat();
  if (!images.some((image) => image.id === id)) {
    const data = Buffer.from(bytes).toString("base64");
    if (images.reduce((sum, image) => sum + image.data.length, data.length) > totalCap) return undefined;
    emit({ type: "image-stored", image: { id, mimeType, data } });
  }
  return { id, mimeType, size: bytes.length, name, width, height };
}
