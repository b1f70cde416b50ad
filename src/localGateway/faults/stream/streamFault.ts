/** The interface of stream faults: they change events, their text, or the packets that are written. */
import { definedFields } from "../../../base/definedFields";
import type { Family } from "../../../domain/chat";
import type { FaultKind } from "../faultKind";

/** One event of a stream before it is framed. */
export interface StreamEvent {
  /** Only the messages family has named events. */
  readonly name?: string;
  /** Written as JSON; a string is written as it is (`[DONE]`). */
  readonly data: unknown;
}

/** What a fault may put in the place of an event: events, raw text, or the end of the stream with or without a cut connection. */
export type StreamOutput = StreamEvent | { readonly raw: string } | { readonly ending: "cut" | "close" };

/** The state of the encoder that a fault may read. */
export interface StreamInfo {
  readonly family: Family;
  /** The usage so far, in the family's shape. */
  readonly usage: () => unknown;
}

/** One fault on one stream, with its own state. A missing method changes nothing. */
export interface StreamFault {
  event?(event: StreamEvent): readonly StreamOutput[];
  text?(text: string): string;
  packets?(bytes: Buffer): readonly Buffer[];
  /** Delayed packets, when the stream ends regularly. */
  rest?(): readonly Buffer[];
  readonly contentType?: string;
  /** The connection stays open after the last byte. */
  readonly lingers?: true;
}

export interface StreamFaultKind extends FaultKind<unknown> {
  /** Missing: all families. */
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
