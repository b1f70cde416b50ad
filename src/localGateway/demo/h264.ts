/** Pictures to H.264 without a codec: every macroblock is written as plain samples (I_PCM), which each decoder knows. ITU-T H.264, 7.3. */
import type { Pixels } from "./paint";

/** The parameter sets that a container keeps apart, and one access unit a frame; without start codes. */
export interface H264 {
  readonly sequence: Buffer;
  readonly picture: Buffer;
}

const block = 16;
/** Level 3.1 of the constrained baseline profile: enough for the bit rate of plain samples. */
const profile = [66, 0xc0, 31] as const;

/** Both sides must be multiples of 16. */
export function parameterSets({ width, height }: { readonly width: number; readonly height: number }): H264 {
  const sequence = new BitWriter();
  for (const byte of profile) sequence.bits(byte, 8);
  sequence.golomb(0); // id
  sequence.golomb(0); // frame numbers have 4 bits
  sequence.golomb(2); // output order is decoding order
  sequence.golomb(1); // reference frames
  sequence.bits(0, 1);
  sequence.golomb(width / block - 1);
  sequence.golomb(height / block - 1);
  sequence.bits(0b1100, 4); // whole frames, 8x8 inference, no cropping, no VUI
  const picture = new BitWriter();
  picture.golomb(0);
  picture.golomb(0);
  picture.bits(0b00, 2); // CAVLC
  for (let field = 0; field < 3; field += 1) picture.golomb(0);
  picture.bits(0b000, 3); // no weighted prediction
  for (let field = 0; field < 3; field += 1) picture.golomb(0);
  picture.bits(0b100, 3); // slices say themselves whether they are deblocked
  return { sequence: unit(0x67, sequence), picture: unit(0x68, picture) };
}

/** One frame that stands alone. Neighbours must have different numbers. */
export function encodeFrame(pixels: Pixels, number: number): Buffer {
  const { width, height } = pixels;
  const slice = new BitWriter((width * height * 3) / 2 + (width * height) / 64 + 64);
  slice.golomb(0); // first macroblock
  slice.golomb(7); // all slices are I
  slice.golomb(0);
  slice.bits(0, 4); // frame number
  slice.golomb(number % 2);
  slice.bits(0b00, 2);
  slice.golomb(0); // quantiser as it was
  slice.golomb(1); // no deblocking
  const planes = toPlanes(pixels);
  for (let y = 0; y < height; y += block) {
    for (let x = 0; x < width; x += block) {
      slice.golomb(25); // I_PCM
      slice.align();
      slice.square(planes.luma, width, x, y, block);
      slice.square(planes.blue, width / 2, x / 2, y / 2, block / 2);
      slice.square(planes.red, width / 2, x / 2, y / 2, block / 2);
    }
  }
  return unit(0x65, slice);
}

interface Planes {
  readonly luma: Uint8Array;
  readonly blue: Uint8Array;
  readonly red: Uint8Array;
}

/** BT.601, limited range: no sample is 0, so that next to no emulation prevention is needed. */
function toPlanes({ width, height, rgb }: Pixels): Planes {
  const luma = new Uint8Array(width * height);
  const half = width / 2;
  const blueSum = new Float32Array(half * (height / 2));
  const redSum = new Float32Array(half * (height / 2));
  for (let index = 0; index < luma.length; index += 1) {
    const [r = 0, g = 0, b = 0] = [rgb[index * 3], rgb[index * 3 + 1], rgb[index * 3 + 2]];
    luma[index] = 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255 + 0.5;
    const at = (Math.floor(index / width) >> 1) * half + ((index % width) >> 1);
    blueSum[at] = (blueSum[at] ?? 0) + (-37.797 * r - 74.203 * g + 112 * b) / 1020;
    redSum[at] = (redSum[at] ?? 0) + (112 * r - 93.786 * g - 18.214 * b) / 1020;
  }
  return { luma, blue: Uint8Array.from(blueSum, centre), red: Uint8Array.from(redSum, centre) };
}

const centre = (value: number): number => Math.round(128 + value);

/** A unit with its header byte; a 3 is put between two zeros and a small byte, so that no start code appears inside. */
function unit(header: number, payload: BitWriter): Buffer {
  const bytes = payload.finish();
  const out = Buffer.alloc(Math.ceil(bytes.length * 1.5) + 1);
  out[0] = header;
  let length = 1;
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros === 2 && byte <= 3) {
      out[length++] = 3;
      zeros = 0;
    }
    out[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return out.subarray(0, length);
}

class BitWriter {
  readonly #bytes: Uint8Array;
  #bit = 0;

  constructor(size = 64) {
    this.#bytes = new Uint8Array(size);
  }

  bits(value: number, count: number): void {
    for (let shift = count - 1; shift >= 0; shift -= 1) {
      const at = this.#bit >> 3;
      if ((value >> shift) & 1) this.#bytes[at] = (this.#bytes[at] ?? 0) | (0x80 >> (this.#bit & 7));
      this.#bit += 1;
    }
  }

  /** An unsigned Exp-Golomb code. */
  golomb(value: number): void {
    const length = 32 - Math.clz32(value + 1);
    this.bits(0, length - 1);
    this.bits(value + 1, length);
  }

  align(): void {
    this.#bit = (this.#bit + 7) & ~7;
  }

  square(plane: Uint8Array, stride: number, x: number, y: number, side: number): void {
    for (let row = y; row < y + side; row += 1) {
      this.#bytes.set(plane.subarray(row * stride + x, row * stride + x + side), this.#bit >> 3);
      this.#bit += side * 8;
    }
  }

  finish(): Uint8Array {
    this.bits(1, 1);
    this.align();
    return this.#bytes.subarray(0, this.#bit >> 3);
  }
}
