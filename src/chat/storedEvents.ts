/** Session events as lines of text, one JSON value each: how a chat is stored and replayed. */
import { reduceChat } from "../domain/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../domain/transcript";
import { sessionEventSchema } from "../domain/transcriptSchema";

/** Without the line end. */
export function writeEvent(event: SessionEvent): string {
  return JSON.stringify(event);
}

/** The chat that the lines lead to, and how many of them this version could not read. */
export function replayChat(id: string, lines: Iterable<string>): { readonly chat: Chat; readonly unreadable: number } {
  let chat = emptyChat(id);
  let unreadable = 0;
  for (const line of lines) {
    const event = readEvent(line);
    if (event === undefined) unreadable += 1;
    else chat = reduceChat(chat, event);
  }
  return { chat, unreadable };
}

function readEvent(line: string): SessionEvent | undefined {
  try {
    return sessionEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
