/** PNG files with chunks of any content, for what encoders would not write. */
import { crc32, deflateSync } from "node:zlib";

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A picture of one white pixel. */
export function pngWith(...chunks: readonly Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...chunks,
    pngChunk("IDAT", deflateSync(Buffer.from([0, 255]))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One of the three kinds of text chunks. */
export function textChunk(
  keyword: string,
  text: string,
  kind: "tEXt" | "zTXt" | "iTXt" | "compressed iTXt" = "tEXt",
): Buffer {
  const content = Buffer.from(text);
  const name = Buffer.from(keyword, "latin1");
  switch (kind) {
    case "tEXt":
      return pngChunk("tEXt", Buffer.concat([name, Buffer.alloc(1), content]));
    case "zTXt":
      return pngChunk("zTXt", Buffer.concat([name, Buffer.alloc(2), deflateSync(content)]));
    case "iTXt":
      return pngChunk("iTXt", Buffer.concat([name, Buffer.from("\0\0\0en\0translated\0"), content]));
    case "compressed iTXt":
      return pngChunk("iTXt", Buffer.concat([name, Buffer.from("\0\x01\0en\0translated\0"), deflateSync(content)]));
  }
}
