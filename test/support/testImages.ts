/** Images for tests: whole ones of any size and colour, and files that only claim to be some. */
import { deflate } from "node:zlib";
import { promisify } from "node:util";
import { encodePng } from "../../src/localGateway/demo/painter";
import { pngChunk } from "./pngChunks";

const deflateAsync = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Color = readonly [red: number, green: number, blue: number];
const sea: Color = [50, 90, 200];

/** A picture of one colour. */
export function pngOf(width: number, height: number, color: Color = sea): Promise<Buffer> {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 3) rgb.set(color, at);
  return encodePng({ width, height, rgb });
}

/** A picture of one colour with a palette and a bit for each pixel, so that one of many millions is made in no time. */
export async function palettePngOf(width: number, height: number, [red, green, blue]: Color = sea): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3, 0, 0, 0], 8); // 1 bit, palette, no interlace
  const rows = await deflateAsync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  const chunks = [pngChunk("IHDR", header), pngChunk("PLTE", Buffer.from([red, green, blue]))];
  return Buffer.concat([signature, ...chunks, pngChunk("IDAT", rows), pngChunk("IEND", Buffer.alloc(0))]);
}

/** The same file with another size in its header: a few bytes that decode to any number of pixels. */
export function withDeclaredSize(png: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  return changed;
}

export const wholeGif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([16, 0, 9, 0, 0, 0, 0, 0x3b])]);

/** A header with its frame, and the end marker. */
export const wholeJpeg = Buffer.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  ...[0xff, 0xc2, 0, 11, 8, 1, 0, 2, 0, 3, 1, 1, 1],
  ...[0xff, 0xd9],
]);

export const wholeWebp = Buffer.concat([
  ...[Buffer.from("RIFF"), Buffer.from([22, 0, 0, 0]), Buffer.from("WEBPVP8X")],
  Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]),
]);

/** The beginning of an AVIF file with images of these sizes. */
export function avifOf(...sizes: readonly (readonly [width: number, height: number])[]): Buffer {
  const extents = sizes.map(([width, height]) => {
    const box = Buffer.alloc(20);
    box.writeUInt32BE(20, 0);
    box.write("ispe", 4, "latin1");
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  });
  const properties = Buffer.concat([Buffer.from("\0\0\0\0meta\0\0\0\0", "latin1"), ...extents]);
  properties.writeUInt32BE(properties.length, 0);
  return Buffer.concat([Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1miaf", "latin1"), properties]);
}

/** A grey square in the colours of print, eight pixels wide: one block of which each component is the middle value. */
export const cmykJpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xee, 0, 14]),
  Buffer.from("Adobe\0d\0\0\0\0\0", "latin1"),
  Buffer.from([0xff, 0xdb, 0, 67, 0, ...Array.from({ length: 64 }, () => 1)]),
  Buffer.from([0xff, 0xc0, 0, 20, 8, 0, 8, 0, 8, 4, ...[1, 2, 3, 4].flatMap((component) => [component, 0x11, 0])]),
  ...[0x00, 0x10].map((table) => Buffer.from([0xff, 0xc4, 0, 20, table, 1, ...Array.from({ length: 16 }, () => 0)])),
  Buffer.from([0xff, 0xda, 0, 14, 4, ...[1, 2, 3, 4].flatMap((component) => [component, 0]), 0, 63, 0]),
  Buffer.from([0x00, 0xff, 0xd9]),
]);

/** Two frames of one pixel. */
export const animatedGif = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]),
  ...[0x44, 0x4c].map((pixel) =>
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, pixel, 1, 0]),
  ),
  Buffer.from([0x3b]),
]);
const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2];
/** One pixel that is black and white in turn. */
export const movingGif = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  Buffer.from([...frame, 0x44, 1, 0, ...frame, 0x4c, 1, 0, 0x3b]),
]);

/** One pixel that is transparent. */
export const clearPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=",
  "base64",
);
