/** A disk that files of this process fill: writes through `node:fs/promises` take what room is left, and fail with the system's error after that. */
import { type FileHandle, open } from "node:fs/promises";

export interface FileRoom {
  /** Bytes that can still be written; `undefined` for a disk that has room. */
  bytes: number | undefined;
  /** Puts the system's own function back. */
  end(): void;
}

/** Limits all file handles of the process, because nothing less reaches the product's own download. */
export async function limitFileRoom(): Promise<FileRoom> {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as { write: WriteBytes };
  await handle.close();
  const { write } = prototype;
  const room: FileRoom = {
    bytes: undefined,
    end: () => void (prototype.write = write),
  };
  prototype.write = function (bytes, offset, length, at) {
    if (room.bytes === undefined) return write.call(this, bytes, offset, length, at);
    if (room.bytes === 0) return Promise.reject(noSpace());
    const taken = Math.min(length, room.bytes);
    room.bytes -= taken;
    return write.call(this, bytes, offset, taken, at);
  };
  return room;
}

type WriteBytes = (
  this: FileHandle,
  bytes: Uint8Array,
  offset: number,
  length: number,
  at: number | null,
) => Promise<unknown>;

function noSpace(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", errno: -28 });
}
