/** Sources of an answer, told at the end and each once: some servers repeat the whole list in each chunk. */
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "./answer";

export interface Source {
  /** A document or a book has none. */
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly raw: unknown;
}

export interface Sources {
  add(source: Source): void;
  end(): void;
}

export function createSources(answer: Answer): Sources {
  const found = new Map<string, Source>();
  return {
    add(source) {
      const key = source.url ?? JSON.stringify(source.raw);
      const known = found.get(key);
      if (known === undefined || (known.title === undefined && source.title !== undefined)) found.set(key, source);
    },
    end() {
      // What they are sources of is the text that came last.
      for (const source of found.values()) tellSource(answer, answer.lastText ?? answer.newBlock(), source);
      found.clear();
    },
  };
}

/** `block`: the text that it is a source of. */
export function tellSource(answer: Answer, block: number, { url, title, raw }: Source): void {
  answer.emit({
    type: "citation",
    block,
    ...definedFields({ url, title }),
    raw,
  });
}
