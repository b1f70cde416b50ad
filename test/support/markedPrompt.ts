/** Reads from a request body what it has for a prompt cache: the prompt block by block, and the blocks that are marked. */
import { asRecord } from "../../src/base/jsonValue";

export interface MarkedPrompt {
  /** Tools, system prompt and messages as JSON, each block of its own, without its mark. */
  readonly pieces: readonly string[];
  /** The indices of those with a mark. */
  readonly marked: readonly number[];
}

/** A text alone is one block, as relays read it. */
export function markedPrompt(body: Readonly<Record<string, unknown>>): MarkedPrompt {
  const listed = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : [typeof value === "string" ? { type: "text", text: value } : value];
  const blocks = [
    ...listed(body["tools"] ?? []),
    ...listed(body["system"] ?? []),
    ...listed(body["messages"]).flatMap((message) => listed(asRecord(message)?.["content"])),
  ];
  const marked = [...blocks.keys()].filter((at) => asRecord(blocks[at])?.["cache_control"] !== undefined);
  const pieces = blocks.map((block) => JSON.stringify(block).replace(/,"cache_control":\{"type":"ephemeral"\}/, ""));
  return { pieces, marked };
}
