/** What a page gets of the images of a chat: thumbnails are in the references; the bytes stay in the host. */
import type { Chat, SessionEvent } from "../domain/transcript";
import type { ProjectedMessage } from "./projector";

export function withoutImages({ images: _images, ...chat }: Chat): Chat {
  return chat;
}

/** The number of events stays the same: the page counts them. */
export function withoutImageData<Snapshot>(
  message: ProjectedMessage<Snapshot, SessionEvent>,
): ProjectedMessage<Snapshot, SessionEvent> {
  if (message.type !== "events" || !message.events.some(({ type }) => type === "image-stored")) return message;
  const events = message.events.map((event) =>
    event.type === "image-stored" ? { ...event, image: { ...event.image, data: "" } } : event,
  );
  return { ...message, events };
}
