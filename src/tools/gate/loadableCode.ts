/** Compiled code that a process loads into itself, by the first bytes of a file: a loader looks at these, whatever the name says (A13). */
import { closeSync, openSync, readSync } from "node:fs";
import { readFlags } from "../../node/diskFiles";

const head = Buffer.alloc(20);

/** `file`: absolute; of a copy that nothing changes any more. Of a file that can't be read nothing is known. */
export function isLoadableCode(file: string): boolean {
  try {
    const handle = openSync(file, readFlags);
    try {
      return isLoadable(head.subarray(0, readSync(handle, head, 0, head.length, 0)));
    } finally {
      closeSync(handle);
    }
  } catch {
    return true;
  }
}

/** Mach-O in both orders of bytes, for one processor and for several; a class of Java begins like the latter. */
const magicNumbers = new Set([
  0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xcafebabf, 0xbebafeca, 0xbfbafeca,
]);

function isLoadable(bytes: Buffer): boolean {
  if (bytes.length >= 2 && bytes.toString("latin1", 0, 2) === "MZ") return true;
  if (bytes.length < 4) return false;
  const magic = bytes.readUInt32BE(0);
  return magicNumbers.has(magic) || (magic === 0x7f454c46 && isShared(bytes));
}

/** Loaders refuse an ELF file that is a program for a fixed address, a part for a linker, or a memory dump: these only run when they are started. */
const unshared = new Set([1, 2, 4]);

/** A program that may lie at any address differs from a library in its tables only, which two readers can read differently: it counts as one. */
function isShared(bytes: Buffer): boolean {
  if (bytes.length < 18) return true;
  return !unshared.has(bytes[5] === 2 ? bytes.readUInt16BE(16) : bytes.readUInt16LE(16));
}
