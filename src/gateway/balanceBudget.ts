/** Limits the reads of the balance over all windows: one small file for each gateway, account and key, and a lock next to it. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { FileLock } from "../base/database/fileLock";
import { parseJson } from "../base/jsonValue";
import { makePrivateFolder, writeAtomically } from "../base/privateFile";
import { priceSchema } from "../domain/prices/priceList";
import type { StatedBalance } from "../domain/ports";
import type { BalanceBudget, SharedBalance } from "./balances";

const keptSchema = z.object({
  at: z.number(),
  left: z.array(priceSchema),
  spent: z.exactOptional(z.extend(priceSchema, { path: z.string() })),
  first: z.exactOptional(z.object({ at: z.number(), amount: z.number() })),
});

export async function openBalanceBudget(folder: string): Promise<BalanceBudget> {
  await makePrivateFolder(folder);
  return {
    async share(key, { since, now }, read) {
      const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 16);
      const file = `${name}.json`;
      const fresh = async (): Promise<{ readonly kept: SharedBalance | undefined; readonly isFresh: boolean }> => {
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
        const last = again.kept ?? { at: now, left: [] };
        await writeAtomically(folder, file, JSON.stringify({ ...last, at: now }));
        const kept = keptOf(await read(), now, last);
        await writeAtomically(folder, file, JSON.stringify(kept));
        return kept;
      } finally {
        lock.release();
      }
    },
  };
}

async function readKept(path: string): Promise<SharedBalance | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const read = keptSchema.safeParse(parseJson(text));
  return read.success ? read.data : undefined;
}

/** A failed read states no total: then the last one stays, so that the comparison does not begin anew. */
function keptOf({ left, spent }: StatedBalance, at: number, before: SharedBalance): SharedBalance {
  if (spent === undefined) return { ...before, at, left };
  const { spent: last, first } = before;
  const isSame = last?.path === spent.path && last.currency === spent.currency && spent.amount >= last.amount;
  return { at, left, spent, first: (isSame ? first : undefined) ?? { at, amount: spent.amount } };
}
