/** The batches that the threads of one search for text share: one walks and deals the files in batches, in order, the others read. */
import { on } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { BatchReaders, FileBatch, LineSearch } from "./findLines";

/** Batches that a reader has at once: that which it reads, and the next. */
const maxDealt = 2;

/** The end of the thread that walks. */
export interface DealingEnd {
  readonly ports: readonly MessagePort[];
  readonly state: DealtState;
}

/** The end of a thread that reads. */
export interface ReadingEnd {
  readonly port: MessagePort;
  readonly index: number;
  readonly state: DealtState;
}

/** Shared memory: whether a reader is full, then the number of batches of each reader. */
type DealtState = Int32Array<SharedArrayBuffer>;

/** The message after the last batch. */
const end = "end";

export function createEnds(readers: number): { readonly dealing: DealingEnd; readonly reading: readonly ReadingEnd[] } {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + readers)));
  const channels = Array.from({ length: readers }, () => new MessageChannel());
  return {
    dealing: { ports: channels.map(({ port1 }) => port1), state },
    reading: channels.map(({ port2 }, index) => ({ port: port2, index, state })),
  };
}

export class DealtBatches implements BatchReaders {
  readonly #ports: readonly MessagePort[];
  readonly #state: DealtState;

  constructor({ ports, state }: DealingEnd) {
    this.#ports = ports;
    this.#state = state;
  }

  get isFull(): boolean {
    return Atomics.load(this.#state, 0) !== 0;
  }

  take(batch: FileBatch): boolean {
    const counts = this.#ports.map((_, index) => Atomics.load(this.#state, 1 + index));
    const least = Math.min(...counts);
    if (least >= maxDealt) return false;
    const index = counts.indexOf(least);
    Atomics.add(this.#state, 1 + index, 1);
    this.#ports[index]?.postMessage(batch);
    return true;
  }

  end(): void {
    for (const port of this.#ports) port.postMessage(end);
  }
}

/** Reads what is dealt to this thread until the end. */
export async function searchBatches({ port, index, state }: ReadingEnd, search: LineSearch): Promise<void> {
  const messages: AsyncIterable<readonly (FileBatch | typeof end)[]> = on(port, "message");
  for await (const [batch] of messages) {
    if (batch === undefined || batch === end) break;
    await search.add(batch);
    if (search.isFull) Atomics.store(state, 0, 1);
    Atomics.sub(state, 1 + index, 1);
  }
  port.close();
}
