/** A chat as it comes back from what was stored of its events. */
import { reduceChat } from "../../src/domain/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../src/domain/transcript";
import { sessionEventSchema } from "../../src/domain/transcriptSchema";

export const writeEvent = (event: SessionEvent): string => JSON.stringify(event);

/** `lines`: of `writeEvent`. */
export function replayChat(id: string, lines: readonly string[]): Chat {
  return lines.reduce((chat, line) => reduceChat(chat, sessionEventSchema.parse(JSON.parse(line))), emptyChat(id));
}
