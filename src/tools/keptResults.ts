/** Tool results of which a request holds a part only, kept in memory until the window is closed (A2, A6). */
import { randomUUID } from "node:crypto";
import { firstBytes } from "../base/text/cutText";

/** Bytes of a result, or of a page of it, where it may have no fewer. */
export const pageSize = 64 * 1024;
/** The note below a page. */
const noteSize = 200;
/** Characters of all kept results together; the oldest is dropped first. */
const maxKept = 16 * 1024 * 1024;

export interface KeptResult {
  /** As shown to the person. */
  readonly tool: string;
  readonly text: string;
  /** As `CallFacts.untrusted`. */
  readonly untrusted?: string;
}

export class KeptResults {
  readonly #kept = new Map<string, KeptResult>();
  #length = 0;

  /** Returns the id by which `read_result` finds it. */
  readonly keep = (result: KeptResult): string => {
    const id = randomUUID().slice(0, 8);
    this.#kept.set(id, result);
    this.#length += result.text.length;
    for (const [oldest, { text }] of this.#kept) {
      if (this.#length <= maxKept || oldest === id) break;
      this.#kept.delete(oldest);
      this.#length -= text.length;
    }
    return id;
  };

  get(id: string): KeptResult | undefined {
    return this.#kept.get(id);
  }
}

/** `room`: bytes that the whole result may have. */
export function pageOf(text: string, id: string, skip: number, room = Infinity): string {
  const page = firstBytes(text.slice(skip, skip + pageSize), Math.max(noteSize, Math.min(pageSize, room - noteSize)));
  if (page === "") return `(the result has ${text.length} characters)`;
  const last = skip + page.length;
  const more = last < text.length ? `; read_result with id "${id}" and skip ${last} gives the next` : "";
  return `${page}\n(characters ${skip + 1} to ${last} of ${text.length}${more})`;
}
