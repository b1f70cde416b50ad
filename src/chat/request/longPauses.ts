/** Finds whether the person's pauses in a chat are longer than a service caches by default, and not longer than it caches on request (A8). Pure. */
import { type Chat, isConversationMessage, opensTurn } from "../../domain/chat/chat";

/** Milliseconds. */
const keptFor = 5 * 60_000;
const longest = 60 * 60_000;
/** Only this many newest pauses count, because how a person works changes over a day. */
const looked = 3;

/** Whether most of the last pauses between turns are long. Caching for an hour costs more, so one long pause among short ones does not count. */
export function hasLongPauses({ entries }: Pick<Chat, "entries">): boolean {
  const pauses: number[] = [];
  let ended: number | undefined;
  let isNewTurn = false;
  for (const entry of entries.filter(isConversationMessage)) {
    if (entry.type === "user") {
      isNewTurn ||= opensTurn(entry);
      continue;
    }
    if (isNewTurn && ended !== undefined) pauses.push(entry.startedAt - ended);
    isNewTurn = false;
    ended = entry.endedAt ?? entry.startedAt;
  }
  const last = pauses.slice(-looked);
  const long = last.filter((pause) => pause > keptFor && pause <= longest);
  return long.length * 2 > last.length;
}
