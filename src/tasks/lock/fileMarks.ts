/** Which marks of its origin a file carries, by the boxes and chunks of its first bytes: nothing is decoded, and nothing in them is followed. */

/** The keyword of the PNG text that a placeholder has. */
const rehearsedKeyword = "sluice:rehearsed";

/** `c2pa`, `xmp`, `text`, `rehearsed`. A file of another type has none. Linear; reads only what is given. */
export function marksIn(start: Buffer): readonly string[] {
  if (start.subarray(0, 8).equals(pngStart)) return [...new Set(pngMarks(start))];
  if (start.subarray(0, 3).equals(jpegStart)) return [...new Set(jpegMarks(start))];
  const isWebP = start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP";
  return isWebP ? [...new Set(webpMarks(start))] : [];
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/** Length, type, data and checksum of each chunk. */
function* pngMarks(start: Buffer): Generator<string> {
  for (let at = 8; at + 12 <= start.length; at += 12 + start.readUInt32BE(at)) {
    const type = start.toString("latin1", at + 4, at + 8);
    const key = start.toString("latin1", at + 8, at + 88).split("\0", 1)[0];
    if (type === "caBX") yield "c2pa";
    else if (type === "iTXt" && key === "XML:com.adobe.xmp") yield "xmp";
    else if (type === "tEXt" && key === rehearsedKeyword) yield "rehearsed";
    else if (type === "tEXt" || type === "iTXt" || type === "zTXt") yield "text";
  }
}

/** APP11 holds JUMBF boxes, APP1 XMP. The pictures begin at SOS. */
function* jpegMarks(start: Buffer): Generator<string> {
  for (let at = 2; at + 4 <= start.length && start[at] === 0xff; at += 2 + Math.max(2, start.readUInt16BE(at + 2))) {
    const type = start[at + 1];
    if (type === 0xda) return;
    if (type === 0xeb) yield "c2pa";
    else if (type === 0xe1 && start.toString("latin1", at + 4, at + 32).startsWith("http://ns.adobe.com/xap/"))
      yield "xmp";
    else if (type === 0xfe && start.toString("latin1", at + 4, at + 4 + rehearsedKeyword.length) === rehearsedKeyword)
      yield "rehearsed";
  }
}

function* webpMarks(start: Buffer): Generator<string> {
  for (let at = 12; at + 8 <= start.length; at += 8 + start.readUInt32LE(at + 4) + (start.readUInt32LE(at + 4) % 2)) {
    const type = start.toString("latin1", at, at + 4);
    if (type === "C2PA") yield "c2pa";
    else if (type === "XMP ") yield "xmp";
    else if (type === "slui") yield "rehearsed";
  }
}
