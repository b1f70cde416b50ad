/** Makes a chat from the stored lines of its events. */
import { reduceChat } from "../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../src/domain/chat/chat";
import { sessionEventSchema } from "../../src/domain/chat/chatSchema";

export const writeEvent = (event: SessionEvent): string => JSON.stringify(event);

/** `lines`: those of `writeEvent`. */
export function replayChat(id: string, lines: readonly string[]): Chat {
  return lines.reduce((chat, line) => reduceChat(chat, sessionEventSchema.parse(JSON.parse(line))), emptyChat(id));
}
