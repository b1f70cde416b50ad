/** Decompresses bodies that a proxy compressed unasked. */
import { PassThrough, pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { AppFailure } from "../../../domain/errors/appError";

/** Decompressed bytes are passed on at once, also those of a response that is cut. */
const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** Decompressed bytes up to which any ratio is allowed. */
const smallBody = 8 * 1024 * 1024;
/** Text that is no bomb is hardly compressed to less than a fiftieth. */
const maxRatio = 100;

/**
 * `coding` is the header `content-encoding`. A body with an unknown coding is returned unchanged. The body rejects with an `AppFailure`
 * when it was compressed so much that few bytes would fill memory or disk.
 */
export function decodeContent(body: Readable, coding: string | undefined): AsyncIterable<Uint8Array> {
  const names = (coding ?? "").toLowerCase().split(",").reverse();
  const known = names.flatMap((name) => decoders[name.trim()] ?? []);
  if (known.length === 0) return body;
  let received = 0;
  const counter = new PassThrough();
  counter.on("data", (chunk: Uint8Array) => (received += chunk.length));
  let decoded: Readable = pipeline(body, counter, () => undefined);
  // `pipeline` passes an error on to the last stream, and destroys all of them when the last one is destroyed.
  for (const decoder of known) decoded = pipeline(decoded, decoder(), () => undefined);
  return capRatio(decoded, () => received);
}

async function* capRatio(decoded: AsyncIterable<Uint8Array>, received: () => number): AsyncGenerator<Uint8Array> {
  let produced = 0;
  for await (const chunk of decoded) {
    produced += chunk.length;
    if (produced > smallBody && produced > received() * maxRatio) {
      throw new AppFailure({
        kind: "malformed",
        message: `The answer's compression is implausible: more than ${maxRatio} to 1.`,
      });
    }
    yield chunk;
  }
}
