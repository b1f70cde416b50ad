/** Decompresses zlib data with a limit, for readers of files from elsewhere: a few bytes may stand for gigabytes. */
import { inflateSync } from "node:zlib";

/** `undefined` for damaged data, and where more than `maxBytes` come out of it: that is noticed without making more. */
export function inflate(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}
