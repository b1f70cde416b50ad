/** How much of the model's context the results of one answer's calls may take: each a quarter of what the ones before have left (A6). */
import { firstBytes, lastBytes } from "../../base/text/cutText";
import { definedFields } from "../../base/definedFields";
import { bytesPerToken } from "../../domain/chat/tokenCount";

const resultShare = 0.25;
/** Bytes that every result may have: with less of it a model can't go on. */
export const leastResult = 2000;
/** Bytes of all results together, whatever the context holds. */
const most = 4 * 1024 * 1024;
/** Bytes for the note in the middle of a cut result. */
const noteSize = 200;

/** Keeps a result that is cut, for `read_result`, and returns its id. */
export type KeepResult = (result: {
  readonly tool: string;
  readonly text: string;
  readonly untrusted?: string;
}) => string;

export interface FittedResult {
  readonly result: string;
  /** Characters of the whole one, where it was cut. */
  readonly cutFrom?: number;
}

export class ResultRoom {
  readonly #keep: KeepResult;
  #left: number;

  /** `tokens`: what is left of the context. */
  constructor(tokens: number, keep: KeepResult) {
    this.#left = Math.min(most, Math.max(0, tokens) * bytesPerToken);
    this.#keep = keep;
  }

  /** Bytes for the result of a call that starts: calls run at the same time, so each gets its share before it runs. */
  reserve(): number {
    const room = Math.max(leastResult, Math.floor(this.#left * resultShare));
    this.#left = Math.max(0, this.#left - room);
    return room;
  }

  /** Cuts the result to what was reserved, and gives back what it does not take. */
  fit(tool: string, text: string, room: number, untrusted: string | undefined): FittedResult {
    const size = Buffer.byteLength(text);
    this.#left += Math.max(0, room - size);
    return size <= room
      ? { result: text }
      : cutResult({ tool, text, ...definedFields({ untrusted }) }, room, this.#keep);
  }
}

/** The beginning and the end of a result within so many bytes, with a note between them that says how the rest is read. */
export function cutResult(result: Parameters<KeepResult>[0], room: number, keep: KeepResult): FittedResult {
  const { text } = result;
  const half = Math.max(0, Math.floor((room - noteSize) / 2));
  const [head, tail] = [untilLineEnd(firstBytes(text, half)), lastBytes(text, half)];
  const omitted = text.length - head.length - tail.length;
  const rest = `read_result with id "${keep(result)}" and skip ${head.length} gives them`;
  const note = `(${omitted} characters left out here, to fit into your context; ${rest})`;
  return { result: `${head}\n${note}\n${tail}`, cutFrom: text.length };
}

/** Up to its last line end, unless that would drop more than a fifth of it. */
function untilLineEnd(text: string): string {
  const end = text.lastIndexOf("\n");
  return end < text.length * 0.8 ? text : text.slice(0, end);
}
