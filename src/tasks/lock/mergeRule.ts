/** The line of `.gitattributes` by which git merges `sluice.lock`. Works on bytes, because lines of others may be in any encoding. */
import { lockName } from "../../domain/lock/lockFile";

/** `union` keeps the lines of both sides, which the reader takes as one list. */
export const mergeRule = `${lockName} merge=union`;

/** Whether the file already has a rule for merging the lock. */
export function hasMergeRule(attributes: Buffer): boolean {
  return /^\/?sluice\.lock\s/m.test(attributes.toString("latin1"));
}

/** The file with the rule as its last line; every byte before it stays. `undefined` for UTF-16, which git does not read. */
export function withMergeRule(attributes: Buffer): Buffer | undefined {
  const mark = attributes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") return undefined;
  const isLineOpen = attributes.length > 0 && attributes.at(-1) !== 0x0a;
  return Buffer.concat([attributes, Buffer.from(`${isLineOpen ? "\n" : ""}${mergeRule}\n`)]);
}
