/** Sources of an answer, emitted at its end and each once: some servers repeat the whole list in each chunk. */
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "./answer";

export interface Source {
  /** A document or a book has none. */
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly raw: unknown;
}

export class Sources {
  readonly #answer: Answer;
  readonly #found = new Map<string, Source>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  add(source: Source): void {
    const key = source.url ?? JSON.stringify(source.raw);
    const known = this.#found.get(key);
    if (known === undefined || (known.title === undefined && source.title !== undefined)) this.#found.set(key, source);
  }

  /** Emits them as sources of the last text. */
  end(): void {
    for (const source of this.#found.values()) {
      emitCitation(this.#answer, this.#answer.lastText ?? this.#answer.newBlock(), source);
    }
    this.#found.clear();
  }
}

/** `block`: the text that it is a source of. */
export function emitCitation(answer: Answer, block: number, { url, title, raw }: Source): void {
  answer.emit({ type: "citation", block, ...definedFields({ url, title }), raw });
}
