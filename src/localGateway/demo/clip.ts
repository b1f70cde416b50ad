/**
 * Encodes a short video as MP4 in H.264, which every VS Code plays. The only complete frame is a drawing that is wider than the video; each further
 * frame states by how far it is moved. So a long clip costs one drawing and is hardly larger than a short one.
 */
import type { DrawnPixels, PixelSize } from "./drawing/rasterize";

const framesPerSecond = 24;

/** The width of a video's drawing: the first frame shows its left part, and the camera moves to the right. */
export function sceneWidth(width: number): number {
  return Math.ceil((width * 1.14) / 16) * 16;
}

/** `scene` has the width of `sceneWidth` and the height of the video. */
export function encodeClip(scene: DrawnPixels, { width, height }: PixelSize, seconds: number): Buffer {
  const columns = scene.width / 16;
  const rows = Math.ceil(height / 16);
  const count = Math.max(1, Math.round(seconds * framesPerSecond));
  // Only cuts at the right and at the bottom are supported by all players, so the left part is shown first.
  const way = scene.width - width;
  const frames = Array.from({ length: count }, (_, frame) => {
    if (frame === 0) return wholePicture(scene, columns, rows);
    // The camera moves there and back in twelve seconds, slower at the ends, in quarters of a pixel.
    const turn = (frame / framesPerSecond / 12) * 2 * Math.PI;
    return movedPicture(Math.round(way * 4 * (0.5 - 0.5 * Math.cos(turn))), frame, columns, rows);
  });
  const clip: Clip = {
    width,
    height,
    framesPerSecond,
    frames,
    sequence: sequenceOf(columns, rows, { right: way, bottom: rows * 16 - height }),
    picture: pictureParameters(),
  };
  return writeMp4(clip);
}

interface Cut {
  readonly right: number;
  readonly bottom: number;
}

const frameNumberBits = 4;
const orderBits = 16;

/** The sequence parameter set: baseline profile, one reference picture, cut to the size of the video. */
function sequenceOf(columns: number, rows: number, cut: Cut): Buffer {
  const macroblocks = columns * rows;
  const level = macroblocks <= 1620 ? 30 : macroblocks <= 3600 ? 31 : macroblocks <= 8192 ? 40 : 51;
  const bits = new BitWriter();
  bits.fixed(66, 8).fixed(0xc0, 8).fixed(level, 8);
  bits
    .number(0)
    .number(frameNumberBits - 4)
    .number(0)
    .number(orderBits - 4);
  bits.number(1).fixed(0, 1);
  bits.number(columns - 1).number(rows - 1);
  bits.fixed(0b11, 2);
  // The cut is given in pairs of pixels.
  bits
    .fixed(1, 1)
    .number(0)
    .number(cut.right / 2)
    .number(0)
    .number(cut.bottom / 2);
  // The colors are those of high definition video, and no frame depends on a later one.
  bits.fixed(1, 1).fixed(0b00, 2).fixed(1, 1).fixed(5, 3).fixed(0, 1).fixed(1, 1).fixed(1, 8).fixed(1, 8).fixed(1, 8);
  bits.fixed(0b00000, 5);
  bits.fixed(1, 1).fixed(1, 1).number(0).number(0).number(13).number(13).number(0).number(1);
  return bits.unit(0x67);
}

function pictureParameters(): Buffer {
  const bits = new BitWriter();
  bits.number(0).number(0).fixed(0b00, 2).number(0).number(0).number(0).fixed(0b000, 3);
  bits.signed(0).signed(0).signed(0).fixed(0b100, 3);
  return bits.unit(0x68);
}

/** Encodes a complete frame with uncompressed pixels. */
function wholePicture(scene: DrawnPixels, columns: number, rows: number): Buffer {
  const bits = new BitWriter();
  bits.number(0).number(7).number(0).fixed(0, frameNumberBits).number(0).fixed(0, orderBits).fixed(0b00, 2);
  bits.signed(0).number(1);
  const block = new Uint8Array(384);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      readMacroblock(block, scene, column * 16, row * 16);
      bits.number(25).aligned(block);
    }
  }
  return bits.unit(0x65);
}

/** Encodes a frame that is the complete one, moved to the left by `moved` quarters of a pixel. No frame refers to it. */
function movedPicture(moved: number, frame: number, columns: number, rows: number): Buffer {
  const bits = new BitWriter();
  bits
    .number(0)
    .number(5)
    .number(0)
    .fixed(1, frameNumberBits)
    .fixed((frame * 2) % (1 << orderBits), orderBits);
  bits.fixed(0b00, 2).signed(0).number(1);
  if (moved === 0) return bits.number(columns * rows).unit(0x01);
  // Blocks at the upper and the left edge state their motion. The others are left out, so they get the motion of their neighbors.
  for (let column = 0; column < columns; column += 1)
    bits
      .number(0)
      .number(0)
      .signed(column === 0 ? moved : 0)
      .signed(0)
      .number(0);
  for (let row = 1; row < rows; row += 1)
    bits
      .number(row === 1 ? 0 : columns - 1)
      .number(0)
      .signed(0)
      .signed(0)
      .number(0);
  if (rows > 1 && columns > 1) bits.number(columns - 1);
  return bits.unit(0x01);
}

/** Reads 16 by 16 values of luminance, then 8 by 8 of each difference in color. Beyond the edge the last pixel is repeated. */
function readMacroblock(block: Uint8Array, { width, height, rgb }: DrawnPixels, left: number, top: number): void {
  for (let y = 0; y < 16; y += 2) {
    for (let x = 0; x < 16; x += 2) {
      let [red, green, blue] = [0, 0, 0];
      for (let part = 0; part < 4; part += 1) {
        const [dx, dy] = [x + (part & 1), y + (part >> 1)];
        const from = (Math.min(height - 1, top + dy) * width + Math.min(width - 1, left + dx)) * 3;
        const [r, g, b] = [rgb[from] ?? 0, rgb[from + 1] ?? 0, rgb[from + 2] ?? 0];
        block[dy * 16 + dx] = Math.round(16 + (219 / 255) * (0.2126 * r + 0.7152 * g + 0.0722 * b));
        red += r / 4;
        green += g / 4;
        blue += b / 4;
      }
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      const at = 256 + (y >> 1) * 8 + (x >> 1);
      block[at] = Math.round(128 + ((224 / 255) * (blue - light)) / 1.8556);
      block[at + 64] = Math.round(128 + ((224 / 255) * (red - light)) / 1.5748);
    }
  }
}

/** Bits of a unit of the stream. */
class BitWriter {
  readonly #chunks: Uint8Array[] = [];
  #bytes: number[] = [];
  #current = 0;
  #used = 0;

  fixed(value: number, length: number): this {
    for (let bit = length - 1; bit >= 0; bit -= 1) {
      this.#current = (this.#current << 1) | ((value >> bit) & 1);
      this.#used += 1;
      if (this.#used < 8) continue;
      this.#bytes.push(this.#current);
      this.#current = 0;
      this.#used = 0;
    }
    return this;
  }

  /** Writes a number with few bits if it is small: as many zeros as there are bits after its first one, then the bits. */
  number(value: number): this {
    const length = 31 - Math.clz32(value + 1);
    return this.fixed(0, length).fixed(value + 1, length + 1);
  }

  signed(value: number): this {
    return this.number(value > 0 ? 2 * value - 1 : -2 * value);
  }

  aligned(bytes: Uint8Array): this {
    if (this.#used > 0) this.fixed(0, 8 - this.#used);
    this.#chunks.push(Uint8Array.from(this.#bytes), bytes.slice());
    this.#bytes = [];
    return this;
  }

  /** Returns the unit with its type and an end mark. A 3 is put between two zeros and a small byte, which would begin another unit. */
  unit(type: number): Buffer {
    this.fixed(1, 1);
    if (this.#used > 0) this.fixed(0, 8 - this.#used);
    const body = Buffer.concat([...this.#chunks, Uint8Array.from(this.#bytes)]);
    const escaped: number[] = [];
    let copied = 0;
    let zeros = 0;
    for (let at = 0; at < body.length; at += 1) {
      const byte = body[at] ?? 0;
      if (zeros >= 2 && byte <= 3) {
        escaped.push(at);
        zeros = 0;
      }
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    const parts: Uint8Array[] = [Uint8Array.of(type)];
    for (const at of escaped) {
      parts.push(body.subarray(copied, at), Uint8Array.of(3));
      copied = at;
    }
    return Buffer.concat([...parts, body.subarray(copied)]);
  }
}

// Puts the frames of an H.264 video into an MP4 file that can play before it is complete.

interface Clip {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** The units of the stream. The first one is complete; the others refer to it. */
  readonly frames: readonly Buffer[];
  /** The sequence and the picture parameter set. */
  readonly sequence: Buffer;
  readonly picture: Buffer;
}

function writeMp4(clip: Clip): Buffer {
  const type = box("ftyp", text("isom"), u32(512), text("isomiso2avc1mp41"));
  const samples = clip.frames.map((frame) => Buffer.concat([u32(frame.length), frame]));
  // The length of the index does not depend on the offset of the frames.
  const start = type.length + indexOf(clip, samples, 0).length + 8;
  return Buffer.concat([type, indexOf(clip, samples, start), box("mdat", ...samples)]);
}

function indexOf(clip: Clip, samples: readonly Buffer[], start: number): Buffer {
  const { width, height, framesPerSecond } = clip;
  const duration = samples.length;
  const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32));
  const movie = full(
    "mvhd",
    0,
    u32(0),
    u32(0),
    u32(framesPerSecond),
    u32(duration),
    u32(0x10000),
    u16(0x100),
    Buffer.alloc(10),
    matrix,
    Buffer.alloc(24),
    u32(2),
  );
  const track = full(
    "tkhd",
    3,
    u32(0),
    u32(0),
    u32(1),
    u32(0),
    u32(duration),
    Buffer.alloc(16),
    matrix,
    u32(width * 65536),
    u32(height * 65536),
  );
  const media = full("mdhd", 0, u32(0), u32(0), u32(framesPerSecond), u32(duration), u16(0x55c4), u16(0));
  const handler = full("hdlr", 0, u32(0), text("vide"), Buffer.alloc(12), text("Video\0"));
  const source = box("dinf", full("dref", 0, u32(1), full("url ", 1)));
  const table = box(
    "stbl",
    full("stsd", 0, u32(1), codecOf(clip)),
    full("stts", 0, u32(1), u32(samples.length), u32(1)),
    full("stss", 0, u32(1), u32(1)),
    full("stsc", 0, u32(1), u32(1), u32(samples.length), u32(1)),
    full("stsz", 0, u32(0), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    full("stco", 0, u32(1), u32(start)),
  );
  const information = box("minf", full("vmhd", 1, Buffer.alloc(8)), source, table);
  return box("moov", movie, box("trak", track, box("mdia", media, handler, information)));
}

function codecOf({ width, height, sequence, picture }: Clip): Buffer {
  const parameters = box(
    "avcC",
    Buffer.from([1, sequence[1] ?? 0, sequence[2] ?? 0, sequence[3] ?? 0, 0xff, 0xe1]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(picture.length),
    picture,
  );
  const resolution = u32(0x480000);
  return box(
    "avc1",
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width),
    u16(height),
    resolution,
    resolution,
    u32(0),
    u16(1),
    Buffer.alloc(32),
    u16(24),
    u16(0xffff),
    parameters,
  );
}

function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), text(name), ...parts]);
}

/** A box with the version 0 and flags. */
const full = (name: string, flags: number, ...parts: readonly Buffer[]): Buffer => box(name, u32(flags), ...parts);
const text = (value: string): Buffer => Buffer.from(value, "latin1");

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
