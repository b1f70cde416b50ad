/** Tool results of which a request holds a part only, kept in memory, and the tool by which a model reads the rest (A2, A6). */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { firstBytes } from "../base/text/byteText";
import { type Tool, ToolRefusal } from "../domain/tools/tool";
import { alias } from "./base/argumentRules";
import { defineTool } from "./base/defineTool";

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

export function readResult(kept: KeptResults): Tool {
  return defineTool({
    name: "read_result",
    description: "The next part of a tool's result that was too long to be returned at once.",
    parameters: z.strictObject({
      id: z.string().check(z.describe("As the cut result names it.")),
      skip: z.int().check(z.gte(0), z.describe("Characters to leave out: those that were returned already.")),
    }),
    rules: [alias("skip", "offset", "start")],
    prepare({ id, skip }) {
      const result = kept.get(id);
      if (!result) throw new ToolRefusal("That result is not kept any more. Call its tool again.");
      const { tool, text, untrusted } = result;
      return Promise.resolve({
        action: { type: "read-result", name: tool },
        ...definedFields({ untrusted }),
        run: (_signal, effects) => Promise.resolve(pageOf(text, id, skip, effects?.room)),
      });
    },
  });
}
