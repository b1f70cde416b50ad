/** Does something between two calls of the file system, so that a test of a race needs no time. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const asynchronous =
  "link lstat mkdir open opendir readdir readlink realpath rename rm rmdir stat symlink unlink writeFile".split(" ");
const streams = ["createReadStream", "createWriteStream"];

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Runs `work` with `act` right before the call of that number. Resolves with whether `work` made so many; errors of `work` are ignored. */
export async function actBeforeCall(number: number, act: () => void, work: () => Promise<unknown>): Promise<boolean> {
  let count = 0;
  const restore: (() => void)[] = [];
  const replace = (holder: Functions, name: string): void => {
    const original = holder[name]!;
    holder[name] = (...args) => {
      count += 1;
      if (count === number) act();
      return original(...args);
    };
    restore.push(() => void (holder[name] = original));
  };
  for (const name of asynchronous) replace(fs.promises as unknown as Functions, name);
  for (const name of streams) replace(fs as unknown as Functions, name);
  syncBuiltinESMExports();
  try {
    await work().catch(() => undefined);
  } finally {
    for (const one of restore) one();
    syncBuiltinESMExports();
  }
  return count >= number;
}
