/** Reads the marks of a picture's file: those that Sluice writes, those of the IPTC, and the texts that the usual generators of pictures write. */
import { exifTextsOf } from "./exifTexts";
import { type PictureFilePart, isCredentials, pictureFileParts, isXmp, jpegXmpHeader, startsWith } from "./fileParts";
import { marksOfTexts, readKeywords } from "./generatorTexts";
import { markLimits, type PictureMarks } from "./marks";
import { markedTypeOf } from "./writeMarks";
import { marksOfXmp } from "./xmpReader";

/** Decompresses zlib data, such as Node's `inflateSync` does. `undefined` for damaged data, and where more than `maxBytes` come out of it. */
export type Inflate = (data: Uint8Array, maxBytes: number) => Uint8Array | undefined;

/** Bytes of one text, compressed or not: a larger one is skipped. The workflow of a large graph has one megabyte. */
const maxTextBytes = 2 * 1024 * 1024;
/** Parts of a file that are walked: a file of 64 MB may have millions of empty ones. */
const maxParts = 100_000;

/**
 * Reads how the picture was made. A file of another format has no marks, and damaged parts are skipped, as compressed texts are without `inflate`.
 * Never throws. Time and memory grow with the number of parts, and with at most one text of 2 MB for each of the seven keywords.
 */
export function readMarks(bytes: Uint8Array, inflate?: Inflate): PictureMarks {
  const type = markedTypeOf(bytes);
  if (type === undefined) return {};
  const texts = new Map<string, string>();
  let marks: PictureMarks = {};
  let count = 0;
  let hasXmp = false;
  for (const part of pictureFileParts(bytes, type)) {
    count += 1;
    if (count > maxParts) break;
    if (isCredentials(part)) marks = { ...marks, hasCredentials: true };
    if (!isXmp(part)) readTexts(part, texts, inflate);
    else if (!hasXmp) {
      hasXmp = true;
      marks = { ...marks, ...marksOfXmp(xmpOf(part, inflate) ?? "") };
    }
  }
  // XMP takes precedence, because it is the standard; a text next to it may be an older one that a program copied.
  return capped({ ...marksOfTexts(texts), ...marks });
}

function capped({ prompt, model, task, ...others }: PictureMarks): PictureMarks {
  return {
    ...others,
    ...(prompt === undefined ? {} : { prompt: prompt.slice(0, markLimits.prompt).toWellFormed() }),
    ...(model === undefined ? {} : { model: model.slice(0, markLimits.model).toWellFormed() }),
    ...(task === undefined ? {} : { task: task.slice(0, markLimits.task).toWellFormed() }),
  };
}

function xmpOf(part: PictureFilePart, inflate: Inflate | undefined): string | undefined {
  const { type, data } = part;
  // `tEXt`, `zTXt` and `iTXt` are PNG's chunks of text.
  if (type.endsWith("Xt")) return pngText(part, inflate);
  return data.length > maxTextBytes ? undefined : decodeText(data.subarray(type === "APP1" ? jpegXmpHeader.length : 0));
}

/** Collects texts by the keywords of PNG, also those in EXIF data. The first text with a keyword counts, as it does for other readers. */
function readTexts(part: PictureFilePart, texts: Map<string, string>, inflate: Inflate | undefined): void {
  const { type, data } = part;
  switch (type) {
    case "tEXt":
    case "zTXt":
    case "iTXt": {
      const keyword = keywordOf(data);
      // A damaged text uses up its keyword too. Otherwise many texts that each inflate to the limit would take hours.
      if (keyword !== undefined && readKeywords.has(keyword) && !texts.has(keyword))
        texts.set(keyword, pngText(part, inflate) ?? "");
      return;
    }
    case "eXIf":
      return readExif(data, texts);
    case "EXIF":
    case "APP1": {
      // A WebP file should not have the header of JPEG's segment here, but often has it.
      const hasHeader = startsWith(data, "Exif\0\0");
      if (type === "EXIF" || hasHeader) readExif(hasHeader ? data.subarray(6) : data, texts);
    }
  }
}

/** Characters of a keyword in PNG. */
const maxKeyword = 79;

function keywordOf(data: Uint8Array): string | undefined {
  const end = data.subarray(0, maxKeyword + 1).indexOf(0);
  return end < 1 ? undefined : decodeText(data.subarray(0, end));
}

function pngText({ type, data }: PictureFilePart, inflate: Inflate | undefined): string | undefined {
  if (data.length > maxTextBytes) return undefined;
  let start = data.indexOf(0) + 1;
  let isCompressed = type === "zTXt";
  if (type === "zTXt") start += 1;
  if (type === "iTXt") {
    isCompressed = data[start] === 1;
    const language = data.indexOf(0, start + 2);
    const translated = language < 0 ? -1 : data.indexOf(0, language + 1);
    if (translated < 0) return undefined;
    start = translated + 1;
  }
  const content = data.subarray(start);
  const plain = isCompressed ? inflate?.(content, maxTextBytes) : content;
  return plain && decodeText(plain);
}

/**
 * Adds the texts of EXIF data under the keywords of PNG. Its user comment holds what `parameters` holds in PNG. In WebP files, ComfyUI writes
 * `prompt:{…}` and `workflow:{…}` into the fields for the make and model of a camera.
 */
function readExif(exif: Uint8Array, texts: Map<string, string>): void {
  const { make, model, comment } = exifTextsOf(exif, maxTextBytes);
  if (comment !== undefined && !texts.has("parameters")) texts.set("parameters", comment);
  for (const text of [make, model])
    for (const keyword of ["prompt", "workflow"])
      if (text?.toLowerCase().startsWith(`${keyword}:`) === true && !texts.has(keyword))
        texts.set(keyword, text.slice(keyword.length + 1));
}

/** Decodes UTF-8, also in chunks that PNG defines as Latin-1, because some programs write UTF-8 there. Anything else is read as Latin-1. */
function decodeText(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("latin1").decode(data);
  }
}
