/**
 * Remembers untrusted texts that a window has put into prompts, such as a terminal's: a prompt that holds a line of one is untrusted too (A4).
 * They are stored with the workspace, because a draft is there again after a reload.
 */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { BoundedMap } from "../../base/boundedMap";

/** Lines that are remembered. They are limited, because all of them are written with each text that is added. */
const maxLines = 10_000;
/**
 * Characters. Shorter lines are not remembered, because a person may well write the same ones. Of a text that has no longer line, all lines are
 * remembered, because nothing else would identify it.
 */
const leastLength = 10;

/** Sources of lines, as shown to the person, each with the digests of its lines. The oldest come first; a source may come several times. */
const keptTexts = z.array(z.tuple([z.string(), z.array(z.string())]));

export interface QuotedMemory {
  read(): unknown;
  write(kept: z.infer<typeof keptTexts>): void;
}

export class QuotedTexts {
  readonly #memory: QuotedMemory;
  /** The source of each line, by the digest of the line. */
  readonly #sources = new BoundedMap<string, { readonly digest: string; readonly source: string }>(maxLines);

  constructor(memory: QuotedMemory) {
    this.#memory = memory;
    for (const [source, digests] of keptTexts.safeParse(memory.read()).data ?? [])
      for (const digest of digests) this.#sources.set(digest, { digest, source });
  }

  add(text: string, source: string): void {
    const lines = linesOf(text);
    const long = lines.filter(({ length }) => length >= leastLength);
    for (const line of long.length > 0 ? long : lines) {
      const digest = digestOf(line);
      this.#sources.set(digest, { digest, source });
    }
    const kept: z.infer<typeof keptTexts> = [];
    for (const { digest, source: from } of this.#sources.values()) {
      const last = kept.at(-1);
      if (last?.[0] === from) last[1].push(digest);
      else kept.push([from, [digest]]);
    }
    this.#memory.write(kept);
  }

  /** The source of the last line that is known; `undefined` for a prompt of the person's own words. */
  sourceOf(prompt: string): string | undefined {
    if (this.#sources.size === 0) return undefined;
    for (const line of linesOf(prompt).toReversed()) {
      const known = this.#sources.get(digestOf(line));
      if (known) return known.source;
    }
    return undefined;
  }
}

/** Trims the lines, because blanks around a line change while a prompt is written. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function digestOf(line: string): string {
  return createHash("sha256").update(line).digest("base64").slice(0, 16);
}
