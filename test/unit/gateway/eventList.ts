/** Streams in pieces, and their events with adjacent deltas joined: two ways of cutting the same bytes must look the same. */
import { decodeStream } from "../../../src/gateway/stream/decodeStream";
import { type ChatEvent, type Family, mergeDeltas } from "../../../src/domain/chat/chatEvent";

export async function* pieces(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

export function merge(events: readonly ChatEvent[]): ChatEvent[] {
  const merged: ChatEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : mergeDeltas(last, event);
    if (joined === undefined) merged.push(event);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function decode(
  bytes: Uint8Array | string,
  cuts: readonly number[] = [],
  family: Family = "chat-completions",
): Promise<ChatEvent[]> {
  const body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  return merge(await collect(decodeStream(family, pieces(body, cuts))));
}

/** The same numbers each time for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
