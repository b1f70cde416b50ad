/** The frame around every decoded answer: one start, numbered blocks, one error at most, so that each family only reads its own chunks. */
import type { ChatEvent } from "../../../domain/chat";
import type { GatewayError } from "../../../domain/errors";
import type { EventQueue } from "../../stream/eventQueue";

/** A stream of nothing but garbage must not become an equally long list of complaints. */
const mostMalformed = 50;
const mostRaw = 500;

export interface Answer {
  /** True after `fail`: nothing of the stream counts any more. */
  readonly failed: boolean;
  readonly started: boolean;
  /** The service was heard: only the first call says so, and it comes before everything else. */
  start(id?: string, model?: string): void;
  /** The same, once it is said who answers: the first chunk of some services says nothing, not even that. */
  startOnceNamed(id: string | undefined, model: string | undefined): void;
  text(text: string, refusal?: boolean): void;
  reasoning(text: string): void;
  /** What comes next is a new part, also when it is of the same kind. */
  endBlock(): void;
  /** The number of a part that stands alone; text after it is a new part. */
  newBlock(): number;
  /** The number of the text that is being said, or is about to be. */
  textBlock(): number;
  /** The number of the last part; `undefined` before the first. */
  readonly lastBlock: number | undefined;
  /** The number of the last part that is text. */
  readonly lastText: number | undefined;
  emit(event: ChatEvent): void;
  malformed(reason: string, raw: string): void;
  /** Only the first failure is told. */
  fail(error: GatewayError): void;
  /** Tells what is held back: it came before the failure, and stands before it. */
  beforeFailure(tell: () => void): void;
}

export function createAnswer(queue: EventQueue): Answer {
  let started = false;
  let failed = false;
  let malformed = 0;
  let blocks = 0;
  let tellHeld: (() => void) | undefined;
  let lastText: number | undefined;
  let open: { kind: "text" | "refusal" | "reasoning"; block: number } | undefined;

  const answer: Answer = {
    get failed() {
      return failed;
    },
    get started() {
      return started;
    },
    start(id, model) {
      if (started) return;
      started = true;
      queue.push({ type: "message-start", ...(id ? { id } : {}), ...(model ? { model } : {}) });
    },
    startOnceNamed(id, model) {
      if ((id ?? model) !== undefined) answer.start(id, model);
    },
    text(text, refusal = false) {
      if (text === "" || extend(refusal ? "refusal" : "text", text)) return;
      const block = openBlock(refusal ? "refusal" : "text");
      answer.emit({ type: "text-delta", block, text, ...(refusal ? { refusal: true } : {}) });
    },
    reasoning(text) {
      if (text === "" || extend("reasoning", text)) return;
      answer.emit({ type: "reasoning-delta", block: openBlock("reasoning"), text });
    },
    endBlock() {
      open = undefined;
    },
    newBlock() {
      open = undefined;
      return blocks++;
    },
    textBlock: () => openBlock("text"),
    get lastBlock() {
      return blocks === 0 ? undefined : blocks - 1;
    },
    get lastText() {
      return lastText;
    },
    emit(event) {
      answer.start();
      queue.push(event);
    },
    malformed(reason, raw) {
      malformed += 1;
      if (malformed <= mostMalformed) answer.emit({ type: "malformed", reason, raw: raw.slice(0, mostRaw) });
    },
    fail(error) {
      if (failed) return;
      failed = true;
      tellHeld?.();
      answer.emit({ type: "stream-error", error });
    },
    beforeFailure(tell) {
      tellHeld = tell;
    },
  };

  /** Nearly every delta goes on where the one before it was. */
  function extend(kind: "text" | "refusal" | "reasoning", text: string): boolean {
    return open?.kind === kind && queue.extend(open.block, text);
  }

  function openBlock(kind: "text" | "refusal" | "reasoning"): number {
    if (open?.kind !== kind) open = { kind, block: blocks++ };
    if (kind === "text") lastText = open.block;
    return open.block;
  }

  return answer;
}
