/** Draws a picture for the local gateway, chosen by type, prompt and seed, and encodes it as PNG. */
import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";
import { paper, Drawing } from "./drawing/drawing";
import { moodOf } from "./drawing/scenery";
import { definedFields } from "../../base/definedFields";
import { markRehearsal } from "./rehearsalMark";
import { type DrawnPixels, type PixelSize, rasterize } from "./drawing/rasterize";
import { subjectOf, subjects } from "./drawing/subjects";
import { createRandom, hashText } from "./seededRandom";
import type { TaskTypeWord } from "./taskKinds";

export interface Subject {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
  /** Whether the picture gets the mark of a rehearsal. */
  readonly isRehearsal?: boolean;
}

/** The drawing whose left part is the picture: its size in pixels, and the scale at which it is painted. */
interface Scene {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export async function paintPicture(
  { type, prompt, seed, isRehearsal = false }: Subject,
  size: PixelSize,
  scene: Scene = { ...size, scale: 1 },
  shownWidth = size.width,
): Promise<DrawnPixels> {
  const shorter = Math.min(scene.width, scene.height);
  const drawing = new Drawing(scene.width / shorter, scene.height / shorter);
  const random = createRandom(hashText("picture", type, prompt, seed));
  // A prompt without a known subject gives hills; the answer and the events state that.
  subjects[subjectOf(prompt) ?? "hills"].draw({ drawing, mood: moodOf(prompt, random), random, prompt });
  const pixels = await rasterize(drawing, size, shorter * scene.scale);
  if (type === "stylized_image") stylize(pixels);
  if (isRehearsal) markRehearsal(pixels, prompt, Math.min(size.width, shownWidth));
  return pixels;
}

/** Reduces the picture to a few flat tones inside a border of paper. */
function stylize({ width, height, rgb }: DrawnPixels): void {
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

interface PaintOptions {
  readonly scene?: Scene;
  /** Whether the background becomes transparent. */
  readonly isTransparent?: boolean;
}

export async function paintPng(subject: Subject, size: PixelSize, options: PaintOptions = {}): Promise<Buffer> {
  const { pixels, ...parts } = await paintParts(subject, size, options);
  return encodePng(pixels, parts);
}

/** Paints the parts of a file whose format has alpha. */
export async function paintParts(
  subject: Subject,
  size: PixelSize,
  { scene, isTransparent = false }: PaintOptions,
): Promise<{ readonly pixels: DrawnPixels } & PngParts> {
  const { isRehearsal = false, prompt } = subject;
  const pixels = await paintPicture({ ...subject, isRehearsal: false }, size, scene);
  const alpha = isTransparent ? opaquePart(pixels) : undefined;
  if (isRehearsal) markRehearsal(pixels, prompt, size.width, alpha);
  return { pixels, ...definedFields({ alpha }) };
}

/** The greatest difference from the color of the border that counts as background. */
const backgroundRange = 60;

/** One byte a pixel. Pixels with the border's color that are connected with it become transparent; if they are few, the corners do. */
function opaquePart({ width, height, rgb }: DrawnPixels): Uint8Array {
  const alpha = new Uint8Array(width * height).fill(255);
  const [red = 0, green = 0, blue = 0] = rgb;
  const isBackground = (at: number): boolean =>
    Math.abs((rgb[at * 3] ?? 0) - red) +
      Math.abs((rgb[at * 3 + 1] ?? 0) - green) +
      Math.abs((rgb[at * 3 + 2] ?? 0) - blue) <=
    backgroundRange;
  const waiting: number[] = [];
  let cleared = 0;
  const look = (at: number): void => {
    if (alpha[at] !== 255 || !isBackground(at)) return;
    alpha[at] = 0;
    cleared += 1;
    waiting.push(at);
  };
  for (let x = 0; x < width; x += 1) [x, (height - 1) * width + x].forEach(look);
  for (let y = 0; y < height; y += 1) [y * width, y * width + width - 1].forEach(look);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at % width > 0) look(at - 1);
    if (at % width < width - 1) look(at + 1);
    if (at >= width) look(at - width);
    if (at < (height - 1) * width) look(at + width);
  }
  if (cleared >= alpha.length * 0.05) return alpha;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [(2 * x + 1) / width - 1, (2 * y + 1) / height - 1];
      alpha[y * width + x] = across * across + down * down <= 1 ? 255 : 0;
    }
  return alpha;
}

interface PngParts {
  /** One byte a pixel. */
  readonly alpha?: Uint8Array;
}

export async function encodePng(pixels: DrawnPixels, { alpha }: PngParts = {}): Promise<Buffer> {
  const { width, height, rgb } = pixels;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, alpha === undefined ? 2 : 6, 0, 0, 0], 8); // 8 bits a channel, RGB or RGBA, no interlace
  const channels = alpha === undefined ? 3 : 4;
  const bytes = alpha === undefined ? rgb : withAlpha(rgb, alpha);
  const data = await deflateAsync(filterUp(bytes, width * channels, height), { level: 6 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function withAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(alpha.length * 4);
  for (let at = 0; at < alpha.length; at += 1) {
    bytes.set(rgb.subarray(at * 3, at * 3 + 3), at * 4);
    bytes[at * 4 + 3] = alpha[at] ?? 255;
  }
  return bytes;
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
