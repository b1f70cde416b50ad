/** A file whose disk can be full, write half a line, or stop as in a kill; the real file below holds what a restart would read. */
import { type FileHandle, open } from "node:fs/promises";
import type { OpenHandle } from "../../src/base/appendFile";

export interface FaultyDisk {
  readonly open: OpenHandle;
  /** Writes fail with ENOSPC from now on; `tear` is the share of a line, 0 to 1, that still reaches the file. */
  full: { readonly tear: number } | undefined;
  /** As `kill -9`: nothing more is written, and pending writes never settle. */
  kill(): void;
  readonly isDead: boolean;
  /** Resolves when it is killed. */
  readonly died: Promise<void>;
  /** Closes the real file of a disk that died, which its owner never closes. */
  close(): Promise<void>;
}

export function createFaultyDisk(): FaultyDisk {
  let real: FileHandle | undefined;
  let isDead = false;
  const death = Promise.withResolvers<undefined>();
  const disk: FaultyDisk = {
    full: undefined,
    kill() {
      isDead = true;
      death.resolve(undefined);
    },
    get isDead() {
      return isDead;
    },
    died: death.promise,
    async close() {
      await real?.close();
    },
    async open(path, flags, mode) {
      const file = await open(path, flags, mode);
      real = file;
      const write = async (bytes: Buffer): Promise<void> => {
        if (isDead) await forever();
        const share = disk.full?.tear ?? 1;
        await file.appendFile(bytes.subarray(0, Math.floor(bytes.length * share)));
        if (isDead) await forever();
        if (share < 1 || disk.full) throw noSpace();
      };
      return {
        readFile: ((options: "utf8") => file.readFile(options)) as FileHandle["readFile"],
        close: () => file.close(),
        // The page cache survives a kill; only a power cut would lose it.
        datasync: () => write(Buffer.alloc(0)),
        appendFile: (line) => write(Buffer.from(line as string)),
      };
    },
  };
  return disk;
}

function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}
