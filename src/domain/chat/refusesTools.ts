/** Whether an error of a gateway says that the model takes no tools, or that calls may not be sent without tools. */
import type { AppError } from "../errors/appError";

/** Matches only messages about tools as such: a refused schema is no reason to omit the tools. */
export function refusesTools({ kind, message }: AppError): boolean {
  if (kind !== "rejected" && kind !== "not-found") return false;
  return (
    /\b(not|n't|no)\b[^.]{0,40}\b(support|accept|allow|endpoints?)[^.]{0,40}\b(tools?|function.?call\w*)\b/i.test(
      message,
    ) ||
    /\b(tools?|function.?call\w*)\b[^.]{0,40}\b(not|un|isn't|aren't)\b ?-?(supported|available|enabled|allowed|permitted|recognized)/i.test(
      message,
    ) ||
    // These are messages of a vLLM that was started without a parser for calls, and of a llama.cpp without its templates.
    /\btool.?choice requires --|\btools? param requires\b|\bunsupported param: tools?\b|\bcannot use tools?\b/i.test(
      message,
    )
  );
}

/** Whether a history with calls is refused because the request declares no tools. Bedrock says so, and LiteLLM for Claude. */
export function refusesCallsWithoutTools({ kind, message }: AppError): boolean {
  return kind === "rejected" && /\btoolConfig\b[^.]{0,40}\bmust be defined\b|`tools=` param/i.test(message);
}
