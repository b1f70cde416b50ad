/** The faults that may act on one request. Only tests start a gateway with faults (`test/faults`); without them a request has `noFaults`. */
import type * as z from "zod/mini";
import type { Family } from "../../domain/chat/chatEvent";

/** A kind of fault: its name, a description for people, and the schema of its value. */
export interface FaultKind<T> {
  readonly name: string;
  readonly does: string;
  readonly value: z.ZodMiniType<T>;
}

/** One event of a stream before it is framed. */
export interface StreamEvent {
  /** Only the messages family has named events. */
  readonly name?: string;
  /** Written as JSON; a string is written as it is (`[DONE]`). */
  readonly data: unknown;
}

/** The output that may replace an event: events, raw text, or the end of the stream with or without a cut connection. */
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
  /** Returns delayed packets when the stream ends regularly. */
  rest?(): readonly Buffer[];
  readonly contentType?: string;
  /** Set if the connection stays open after the last byte. */
  readonly lingers?: true;
}

/** The refusal of a prompt that is longer than the context of the model. */
export interface PromptRefusal {
  /** The size of the context. */
  readonly tokens: number;
  readonly status: number;
  readonly body?: unknown;
}

export interface RequestFaults {
  /** Takes a fault of that kind. Each fault is taken once for a request, however often it is read. */
  take<T>(kind: FaultKind<T>): { readonly value: T } | undefined;
  /** Whether the request asks for a stream and gets one JSON object instead. */
  isStreamRefused(): boolean;
  /** The refusal of a prompt with that number of tokens; `undefined` if it is accepted. */
  refusalOf(tokens: number): PromptRefusal | undefined;
  /** The faults of a stream in the order in which they act. */
  ofStream(info: StreamInfo): readonly StreamFault[];
}

export const noFaults: RequestFaults = {
  take: () => undefined,
  isStreamRefused: () => false,
  refusalOf: () => undefined,
  ofStream: () => [],
};
