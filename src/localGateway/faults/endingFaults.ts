/** E of the quirk list: streams that end too early, too late, or with the wrong words. */
import { count, kind, nothing } from "./faultKind";
import { hasContent } from "./eventContent";
import { streamKind, type Piece, type StreamFault, type StreamFaultKind } from "./streamFault";

/** The pieces that take the place of what follows the nth event with content. */
export function afterContent(limit: number, instead: () => readonly Piece[]): StreamFault {
  let seen = 0;
  let over = false;
  return {
    event(event) {
      if (over) return [];
      const isContent = hasContent(event);
      // The end comes also when there was less to say.
      if (event.data !== "[DONE]" && (!isContent || seen < limit)) {
        if (isContent) seen += 1;
        return [event];
      }
      over = true;
      return instead();
    },
  };
}

export const endingFaults: readonly StreamFaultKind[] = [
  streamKind(kind("end.cut", "cuts the line of a stream after so many content chunks", count(3)), (limit) =>
    afterContent(limit, () => [{ ending: "cut" }]),
  ),
  streamKind(
    kind("end.no-done", "ends a stream without [DONE]", nothing),
    () => ({ event: (event) => (event.data === "[DONE]" ? [] : [event]) }),
    "chat-completions",
  ),
];
