/**
 * Collects the events of an answer for the family decoders: one start, numbered blocks, at most one error, the finish reason and the sources.
 */
import { type ChatDelta, type ChatEvent, continuesDelta, isDelta, type Finish } from "../../domain/chat/chatEvent";
import type { AppError } from "../../domain/errors/appError";
import { definedFields } from "../../base/definedFields";

/** The most `malformed` events of an answer, for a stream that holds only garbage. */
const maxMalformed = 50;
/** Characters kept of a malformed piece. */
const maxRawLength = 500;

type TextKind = "text" | "refusal" | "reasoning";

export class Answer {
  readonly #queue = new EventQueue();
  #started = false;
  #failed = false;
  #malformed = 0;
  #blocks = 0;
  #pieces = 0;
  #lastText: number | undefined;
  #openKind: TextKind | undefined;
  #openBlock = 0;
  #flushBuffered: (() => void) | undefined;

  /** Returns the events since the last call. */
  take(): readonly ChatEvent[] {
    return this.#queue.take();
  }

  /** True after `fail`: the rest of the stream is ignored. */
  get failed(): boolean {
    return this.#failed;
  }

  get started(): boolean {
    return this.#started;
  }

  /** Emits `message-start`, before every other event. Later calls do nothing. */
  start(id?: string, model?: string): void {
    if (this.#started) return;
    this.#started = true;
    this.#queue.push({ type: "message-start", ...(id ? { id } : {}), ...(model ? { model } : {}) });
  }

  /** Like `start`, but waits for an id or model: the first chunk of some services has neither. */
  startOnceNamed(id: string | undefined, model: string | undefined): void {
    if ((id ?? model) !== undefined) this.start(id, model);
  }

  text(text: string, refusal = false): void {
    const kind = refusal ? "refusal" : "text";
    if (text === "") return;
    this.#pieces += 1;
    if (this.#extend(kind, text)) return;
    const block = this.#blockOf(kind);
    this.emit({ type: "text-delta", block, text, ...(refusal ? { refusal: true } : {}) });
  }

  reasoning(text: string): void {
    if (text === "") return;
    this.#pieces += 1;
    if (this.#extend("reasoning", text)) return;
    this.emit({ type: "reasoning-delta", block: this.#blockOf("reasoning"), text });
  }

  /** Ends the open block, so that the next text opens a new one even if it is of the same kind. */
  endBlock(): void {
    this.#openKind = undefined;
  }

  /** The number of a block that is complete at once; text after it opens a new block. */
  newBlock(): number {
    this.#openKind = undefined;
    this.#pieces += 1;
    return this.#blocks++;
  }

  /** The number of the open text block; opens one when there is none. */
  textBlock(): number {
    return this.#blockOf("text");
  }

  /** The number of the last block; `undefined` before the first. */
  get lastBlock(): number | undefined {
    return this.#blocks === 0 ? undefined : this.#blocks - 1;
  }

  /** Counts a piece of a call, which may be emitted later. */
  countPiece(): void {
    this.#pieces += 1;
  }

  /** Grows with each piece of text, of thinking or of a call, and with each picture or opaque part. */
  get pieces(): number {
    return this.#pieces;
  }

  /** The number of the last text block. */
  get lastText(): number | undefined {
    return this.#lastText;
  }

  emit(event: ChatEvent): void {
    this.start();
    this.#queue.push(event);
  }

  malformed(reason: string, raw: string): void {
    this.#malformed += 1;
    if (this.#malformed <= maxMalformed) this.emit({ type: "malformed", reason, raw: raw.slice(0, maxRawLength) });
  }

  /** Emits `stream-error`; later calls do nothing. */
  fail(error: AppError): void {
    if (this.#failed) return;
    this.#failed = true;
    this.flush();
    this.emit({ type: "stream-error", error });
  }

  /** Emits what the decoder holds back. */
  flush(): void {
    this.#flushBuffered?.();
  }

  /** `flush` runs before the error event, so that buffered deltas keep their order. */
  beforeFailure(flush: () => void): void {
    this.#flushBuffered = flush;
  }

  /** Nearly every delta continues the open block: it is appended without an event object. */
  #extend(kind: TextKind, text: string): boolean {
    return this.#openKind === kind && this.#queue.extend(this.#openBlock, text);
  }

  #blockOf(kind: TextKind): number {
    if (this.#openKind !== kind) {
      this.#openKind = kind;
      this.#openBlock = this.#blocks++;
    }
    if (kind === "text") this.#lastText = this.#openBlock;
    return this.#openBlock;
  }
}

/**
 * The events between two reads of the network. Adjacent deltas become one event, so that fewer events are reduced and posted: like
 * `mergeDeltas`, but without an object and a string for each delta.
 */
class EventQueue {
  #events: ChatEvent[] = [];
  /** The last event, while it is a delta; `#text` is its text so far. */
  #last: ChatDelta | undefined;
  #text = "";

  push(event: ChatEvent): void {
    if (!isDelta(event)) {
      this.#finishDelta();
      this.#events.push(event);
    } else if (this.#last !== undefined && continuesDelta(this.#last, event)) {
      this.#text += event.text;
    } else {
      this.#finishDelta();
      this.#events.push(event);
      this.#last = event;
      this.#text = event.text;
    }
  }

  /** Appends to the text or reasoning of that block; false if another event has come since. */
  extend(block: number, text: string): boolean {
    const last = this.#last;
    if (last === undefined || last.type === "tool-call-delta" || last.block !== block) return false;
    this.#text += text;
    return true;
  }

  /** Returns all buffered events and empties the queue. */
  take(): readonly ChatEvent[] {
    this.#finishDelta();
    const taken = this.#events;
    if (taken.length > 0) this.#events = [];
    return taken;
  }

  #finishDelta(): void {
    const last = this.#last;
    if (last === undefined) return;
    if (this.#text !== last.text) this.#events[this.#events.length - 1] = { ...last, text: this.#text };
    this.#last = undefined;
  }
}

// Reads the finish reason in the forms that servers write (Q-E6).

const finishes: Readonly<Record<string, Finish>> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  eos_token: "stop",
  stop_sequence: "stop",
  complete: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  tool_calls: "tool-calls",
  tool_call: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  safety: "content-filter",
  sensitive: "content-filter",
  refusal: "refusal",
  pause_turn: "pause",
  model_context_window_exceeded: "context-window",
  context_length_exceeded: "context-window",
  function_call_filter: "error",
  error: "error",
  network_error: "error",
  insufficient_system_resource: "error",
  abort: "error",
};

/** An unlisted reason is `unknown`, and is shown raw. */
export function readFinish(reason: string): Finish {
  // `content_filter: SAFETY`: the kind, then a detail.
  const name = reason.toLowerCase().replaceAll("-", "_").replace(/:.*$/s, "").trim();
  return Object.hasOwn(finishes, name) ? (finishes[name] ?? "unknown") : "unknown";
}

/** The finish of an answer that holds no call. Some gateways name calls as the reason and send none: that is read as a normal end (Q-E6). */
export function readFinishWithoutCalls(reason: string): Finish {
  const finish = readFinish(reason);
  return finish === "tool-calls" ? "stop" : finish;
}

// Collects the sources of an answer and emits each once at its end: some servers repeat the whole list in each chunk.

interface Source {
  /** Missing for a document or a book. */
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly raw: unknown;
}

export class Sources {
  readonly #answer: Answer;
  readonly #found = new Map<string, Source>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  add(source: Source): void {
    const key = source.url ?? JSON.stringify(source.raw);
    const known = this.#found.get(key);
    if (known === undefined || (known.title === undefined && source.title !== undefined)) this.#found.set(key, source);
  }

  /** Emits the sources of the last text. */
  end(): void {
    for (const source of this.#found.values()) {
      emitCitation(this.#answer, this.#answer.lastText ?? this.#answer.newBlock(), source);
    }
    this.#found.clear();
  }
}

/** `block`: the block of the text that has this source. */
export function emitCitation(answer: Answer, block: number, { url, title, raw }: Source): void {
  answer.emit({ type: "citation", block, ...definedFields({ url, title }), raw });
}
