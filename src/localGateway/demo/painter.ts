/** Draws a picture for the local gateway, chosen by type, prompt and seed, and encodes it as PNG. */
import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";
import { paper, Drawing } from "./drawing/drawing";
import { moodOf } from "./drawing/scenery";
import { type Pixels, type PixelSize, rasterize } from "./drawing/rasterize";
import { subjectOf, subjects } from "./drawing/subjects";
import { createRandom, hashText } from "./seededRandom";
import type { TaskTypeWord } from "./taskKinds";

export interface Subject {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
}

/** The drawing of which a picture is the left part, in its own pixels, and how much smaller it is painted. */
interface Scene {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export async function paintPicture(
  { type, prompt, seed }: Subject,
  size: PixelSize,
  scene: Scene = { ...size, scale: 1 },
): Promise<Pixels> {
  const shorter = Math.min(scene.width, scene.height);
  const drawing = new Drawing(scene.width / shorter, scene.height / shorter);
  const random = createRandom(hashText("picture", type, prompt, seed));
  // A prompt without a known subject gives hills: the answer and the events say so.
  subjects[subjectOf(prompt) ?? "hills"].draw({ drawing, mood: moodOf(prompt, random), random, prompt });
  const pixels = await rasterize(drawing, size, shorter * scene.scale);
  if (type === "stylized_image") stylize(pixels);
  return pixels;
}

/** Few flat tones inside a border of paper. */
function stylize({ width, height, rgb }: Pixels): void {
  const tones = Uint8Array.from({ length: 256 }, (_, byte) => Math.round(Math.round((byte / 255) * 7) * (255 / 7)));
  const border = Math.max(1, Math.round(Math.min(width, height) * 0.035));
  const edge = paper.map((part) => Math.round(part * 255));
  for (let row = 0; row < height; row += 1) {
    const isEdge = row < border || row >= height - border;
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 3;
      const isBorder = isEdge || column < border || column >= width - border;
      for (let part = 0; part < 3; part += 1)
        rgb[at + part] = isBorder ? (edge[part] ?? 0) : (tones[rgb[at + part] ?? 0] ?? 0);
    }
  }
}

// Encodes pixels as PNG with Node's deflate.

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
