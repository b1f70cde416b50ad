/** The events of a chat that another machine has exported: its person chose them, not ours, so none of them may send or read anything here. */
import { randomUUID } from "node:crypto";
import { TimeSlices } from "../../base/async/timeSlices";
import { definedFields } from "../../base/definedFields";
import type { SessionEvent } from "../../domain/chat/chat";

/** In time slices: a chat may have many events. */
export async function eventsToImport(
  events: readonly SessionEvent[],
  slices = new TimeSlices(),
): Promise<readonly SessionEvent[]> {
  const ids = new Map<string, string>();
  const calls = new Set<string>();
  const own: SessionEvent[] = [];
  for (const event of events) {
    if (slices.isSpent) await slices.next();
    if (isLeftOut(event)) continue;
    const kept = withOwnId(withoutPlace(event), ids);
    if (isFirst(kept, calls)) own.push(kept);
  }
  const read = promptsThatWereRead(own);
  return own.map((event) => (read.has(event) ? event : withoutReferences(event)));
}

/**
 * A summary would be sent in place of what its person reads, what waited would be sent with the next prompt, what a gateway signed for its own account
 * is of no use to another one, instructions of others would guide the model here, and a model of theirs may be dear.
 */
function isLeftOut(event: SessionEvent): boolean {
  if (event.type === "answer-event") return event.event.type === "opaque";
  return /^(?:prompt-(?:(?:un)?queued|rescheduled)|summary-|environment-|instructions-|model-set|effort-set)/.test(
    event.type,
  );
}

/** Without what is of the other machine: the editor beside a prompt, the instructions beside a result, and the files that a rewind restored there. */
function withoutPlace(event: SessionEvent): SessionEvent {
  if (event.type === "prompt-added") {
    const { context: _context, ...prompt } = event;
    return prompt;
  }
  if (event.type === "entries-replaced") return { type: event.type, from: event.from };
  if (event.type !== "tool-progress" || event.progress.state !== "done") return event;
  const { instructions: _instructions, ...progress } = event.progress;
  return { ...event, progress };
}

/** The prompts whose attachments are in the file: references of others would be read here, from this workspace, when the turn goes on. */
function promptsThatWereRead(events: readonly SessionEvent[]): ReadonlySet<SessionEvent> {
  const read = new Set<SessionEvent>();
  let last: SessionEvent | undefined;
  for (const event of events) {
    if (event.type === "prompt-added") last = event;
    // From here on the prompt may belong to the other branch, which gets no attachments.
    else if (event.type === "entries-replaced" || event.type === "branch-switched") last = undefined;
    else if (event.type === "attachments-read" && last && "id" in last && last.id === event.id) read.add(last);
  }
  return read;
}

/** One row for each call of an answer. */
function isFirst(event: SessionEvent, calls: Set<string>): boolean {
  if (event.type !== "answer-event" || event.event.type !== "tool-call-start") return true;
  const call = JSON.stringify([event.id, event.event.call]);
  const known = calls.has(call);
  calls.add(call);
  return !known;
}

function withoutReferences(event: SessionEvent): SessionEvent {
  if (event.type !== "prompt-added") return event;
  const { references: _unread, ...prompt } = event;
  return prompt;
}

/** The page has one row for each id, so an entry whose id an earlier one has gets another. Later events concern the newest entry of an id, as in `reduceChat`. */
function withOwnId(event: SessionEvent, ids: Map<string, string>): SessionEvent {
  const known = (id: string): string => ids.get(id) ?? id;
  if (event.type === "entries-replaced") return { ...event, from: known(event.from) };
  if (!("id" in event)) return event;
  const { id } = event;
  const isEntry = event.type === "prompt-added" || event.type === "task-added" || event.type === "answer-started";
  const replaced = event.type === "prompt-added" && event.replaces !== undefined ? known(event.replaces) : undefined;
  if (isEntry) ids.set(id, ids.has(id) ? randomUUID() : id);
  const own = { ...event, id: known(id) };
  return own.type === "prompt-added" ? { ...own, ...definedFields({ replaces: replaced }) } : own;
}
