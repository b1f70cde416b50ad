/** Decodes chat-completion chunks to events (Q-C, Q-T, Q-E and Q-R rows). A complete response is one chunk whose `message` is the delta. */
import type { Finish, Usage } from "../../domain/chat/chatEvent";
import type { AppError } from "../../domain/errors/appError";
import { readErrorMessage, isErrorChunk, readErrorChunk } from "../http/serviceError";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, asCount } from "../../base/jsonValue";
import { type Answer, Sources, readFinish, readFinishWithoutCalls } from "./answer";
import type { FamilyDecoder, StreamEnding } from "./familyDefinition";
import { ToolCallAssembly } from "./toolCallAssembly";
import { DeltaReader, readSources } from "./chatCompletionsDelta";
import { definedFields } from "../../base/definedFields";

export class ChatCompletionsDecoder implements FamilyDecoder {
  /** Always false: in this family only the body's `[DONE]` ends a stream. */
  readonly done = false;
  readonly #answer: Answer;
  readonly #calls: ToolCallAssembly;
  readonly #delta: DeltaReader;
  readonly #sources: Sources;
  #choiceIndex: number | undefined;
  #hasDelta = false;
  #finishReason: string | undefined;
  /** The error object of a choice, in addition to its finish reason. */
  #choiceError: JsonRecord | undefined;
  #usage: JsonRecord | undefined;
  /** The whole message that some servers send in addition to the deltas; used only if no delta held anything. */
  #wholeMessage: JsonRecord | undefined;
  /** A chunk that has an error message in place of an answer. */
  #messageChunk: JsonRecord | undefined;
  #serviceFailed = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#calls = new ToolCallAssembly(answer);
    this.#delta = new DeltaReader(answer, this.#calls);
    this.#sources = new Sources(answer);
    answer.beforeFailure(() => this.#flush());
  }

  get hasReason(): boolean {
    return this.#finishReason !== undefined;
  }

  get hasOpenCall(): boolean {
    return this.#calls.isOpen();
  }

  chunk(value: unknown, event?: string): void {
    if (isRecord(value)) this.#readChunk(value, event);
    else if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
    else this.#answer.malformed("A chunk is not an object.", JSON.stringify(value));
  }

  end(ending: StreamEnding): void {
    this.#answer.start();
    if (!this.#delta.any && this.#wholeMessage !== undefined) this.#delta.push(this.#wholeMessage);
    this.#flush();
    this.#delta.endParts();
    if (this.#choiceIndex === undefined && this.#messageChunk !== undefined) {
      this.#fail(readErrorChunk(this.#messageChunk));
    }
    this.#readFailedReason();
    this.#sources.end();
    const done = ending.done && !this.#serviceFailed;
    const cut = this.#endCalls(done);
    this.#delta.emitOpaque();
    if (this.#usage !== undefined) this.#answer.emit({ type: "usage", ...readUsage(this.#usage) });
    const raw = this.#finishReason === undefined ? {} : { raw: this.#finishReason };
    this.#answer.emit({ type: "message-end", finish: this.#finish(done), ...raw, cut });
  }

  #readChunk(chunk: JsonRecord, event: string | undefined): void {
    if (!this.#answer.started) this.#answer.startOnceNamed(asText(chunk["id"]), asText(chunk["model"]));
    const choices = asArray(chunk["choices"]);
    const choice = this.#findChoice(choices);
    this.#readUsage(chunk, choice);
    if (choice !== undefined) this.#readChoice(choice);
    // Some servers split one message into two choices: its text in the first, its calls in the second.
    if (choices.length > 1) {
      for (const other of choices) {
        if (other !== choice && isRecord(other) && indexOf(other) === this.#choiceIndex) this.#readChoice(other);
      }
    }
    readSources(chunk, asRecord(choice?.["delta"]) ?? asRecord(choice?.["message"]), this.#sources);
    const isSuspect = choice === undefined || chunk["error"] !== undefined || chunk["object"] === "error";
    if (event === "error" || ((isSuspect || chunk["type"] !== undefined) && isErrorChunk(chunk))) {
      this.#fail(readErrorChunk(chunk));
    } else if (this.#choiceIndex === undefined && readErrorMessage(chunk) !== undefined) this.#messageChunk = chunk;
  }

  #readChoice(choice: JsonRecord): void {
    const reason = asText(choice["finish_reason"]);
    if (reason !== undefined && reason !== "null") {
      this.#finishReason = reason;
      this.#choiceError = asRecord(choice["error"]);
    }
    const message = asRecord(choice["message"]);
    const delta = asRecord(choice["delta"]);
    if (delta !== undefined) {
      this.#hasDelta = true;
      if (message !== undefined) this.#wholeMessage = message;
      this.#delta.push(delta);
    } else if (message !== undefined) {
      if (this.#hasDelta) this.#wholeMessage = message;
      else this.#delta.push(message);
    } else if (typeof choice["text"] === "string") this.#delta.push({ content: choice["text"] });
  }

  /** Finds the one requested choice. It has index 0 or none; for a server that counts otherwise, the index in its first chunk. */
  #findChoice(choices: readonly unknown[]): JsonRecord | undefined {
    if (this.#choiceIndex === undefined) {
      const indices = choices.filter(isRecord).map(indexOf);
      this.#choiceIndex = indices.includes(0) ? 0 : indices[0];
    }
    for (const choice of choices) if (isRecord(choice) && indexOf(choice) === this.#choiceIndex) return choice;
    return undefined;
  }

  #readUsage(chunk: JsonRecord, choice: JsonRecord | undefined): void {
    const found =
      asRecord(chunk["usage"]) ?? asRecord(choice?.["usage"]) ?? asRecord(asRecord(chunk["x_groq"])?.["usage"]);
    if (found === undefined) return;
    // Usage with only zeros is a placeholder and does not replace an earlier one.
    if (this.#usage === undefined || Object.values(found).some(isPositive)) this.#usage = found;
  }

  #readFailedReason(): void {
    if (this.#finishReason === undefined || readFinish(this.#finishReason) !== "error") return;
    this.#answer.fail(
      this.#choiceError === undefined
        ? { kind: "unavailable", message: "The service broke off the answer.", code: this.#finishReason }
        : readErrorChunk({ error: this.#choiceError }),
    );
  }

  /** Returns whether the answer was cut. */
  #endCalls(done: boolean): boolean {
    const finish = this.#finishReason === undefined ? undefined : readFinish(this.#finishReason);
    const cut = finish === undefined && !(done && !this.#calls.isOpen());
    const stopped = cut
      ? "The answer ended before the call was complete."
      : finish === "error"
        ? "The service broke off the answer."
        : undefined;
    this.#calls.end({
      stopped,
      finished: finish === "stop" || finish === "tool-calls" || finish === "unknown",
      limited: finish === "length",
    });
    return cut;
  }

  #finish(done: boolean): Finish {
    if (this.#calls.any) return "tool-calls";
    if (this.#finishReason === undefined) return this.#answer.failed && !done ? "error" : "unknown";
    const finish = readFinishWithoutCalls(this.#finishReason);
    return this.#delta.refused && finish === "stop" ? "refusal" : finish;
  }

  #fail(error: AppError): void {
    this.#serviceFailed = true;
    this.#answer.fail(error);
  }

  #flush(): void {
    this.#delta.flush();
    this.#calls.startNamed();
  }
}

function indexOf(choice: JsonRecord): number {
  return asNumber(choice["index"]) ?? 0;
}

function isPositive(value: unknown): boolean {
  const number = asNumber(value);
  return number !== undefined && number > 0;
}

/** Tokens. `output` includes the thinking even if a server counts it separately, which the total reveals. */
function readUsage(raw: JsonRecord): Usage {
  const input = asCount(raw["prompt_tokens"]) ?? asCount(raw["input_tokens"]);
  const completion = asCount(raw["completion_tokens"]) ?? asCount(raw["output_tokens"]);
  const total = asCount(raw["total_tokens"]);
  const inputDetails = asRecord(raw["prompt_tokens_details"]) ?? asRecord(raw["input_tokens_details"]);
  const outputDetails = asRecord(raw["completion_tokens_details"]) ?? asRecord(raw["output_tokens_details"]);
  const beyond = total !== undefined && input !== undefined && total > input + (completion ?? 0);
  const output = beyond ? total - input : completion;
  const reasoning = asCount(outputDetails?.["reasoning_tokens"]) ?? asCount(raw["reasoning_tokens"]);
  const cacheRead =
    asCount(inputDetails?.["cached_tokens"]) ??
    asCount(raw["prompt_cache_hit_tokens"]) ??
    asCount(raw["cached_tokens"]);
  const cacheWrite = asCount(inputDetails?.["cache_write_tokens"]);
  return {
    ...definedFields({ input, output, reasoning, cacheRead, cacheWrite }),
    raw,
  };
}
