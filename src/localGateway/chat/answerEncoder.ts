/** The parts of an answer, and the encoder interface that each family implements. */
import { asRecord, asText, parseJson } from "../../base/jsonValue";
import type { StreamEvent } from "../http/requestFaults";

export type AnswerFinish = "stop" | "stop-sequence" | "tool-calls" | "length";

/** The parts of a streamed answer, in this order: reasoning, text, tool calls one after the other, one finish. A part is one token. */
export type AnswerPart =
  | { readonly type: "reasoning"; readonly text: string }
  /** Encrypted reasoning, which is a single part. */
  | { readonly type: "hidden-reasoning"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "picture"; readonly mimeType: string; readonly data: string }
  | { readonly type: "call"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "arguments"; readonly index: number; readonly text: string }
  /** This part is missing for a call that the token limit cut. `arguments`: the complete JSON text. */
  | { readonly type: "call-end"; readonly index: number; readonly arguments: string }
  | { readonly type: "finish"; readonly finish: AnswerFinish; readonly stopSequence?: string };

/** Tokens, counted while the answer is streamed. */
export interface StreamedTokens {
  readonly prompt: number;
  /** Tokens of the prompt that were read from the prompt cache, and written to it. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Includes reasoning. */
  readonly output: number;
  readonly reasoning: number;
  /** The fields of the usage that state the cost of the answer so far; missing if none is stated. */
  readonly stated?: () => Readonly<Record<string, unknown>>;
}

/** Encodes one answer in the shape of a family. It has the state of open blocks. */
export interface AnswerEncoder {
  /** Events before the first part. */
  begin(): readonly StreamEvent[];
  encode(piece: AnswerPart): readonly StreamEvent[];
  /** The body of a response that is not streamed. */
  whole(pieces: readonly AnswerPart[]): unknown;
  /** The usage so far, in the family's shape. */
  usage(): unknown;
}

/** A complete tool call. */
export interface EncodedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The joined parts of an answer; cut calls are omitted. */
export interface WholeAnswer {
  readonly reasoning: string;
  readonly hidden: string;
  readonly text: string;
  readonly pictures: readonly Extract<AnswerPart, { type: "picture" }>[];
  readonly calls: readonly EncodedCall[];
  readonly finish: AnswerFinish;
  readonly stopSequence: string | undefined;
}

export function wholeAnswerOf(pieces: readonly AnswerPart[]): WholeAnswer {
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
    pictures: pieces.filter((piece) => piece.type === "picture"),
    calls,
    finish: last?.type === "finish" ? last.finish : "length",
    stopSequence: last?.type === "finish" ? last.stopSequence : undefined,
  };
}

/** The input of a custom tool, which the model writes as the only argument of a call. A text that is no such object is returned unchanged. */
export function inputOf(json: string): string {
  return asText(asRecord(parseJson(json))?.["input"]) ?? json;
}
