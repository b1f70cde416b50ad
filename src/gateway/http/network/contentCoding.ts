/** Decompresses bodies that a proxy compressed unasked. */
import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** Decompressed bytes are passed on at once, also those of a response that is cut. */
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** `coding` is the header `content-encoding`. A body with an unknown coding is returned unchanged. */
export function decodeContent(body: Readable, coding: string | undefined): AsyncIterable<Uint8Array> {
  const names =
    coding === undefined
      ? []
      : coding
          .toLowerCase()
          .split(",")
          .map((name) => name.trim());
  const steps = names.reverse().map((name) => decoders[name]?.());
  let decoded = body;
  for (const step of steps) {
    // `pipeline` passes an error on to the last stream, and destroys all of them when the last one is destroyed.
    if (step !== undefined) decoded = pipeline(decoded, step, () => undefined);
  }
  return decoded;
}
