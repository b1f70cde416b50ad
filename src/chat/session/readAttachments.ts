/** Reads what is attached to the last prompt before its first request: images become part of the chat, the rest is read by the caller. */
import { definedFields } from "../../base/definedFields";
import { abortable } from "../../base/async/abort";
import type { Attachment, StoredImage } from "../../domain/chat/attachmentSchema";
import type { Chat, SessionEvent } from "../../domain/chat/chat";
import type { SessionOptions } from "./sessionOptions";

/** Does nothing when they were read before, so that a second answer gets the same. Rejects with an `AbortError` only. */
export async function readAttachments(
  chat: () => Chat,
  { attach, readImage, untrustedImage, log }: Pick<SessionOptions, "attach" | "readImage" | "untrustedImage" | "log">,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const prompt = chat().entries.findLast((entry) => entry.type === "user");
  if (prompt?.references === undefined || prompt.attachments !== undefined) return;
  const fetch = async (id: string): Promise<StoredImage | undefined> => {
    try {
      return await readImage(id);
    } catch (error) {
      log.warn("An attached image could not be read.", { message: String(error) });
      return undefined;
    }
  };
  const files = prompt.references.filter(({ image }) => image === undefined);
  const read = files.length === 0 ? [] : [...(await abortable(attach(files, signal), signal))];
  const attachments: Attachment[] = [];
  for (const { path, image } of prompt.references) {
    if (image === undefined) {
      const attachment = read.shift();
      if (attachment !== undefined) attachments.push(attachment);
    } else {
      const known = chat().images?.find(({ id }) => id === image.id);
      const stored = known ?? (await abortable(fetch(image.id), signal));
      if (stored !== undefined && stored !== known) emit({ type: "image-stored", image: stored });
      const untrusted = stored && (await abortable(untrustedImage(path, stored.id, signal), signal));
      attachments.push(attachmentOf(path, stored, untrusted));
    }
  }
  if (attachments.length > 0) emit({ type: "attachments-read", id: prompt.id, attachments });
}

/** Takes type and size of an image from its stored bytes, not from what the page reported. */
function attachmentOf(path: string, stored: StoredImage | undefined, untrusted: string | undefined): Attachment {
  if (stored === undefined) return { type: "unread", path, reason: "The image is no longer on this machine." };
  const { id, mimeType, data } = stored;
  return {
    type: "image",
    path,
    image: { id, mimeType, size: Buffer.byteLength(data, "base64") },
    ...definedFields({ untrusted }),
  };
}
