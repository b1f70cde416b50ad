/** Chat-completion chunks to events (C, T, E, R). A complete reply is one chunk whose `message` is the delta. */
import type { Finish } from "../../../domain/chat";
import type { GatewayError } from "../../../domain/errors";
import type { Answer } from "../shared/answer";
import { looksLikeError, readErrorValue, readMessage } from "../../http/errorBody";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../http/jsonValue";
import { createDeltaReader } from "./delta";
import { readFinish, readUsage } from "./ending";
import { readSources } from "./extras";
import type { FamilyDecoder } from "../shared/decoder";
import { createSources } from "../shared/sources";
import { createToolCallAssembly } from "../shared/toolCallAssembly";

export function createDecoder(answer: Answer): FamilyDecoder {
  const calls = createToolCallAssembly(answer);
  const delta = createDeltaReader(answer, calls);
  const sources = createSources(answer);

  let choiceIndex: number | undefined;
  let hasDelta = false;
  let finishReason: string | undefined;
  /** What a choice says of its own failure, beside the finish reason. */
  let choiceError: JsonRecord | undefined;
  let usage: JsonRecord | undefined;
  /** The whole message that some servers send beside the deltas; counts only if no delta said anything. */
  let wholeMessage: JsonRecord | undefined;
  /** Words that came in place of an answer. */
  let words: JsonRecord | undefined;
  let serviceFailed = false;

  const fail = (error: GatewayError): void => {
    serviceFailed = true;
    answer.fail(error);
  };

  const tellHeld = (): void => {
    delta.flush();
    calls.settle();
  };
  answer.beforeFailure(tellHeld);

  const readChunk = (chunk: JsonRecord, event: string | undefined): string | undefined => {
    if (!answer.started) answer.startOnceNamed(asText(chunk["id"]), asText(chunk["model"]));
    const choices = asArray(chunk["choices"]);
    const choice = findChoice(choices);
    readUsageOf(chunk, choice);
    let text = choice === undefined ? undefined : readChoice(choice);
    // One message in two choices: its text in the first, its calls in the second.
    if (choices.length > 1) {
      text = undefined;
      for (const other of choices)
        if (other !== choice && isRecord(other) && indexOf(other) === choiceIndex) readChoice(other);
    }
    readSources(chunk, asRecord(choice?.["delta"]) ?? asRecord(choice?.["message"]), sources);
    const isSuspect = choice === undefined || chunk["error"] !== undefined || chunk["object"] === "error";
    if (event === "error" || ((isSuspect || chunk["type"] !== undefined) && looksLikeError(chunk)))
      fail(readErrorValue(chunk));
    else if (choiceIndex === undefined && readMessage(chunk) !== undefined) words = chunk;
    return text;
  };

  const readChoice = (choice: JsonRecord): string | undefined => {
    const reason = asText(choice["finish_reason"]);
    if (reason !== undefined && reason !== "null") {
      finishReason = reason;
      choiceError = asRecord(choice["error"]);
    }
    const message = asRecord(choice["message"]);
    const increment = asRecord(choice["delta"]);
    if (increment !== undefined) {
      hasDelta = true;
      wholeMessage = message ?? wholeMessage;
      return delta.push(increment);
    }
    if (message !== undefined) {
      if (!hasDelta) return delta.push(message);
      wholeMessage = message;
    } else if (typeof choice["text"] === "string") return delta.push({ content: choice["text"] });
    return undefined;
  };

  /** One answer is asked for. It has index 0 or none; a server that counts otherwise is followed from its first chunk on. */
  const findChoice = (choices: readonly unknown[]): JsonRecord | undefined => {
    if (choiceIndex === undefined) {
      const indices = choices.filter(isRecord).map(indexOf);
      choiceIndex = indices.includes(0) ? 0 : indices[0];
    }
    for (const choice of choices) if (isRecord(choice) && indexOf(choice) === choiceIndex) return choice;
    return undefined;
  };

  const readUsageOf = (chunk: JsonRecord, choice: JsonRecord | undefined): void => {
    const found =
      asRecord(chunk["usage"]) ?? asRecord(choice?.["usage"]) ?? asRecord(asRecord(chunk["x_groq"])?.["usage"]);
    if (found === undefined) return;
    // A row of zeros is a place holder: it says nothing against what was said before.
    if (usage === undefined || Object.values(found).some(isCount)) usage = found;
  };

  const endCalls = (done: boolean): boolean => {
    const finish = finishReason === undefined ? undefined : readFinish(finishReason);
    const isDone = done && !calls.isOpen();
    const cut = finishReason === undefined && !isDone;
    const stopped = cut
      ? "The answer ended before the call was complete."
      : finish === "error"
        ? "The service broke off the answer."
        : undefined;
    const finished = finish === "stop" || finish === "tool-calls" || finish === "unknown";
    calls.end({ cut, stopped, finished });
    return cut;
  };

  const toFinish = (done: boolean): Finish => {
    if (calls.any) return "tool-calls";
    if (finishReason === undefined) return answer.failed && !done ? "error" : "unknown";
    const finish = readFinish(finishReason);
    return delta.refused && finish === "stop" ? "refusal" : finish;
  };

  return {
    // The body's [DONE] says so in this family.
    done: false,
    get hasReason() {
      return finishReason !== undefined;
    },
    chunk(value, event) {
      if (isRecord(value)) return readChunk(value, event);
      if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
      else answer.malformed("A chunk is not an object.", JSON.stringify(value));
      return undefined;
    },
    goOn: (text) => delta.goOn(text),
    end(ending) {
      answer.start();
      if (!delta.any && wholeMessage !== undefined) delta.push(wholeMessage);
      tellHeld();
      if (choiceIndex === undefined && words !== undefined) fail(readErrorValue(words));
      const failedReason = finishReason !== undefined && readFinish(finishReason) === "error";
      if (failedReason)
        answer.fail(
          choiceError === undefined
            ? { kind: "unavailable", message: "The service broke off the answer.", code: finishReason ?? "" }
            : readErrorValue({ error: choiceError }),
        );
      sources.end();
      const done = ending.done && !serviceFailed;
      const cut = endCalls(done);
      delta.tellOpaque();
      if (usage !== undefined) answer.emit({ type: "usage", ...readUsage(usage) });
      const raw = finishReason === undefined ? {} : { raw: finishReason };
      answer.emit({ type: "message-end", finish: toFinish(done), ...raw, cut });
    },
  };
}

function indexOf(choice: JsonRecord): number {
  return asNumber(choice["index"]) ?? 0;
}

function isCount(value: unknown): boolean {
  const number = asNumber(value);
  return number !== undefined && number > 0;
}
