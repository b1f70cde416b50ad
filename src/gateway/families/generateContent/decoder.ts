/** Chunks of the generate-content family to events. A complete reply is one chunk. */
import { definedFields } from "../../../base/definedFields";
import type { Finish } from "../../../domain/chat";
import type { Answer } from "../shared/answer";
import { looksLikeError, readErrorValue } from "../../http/errorBody";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../http/jsonValue";
import { createCallList } from "../shared/callList";
import type { FamilyDecoder } from "../shared/decoder";
import { readFinish, readGroundingSources, readUsage } from "./ending";
import { createPartReader } from "./parts";
import { createSources } from "../shared/sources";

export function createDecoder(answer: Answer): FamilyDecoder {
  const calls = createCallList(answer);
  const parts = createPartReader(answer, calls);
  const sources = createSources(answer);
  let candidateIndex: number | undefined;
  let finishReason: string | undefined;
  let finishMessage: string | undefined;
  let continuationToken: string | undefined;
  let blockReason: string | undefined;
  let usage: JsonRecord | undefined;

  const readChunk = (chunk: JsonRecord, event: string | undefined): string | undefined => {
    const candidates = chunk["candidates"];
    if (event === "error" || (Array.isArray(candidates) ? isRecord(chunk["error"]) : looksLikeError(chunk))) {
      answer.fail(readErrorValue(chunk));
      return undefined;
    }
    if (!answer.started) answer.startOnceNamed(asText(chunk["responseId"]), asText(chunk["modelVersion"]));
    const found = asRecord(chunk["usageMetadata"]);
    // A row of zeros is a place holder: it says nothing against what was said before.
    if (found !== undefined && (usage === undefined || isCounted(found))) usage = found;
    const feedback = asRecord(chunk["promptFeedback"]);
    if (feedback !== undefined) blockReason = asText(feedback["blockReason"]) ?? blockReason;
    const candidate = readCandidate(asArray(candidates));
    return candidate === undefined ? undefined : readAnswer(candidate);
  };

  /** One answer is asked for. It has index 0 or none; a server that counts otherwise is followed from its first chunk on. */
  const readCandidate = (candidates: readonly unknown[]): JsonRecord | undefined => {
    for (const candidate of candidates) {
      if (!isRecord(candidate)) continue;
      const index = asNumber(candidate["index"]) ?? 0;
      candidateIndex ??= candidates.length === 1 ? index : 0;
      if (index === candidateIndex) return candidate;
    }
    return undefined;
  };

  const readAnswer = (candidate: JsonRecord): string | undefined => {
    const content = asRecord(candidate["content"]);
    const given = asArray(content?.["parts"]);
    let text: string | undefined;
    for (const part of given) if (isRecord(part)) text = parts.push(part);
    if (candidate["groundingMetadata"] !== undefined || candidate["citationMetadata"] !== undefined) {
      readGroundingSources(candidate, sources);
    }
    // Older servers say STOP in every chunk: it is no reason to stop reading.
    const reason = asText(candidate["finishReason"]);
    if (reason !== undefined) {
      finishReason = reason;
      continuationToken = asText(candidate["continuationToken"]);
    }
    finishMessage = asText(candidate["finishMessage"]) ?? finishMessage;
    return given.length === 1 ? text : undefined;
  };

  const toFinish = (): Finish => {
    if (calls.any) return "tool-calls";
    if (finishReason !== undefined) return readFinish(finishReason);
    if (blockReason !== undefined) return "content-filter";
    return answer.failed ? "error" : "unknown";
  };

  return {
    // Nothing in this family says that it is the end, except the end.
    done: false,
    get hasReason() {
      return finishReason !== undefined || blockReason !== undefined;
    },
    chunk(value, event) {
      if (isRecord(value)) return readChunk("candidates" in value ? value : unwrap(value), event);
      if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
      else answer.malformed("A chunk is not an object.", JSON.stringify(value));
      return undefined;
    },
    goOn: (text) => parts.goOn(text),
    end({ done, array }) {
      answer.start();
      const wasOpen = parts.end();
      // The bracket that closes an array is the server's framing: it comes behind half an answer as well.
      const isDone = done && !array && !answer.failed && !wasOpen;
      const reason = finishReason ?? blockReason;
      const cut = reason === undefined && !isDone;
      const broken = finishReason !== undefined && readFinish(finishReason) === "error";
      if (broken) {
        const message = finishMessage ?? "The model called a function in a way that can't be read.";
        // The model's own mistake, which is paid: the person decides whether it is asked again.
        answer.fail({ kind: "malformed", message, code: finishReason ?? "" });
      }
      if (continuationToken !== undefined && toFinish() === "pause") parts.token(continuationToken);
      sources.end();
      // Arguments that were still being streamed are closed by the end of an answer, but not by the end of its budget.
      const half = wasOpen && finishReason !== undefined && readFinish(finishReason) !== "stop";
      const unread = broken ? "The service could not read the call." : undefined;
      calls.end({ stopped: cut || half ? "The answer ended before the call was complete." : unread, finished: true });
      if (usage !== undefined) answer.emit({ type: "usage", ...readUsage(usage) });
      answer.emit({ type: "message-end", finish: toFinish(), ...definedFields({ raw: reason }), cut });
    },
  };
}

/** Some gateways put the chunk into an envelope: `{"response": {…}, "traceId": …}`. */
function unwrap(value: JsonRecord): JsonRecord {
  const inner = value["response"];
  return isRecord(inner) && !looksLikeError(value) ? inner : value;
}

function isCounted(usage: JsonRecord): boolean {
  for (const name in usage) {
    const number = asNumber(usage[name]);
    if (number !== undefined && number > 0) return true;
  }
  return false;
}
