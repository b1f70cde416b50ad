/** Writes an answer of Ollama's own API with the encoder of a family. */
import { asCount } from "../../../base/jsonValue";
import type { StreamEvent } from "../../http/requestFaults";
import type { AnswerEncoder, AnswerPart, TokenCounts } from "../answerEncoder";
import type { AnswerPiece } from "./ollamaAnswer";

export class PieceEncoder {
  readonly #meter = { prompt: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  readonly #encoder: AnswerEncoder;
  #calls = 0;
  #isBegun = false;

  constructor(encoder: (meter: TokenCounts) => AnswerEncoder) {
    this.#encoder = encoder(this.#meter);
  }

  write(piece: AnswerPiece): readonly StreamEvent[] {
    if (piece.error !== undefined) {
      return [{ name: "error", data: { type: "error", code: "server_error", message: piece.error, param: null } }];
    }
    const begun = this.#isBegun ? [] : this.#encoder.begin();
    this.#isBegun = true;
    return [...begun, ...this.#partsOf(piece).flatMap((part) => this.#encoder.encode(part))];
  }

  whole(piece: AnswerPiece): unknown {
    return this.#encoder.whole(this.#partsOf({ finish: "stop", ...piece }));
  }

  #partsOf({ reasoning, text, calls, finish, usage }: AnswerPiece): readonly AnswerPart[] {
    if (usage !== undefined) {
      this.#meter.prompt = asCount(usage["prompt_tokens"]) ?? 0;
      this.#meter.output = asCount(usage["completion_tokens"]) ?? 0;
    }
    return [
      ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning } as const]),
      ...(text === "" ? [] : [{ type: "text", text } as const]),
      ...calls.flatMap((call) => this.#callParts(call)),
      ...(finish === undefined ? [] : [{ type: "finish", finish: this.#finishOf(finish) } as const]),
    ];
  }

  /** Ollama has no ids of calls; those of later answers in the same chat must differ. */
  #callParts({ name, arguments: json }: AnswerPiece["calls"][number]): readonly AnswerPart[] {
    const index = this.#calls;
    this.#calls += 1;
    const id = `call_${crypto.randomUUID().replaceAll("-", "")}`;
    return [
      { type: "call", index, id, name },
      { type: "arguments", index, text: json },
      { type: "call-end", index, arguments: json },
    ];
  }

  #finishOf(finish: "stop" | "length"): "stop" | "length" | "tool-calls" {
    return this.#calls > 0 && finish === "stop" ? "tool-calls" : finish;
  }
}
