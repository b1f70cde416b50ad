/** Joins adjacent session events, for the projector and for the file of a chat. Reducing the joined event gives the same chat. */
import { joinOutput } from "./cappedText";
import { mergeDeltas } from "./chatEvent";
import type { SessionEvent } from "./chat";

/** Adjacent deltas of a block, chunks of output and reports of a call become one event; `undefined` for any other two. */
export function mergeSessionEvents(last: SessionEvent, next: SessionEvent): SessionEvent | undefined {
  if (last.type === "answer-event" && next.type === "answer-event" && last.id === next.id) {
    const event = mergeDeltas(last.event, next.event);
    return event && { ...last, event };
  }
  if (last.type === "tool-output" && next.type === "tool-output" && last.id === next.id && last.call === next.call) {
    return { ...last, output: joinOutput(last.output, next.output) };
  }
  if (last.type === "tool-activity" && next.type === "tool-activity" && last.id === next.id) {
    return last.call === next.call ? next : undefined;
  }
  return undefined;
}
