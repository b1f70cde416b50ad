/** Between the built-in model and the three wires: the pieces that it speaks, and the family's part in writing them. */
import type { StreamEvent } from "../faults/stream/streamFault";

export type AnswerFinish = "stop" | "stop-sequence" | "tool-calls" | "length";

/** The answer as it is spoken, a token a piece, in order: reasoning, text, calls one after the other, one finish. */
export type AnswerPart =
  | { readonly type: "reasoning"; readonly text: string }
  /** Thoughts that are not to be read, whole. */
  | { readonly type: "hidden-reasoning"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "arguments"; readonly index: number; readonly text: string }
  /** Left out for a call that the limit of tokens cut. `arguments`: the whole JSON text. */
  | { readonly type: "call-end"; readonly index: number; readonly arguments: string }
  | { readonly type: "finish"; readonly finish: AnswerFinish; readonly stopSequence?: string };

/** Tokens, counted while they are spoken. */
export interface TokenCounts {
  readonly prompt: number;
  /** Of the prompt: found in the cache of prompts, or put there. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Reasoning is part of it. */
  readonly output: number;
  readonly reasoning: number;
}

/** How a family writes an answer. One for each answer: it remembers what is open. */
export interface AnswerEncoder {
  /** What comes with the first piece. */
  begin(): readonly StreamEvent[];
  encode(piece: AnswerPart): readonly StreamEvent[];
  /** The answer in one object, when it is not streamed. */
  whole(pieces: readonly AnswerPart[]): unknown;
  /** So far. */
  usage(): unknown;
}

/** A call as an encoder remembers it. */
export interface EncodedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What was said in all; calls that were cut are left out. */
export interface WholeAnswer {
  readonly reasoning: string;
  readonly hidden: string;
  readonly text: string;
  readonly calls: readonly EncodedCall[];
  readonly finish: AnswerFinish;
  readonly stopSequence: string | undefined;
}

export function joinParts(pieces: readonly AnswerPart[]): WholeAnswer {
  const joined = (wanted: AnswerPart["type"]): string =>
    pieces.map((piece) => (piece.type === wanted && "text" in piece ? piece.text : "")).join("");
  const ends = new Map(pieces.flatMap((piece) => (piece.type === "call-end" ? [[piece.index, piece.arguments]] : [])));
  const calls = pieces.flatMap((piece) => {
    const text = piece.type === "call" ? ends.get(piece.index) : undefined;
    return piece.type !== "call" || text === undefined ? [] : [{ id: piece.id, name: piece.name, arguments: text }];
  });
  const last = pieces.at(-1);
  return {
    reasoning: joined("reasoning"),
    hidden: joined("hidden-reasoning"),
    text: joined("text"),
    calls,
    finish: last?.type === "finish" ? last.finish : "length",
    stopSequence: last?.type === "finish" ? last.stopSequence : undefined,
  };
}
