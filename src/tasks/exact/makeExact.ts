/**
 * The files of a project that are made of one picture, each in the format of its ending and in its exact size. Without an editor and without a codec
 * of its own.
 */
import { extname } from "node:path";
import { pictureTypeOf } from "../../domain/media/pictureTypes";
import { isTooManyPixels, pictureSizeOf } from "../../domain/media/pictureBounds";
import { type ExactSize, type WrittenFormat, writtenFormatOf } from "../../domain/task/exactFiles";
import { icnsSides, icoSides, writeIcns, writeIco } from "./iconFiles";
import { coverPixels, maskablePixels, type Pixels, pixelsOnWhite } from "./pixels";

export type CodedType = Exclude<WrittenFormat, "ico" | "icns">;

export interface Codecs {
  /** Rejects for a damaged picture. */
  decode(bytes: Uint8Array, type: CodedType): Promise<Pixels>;
  encode(pixels: Pixels, type: CodedType): Promise<Uint8Array>;
}

export interface ExactTarget extends ExactSize {
  /** Only the ending of the file's name counts. */
  readonly file: string;
}

/** Pixels that are decoded. */
const maxPixels = 64_000_000;
/** Pixels of a side. */
const maxSide = 8192;

/**
 * The files in the order of the targets; `undefined` for one whose format is not written here, and for each that would have to be converted where the
 * picture itself is of another format. Where nothing has to change, the very same bytes are returned, so that the metadata on their origin stays.
 */
export async function makeExact(
  bytes: Uint8Array,
  targets: readonly ExactTarget[],
  codecs: Codecs,
): Promise<readonly (Uint8Array | undefined)[]> {
  const source = pictureTypeOf(bytes.subarray(0, 64), "result");
  const isCoded = source === "image/png" || source === "image/jpeg" || source === "image/webp";
  let decoded: Promise<Pixels> | undefined;
  const pixels = async (): Promise<Pixels | undefined> => {
    // A file of a few bytes can ask for gigabytes.
    const declared = isCoded ? pictureSizeOf(bytes) : undefined;
    if (!isCoded || declared === undefined || isTooManyPixels(declared, maxPixels)) return undefined;
    decoded ??= codecs.decode(bytes, source);
    return decoded;
  };
  const made: (Uint8Array | undefined)[] = [];
  for (const target of targets) {
    const type = writtenFormatOf(target.file);
    const isAsked = target.width !== undefined || target.height !== undefined || target.isMaskable === true;
    if (!isAsked && (type === source || (type === undefined && isSameEnding(target.file, source)))) {
      made.push(bytes);
      continue;
    }
    const picture = type === undefined ? undefined : await pixels();
    if (type === undefined || picture === undefined) made.push(undefined);
    else made.push(await makeOne(bytes, source, picture, type, target, codecs));
  }
  return made;
}

function isSameEnding(file: string, source: string | undefined): boolean {
  return source === `image/${extname(file).slice(1).toLowerCase()}`;
}

async function makeOne(
  bytes: Uint8Array,
  source: string | undefined,
  picture: Pixels,
  type: WrittenFormat,
  { width, height, isMaskable }: ExactTarget,
  codecs: Codecs,
): Promise<Uint8Array> {
  const png = async (side: number): Promise<{ readonly side: number; readonly png: Uint8Array }> => ({
    side,
    png: await codecs.encode(coverPixels(picture, side, side), "image/png"),
  });
  const largest = Math.min(width ?? height ?? 256, 1024);
  if (type === "ico") return writeIco(await inTurn(icoSides(Math.min(largest, 256)), png));
  if (type === "icns") return writeIcns(await inTurn(icnsSides(largest), png));
  const { across, down } = sizeOf(picture, width, height);
  if (isMaskable === true) return codecs.encode(maskablePixels(picture, across, down), type);
  if (type === source && across === picture.width && down === picture.height) return bytes;
  const covered = coverPixels(picture, across, down);
  // The codec ignores alpha, which would make transparent pixels black.
  return codecs.encode(type === "image/jpeg" ? pixelsOnWhite(covered) : covered, type);
}

/** A missing side follows from the other, in the ratio of the picture. */
function sizeOf(
  picture: Pixels,
  width: number | undefined,
  height: number | undefined,
): { readonly across: number; readonly down: number } {
  const ratio = picture.width / picture.height;
  const across = width ?? (height === undefined ? picture.width : height * ratio);
  const down = height ?? across / ratio;
  const bounded = (side: number): number => Math.min(Math.max(1, Math.round(side)), maxSide);
  return { across: bounded(across), down: bounded(down) };
}

async function inTurn<T, U>(all: readonly T[], make: (one: T) => Promise<U>): Promise<readonly U[]> {
  const made: U[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}
