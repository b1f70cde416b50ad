/** Limits the reads of the balance over all windows: one small file for each gateway and account, and a lock next to it. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { FileLock } from "../base/database/fileLock";
import { parseJson } from "../base/jsonValue";
import { makePrivateFolder, writeAtomically } from "../base/privateFile";
import { priceSchema } from "../domain/prices/priceList";
import type { BalanceBudget } from "./balances";

const keptSchema = z.object({ at: z.number(), amounts: z.array(priceSchema) });
type Kept = z.infer<typeof keptSchema>;

export async function openBalanceBudget(folder: string): Promise<BalanceBudget> {
  await makePrivateFolder(folder);
  return {
    async share(key, { since, now }, read) {
      const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 16);
      const file = `${name}.json`;
      const fresh = async (): Promise<{ readonly kept: Kept | undefined; readonly isFresh: boolean }> => {
        const kept = await readKept(join(folder, file));
        // The clock was set back if the time is later than now.
        return { kept, isFresh: kept !== undefined && kept.at > since && kept.at <= now };
      };
      const before = await fresh();
      if (before.isFresh) return before.kept;
      const lock = FileLock.take(join(folder, `${name}.lock`));
      if (lock === undefined) return before.kept;
      try {
        const again = await fresh();
        if (again.isFresh) return again.kept;
        // The time is stored before the request, so that a window that ends during it has used up its minute.
        const amounts = again.kept?.amounts ?? [];
        await writeAtomically(folder, file, JSON.stringify({ at: now, amounts }));
        const kept = { at: now, amounts: [...(await read())] };
        await writeAtomically(folder, file, JSON.stringify(kept));
        return kept;
      } finally {
        lock.release();
      }
    },
  };
}

async function readKept(path: string): Promise<Kept | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const read = keptSchema.safeParse(parseJson(text));
  return read.success ? read.data : undefined;
}
