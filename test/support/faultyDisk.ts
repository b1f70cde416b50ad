/** A file on a disk that can be full, tear a line, or stop with its process: the real file underneath holds what a restart would find. */
import { type FileHandle, open } from "node:fs/promises";
import type { OpenHandle } from "../../src/base/appendFile";

export interface FaultyDisk {
  readonly open: OpenHandle;
  /** Writes fail with ENOSPC from now on; `tear` is the share of a line, 0 to 1, that still reaches the file. */
  full: { readonly tear: number } | undefined;
  /** As `kill -9`: nothing is written any more, and no write ever ends. */
  dead: boolean;
}

export function createFaultyDisk(): FaultyDisk {
  const disk: FaultyDisk = {
    full: undefined,
    dead: false,
    async open(path, flags, mode) {
      const file = await open(path, flags, mode);
      return {
        readFile: file.readFile.bind(file) as FileHandle["readFile"],
        close: () => file.close(),
        async datasync() {
          if (disk.dead) await forever();
          if (disk.full) throw noSpace();
          // The kernel's copy survives a kill; only a power cut would need the disk's.
        },
        async appendFile(line) {
          if (disk.dead) await forever();
          if (!disk.full) return file.appendFile(line);
          const bytes = Buffer.from(String(line));
          await file.appendFile(bytes.subarray(0, Math.floor(bytes.length * disk.full.tear)));
          throw noSpace();
        },
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
