/** What can be done to a stream on its way out: to its events, to the text they become, to the packets that leave. */
import { definedFields } from "../../../base/definedFields";
import type { Family } from "../../../domain/chat";
import type { FaultKind } from "../faultKind";

/** One event of an answer, before it is text. */
export interface StreamEvent {
  /** The messages family names its events. */
  readonly name?: string;
  /** Written as JSON; a text stands as it is (`[DONE]`). */
  readonly data: unknown;
}

/** What an event may become: others, text that is none, or the end of the stream with or without a cut line. */
export type StreamOutput = StreamEvent | { readonly raw: string } | { readonly ending: "cut" | "close" };

/** What the encoder of a family can tell while it writes. */
export interface StreamInfo {
  readonly family: Family;
  /** The usage so far, as the family writes it. */
  readonly usage: () => unknown;
}

/** One fault at work on one stream; it may remember what has passed. What is missing lets everything through. */
export interface StreamFault {
  event?(event: StreamEvent): readonly StreamOutput[];
  text?(text: string): string;
  packets?(bytes: Buffer): readonly Buffer[];
  /** What was kept back, when the stream ends by itself. */
  rest?(): readonly Buffer[];
  readonly contentType?: string;
  /** The line stays open after the last byte. */
  readonly lingers?: true;
}

export interface StreamFaultKind extends FaultKind<unknown> {
  /** Missing: all three. */
  readonly family?: Family;
  open(value: unknown, teller: StreamInfo): StreamFault;
}

export function streamKind<T>(
  { name, does, value }: FaultKind<T>,
  open: (value: T, teller: StreamInfo) => StreamFault,
  family?: Family,
): StreamFaultKind {
  return {
    name,
    does,
    value,
    open: (given, teller) => open(value.parse(given), teller),
    ...definedFields({ family }),
  };
}
