/** Decompresses zlib data with a limit, for readers of untrusted files: a few bytes may decompress to gigabytes. */
import { inflateSync } from "node:zlib";

/** `undefined` for damaged data, and for data that would give more than `maxBytes`: decompression stops there. */
export function inflate(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}
