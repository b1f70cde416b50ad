/** Encodes pixels as PNG with Node's deflate. */
import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";
import { paintPicture } from "./painter";
import type { Pixels } from "./drawing/rasterize";

const deflateAsync = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export async function paintPng(...drawing: Parameters<typeof paintPicture>): Promise<Buffer> {
  return encodePng(await paintPicture(...drawing));
}

export async function encodePng({ width, height, rgb }: Pixels): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits a channel, RGB, no interlace
  const data = await deflateAsync(filterUp(rgb, width * 3, height), { level: 6 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

/** Filter 2, the difference from the row above, compresses smooth pictures best. */
function filterUp(rgb: Uint8Array, stride: number, height: number): Buffer {
  const out = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * (stride + 1);
    out[row] = 2;
    for (let x = 0; x < stride; x += 1) {
      const above = y === 0 ? 0 : (rgb[(y - 1) * stride + x] ?? 0);
      out[row + 1 + x] = (rgb[y * stride + x] ?? 0) - above;
    }
  }
  return out;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
