/** What refusals have taught about how a gateway wants the requests of a family (C5): kept per origin, until the person has it forgotten. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { families, type Family } from "../domain/chat/family";
import type { FamilyAccess } from "./families/familyDefinition";

const entrySchema = z.object({
  origin: z.string(),
  family: z.enum(families),
  keyPlace: z.exactOptional(z.enum(["x-api-key", "x-goog-api-key"])),
  version: z.exactOptional(z.enum(["v1", "v1beta"])),
  headerVersion: z.exactOptional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
});
/** The access of one family at one origin. */
export type LearntEntry = z.infer<typeof entrySchema>;

/** The part for one gateway. */
export interface AccessMemory {
  read(family: Family): FamilyAccess;
  /** Replaces what was learnt. Without a field nothing is kept. */
  write(family: Family, access: FamilyAccess): void;
}

const maxEntries = 200;

export class LearntAccess {
  readonly #memory: { read(): unknown; write(entries: readonly LearntEntry[]): void };

  /** What the memory reads may have any shape. */
  constructor(memory: { read(): unknown; write(entries: readonly LearntEntry[]): void }) {
    this.#memory = memory;
  }

  at(origin: string): AccessMemory {
    return {
      read: (family) => {
        const { keyPlace, version, headerVersion } = this.of(origin).find((entry) => entry.family === family) ?? {};
        return definedFields({ keyPlace, version, headerVersion });
      },
      write: (family, access) => {
        const others = this.#all().filter((entry) => entry.origin !== origin || entry.family !== family);
        const entry = entrySchema.safeParse({ origin, family, ...access });
        const isKept = entry.success && Object.keys(access).length > 0;
        this.#memory.write(isKept ? [...others, entry.data].slice(-maxEntries) : others);
      },
    };
  }

  of(origin: string): readonly LearntEntry[] {
    return this.#all().filter((entry) => entry.origin === origin);
  }

  forget(origin: string): void {
    this.#memory.write(this.#all().filter((entry) => entry.origin !== origin));
  }

  #all(): readonly LearntEntry[] {
    const kept = this.#memory.read();
    return (Array.isArray(kept) ? (kept as unknown[]) : []).flatMap((one) => {
      const read = entrySchema.safeParse(one);
      return read.success ? [read.data] : [];
    });
  }
}
