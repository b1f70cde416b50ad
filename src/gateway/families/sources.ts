/** Sources of an answer, told at the end and each once: some servers repeat the whole list in each chunk. */
import type { Answer } from "../answer";

export interface Source {
  readonly url: string;
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
      const known = found.get(source.url);
      if (known === undefined || (known.title === undefined && source.title !== undefined)) {
        found.set(source.url, source);
      }
    },
    end() {
      for (const { url, title, raw } of found.values()) {
        const named = title === undefined ? {} : { title };
        answer.emit({ type: "citation", block: answer.newBlock(), url, ...named, raw });
      }
      found.clear();
    },
  };
}
