/** An answer that was compressed although nobody asked for it, as some proxies do, as it was before. */
import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** What was written is to be seen at once, and a cut answer as far as it goes. */
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** `coding` is the header `content-encoding`. A coding that is not known is left as it is: its bytes will tell. */
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
    // An error goes along to the end, where it is read; who leaves there, ends the whole.
    if (step !== undefined) decoded = pipeline(decoded, step, () => undefined);
  }
  return decoded;
}
