/** What the line of a file in `sluice.lock` states of its bytes: hash, size in pixels, and which marks of its origin it carries, as short names. */
import { definedFields } from "../../base/definedFields";
import type { LockEntry } from "../../domain/lock/lockFile";
import { pictureSizeOf } from "../../domain/media/pictureBounds";
import { readMarks } from "../../domain/media/marks/readMarks";
import type { HashedFile } from "./lockedFiles";

/** The most bytes of a picture that are kept to read its marks. The first few are not enough, because in WebP the marks lie behind the pixels. */
export const maxMarked = 32 * 1024 ** 2;

/** `found` was read with `maxMarked` bytes of its start. */
export function factsOfBytes({
  sha256,
  bytes,
  start,
}: HashedFile): Pick<LockEntry, "sha256" | "bytes" | "size" | "marks"> {
  const { width, height } = pictureSizeOf(start) ?? {};
  const marks = marksIn(start);
  return {
    sha256,
    bytes,
    ...definedFields({
      size: width === undefined || height === undefined ? undefined : `${width}x${height}`,
      marks: marks.length > 0 ? marks : undefined,
    }),
  };
}

/** `c2pa`: content credentials. `iptc`: the mark that a model made it. `rehearsed`: it is a placeholder. `prompt`, `seed`: it holds these. */
export function marksIn(bytes: Uint8Array): readonly string[] {
  const { hasCredentials, isGenerated, isRehearsed, prompt, seed } = readMarks(bytes);
  const found = {
    c2pa: hasCredentials,
    iptc: isGenerated,
    rehearsed: isRehearsed,
    prompt: prompt !== undefined,
    seed: seed !== undefined,
  };
  return Object.entries(found).flatMap(([name, is]) => (is === true ? [name] : []));
}
