/** Reads what is attached to the prompts of a request before it is sent: images become part of the chat, the rest is read by the caller. */
import { definedFields } from "../../base/definedFields";
import { abortable } from "../../base/async/abort";
import type { Attachment, FileReference, StoredImage } from "../../domain/chat/attachmentSchema";
import type { Chat, SessionEvent } from "../../domain/chat/chat";
import { sentEntries } from "../request/sentEntries";
import type { SessionOptions } from "./sessionOptions";

type Sources = Pick<SessionOptions, "attach" | "readImage" | "untrustedImage" | "log">;

/**
 * Skips what was read before, so that a second answer gets the same, and reads also for earlier prompts that were stopped before theirs were read:
 * their text is sent again in each request. Rejects with an `AbortError` only.
 */
export async function readAttachments(
  chat: () => Chat,
  sources: Sources,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const entry of sentEntries(chat()).entries) {
    if (entry.type !== "user" || entry.references === undefined || entry.attachments !== undefined) continue;
    const attachments = await readReferences(entry.references, chat, sources, emit, signal);
    if (attachments.length > 0) emit({ type: "attachments-read", id: entry.id, attachments });
  }
}

async function readReferences(
  references: readonly FileReference[],
  chat: () => Chat,
  { attach, readImage, untrustedImage, log }: Sources,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const fetch = async (id: string): Promise<StoredImage | undefined> => {
    try {
      return await readImage(id);
    } catch (error) {
      log.warn("An attached image could not be read.", { message: String(error) });
      return undefined;
    }
  };
  const files = references.filter(({ image }) => image === undefined);
  const read = files.length === 0 ? [] : [...(await abortable(attach(files, signal), signal))];
  const attachments: Attachment[] = [];
  for (const { path, image } of references) {
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
  return attachments;
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
