/** Encodes pixels as lossless WebP (VP8L) with codes of eight bits a channel, so the files are larger than those of other encoders. */
import type { DrawnPixels } from "./drawing/rasterize";

interface WebPParts {
  /** One byte a pixel. */
  readonly alpha?: Uint8Array;
}

export function encodeWebP({ width, height, rgb }: DrawnPixels, { alpha }: WebPParts = {}): Buffer {
  const bits = new BitWriter(width * height * (alpha === undefined ? 3 : 4) + 1024);
  bits.write(0x2f, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(alpha === undefined ? 0 : 1, 1);
  // Version 0; no transform, no color cache, one group of codes.
  bits.write(0, 3 + 1 + 1 + 1);
  // Green has 24 more symbols, for lengths of copies, which are not used.
  writeByteCode(bits, 280);
  writeByteCode(bits, 256);
  writeByteCode(bits, 256);
  if (alpha === undefined) writeOnlySymbol(bits, 255);
  else writeByteCode(bits, 256);
  writeOnlySymbol(bits, 0);
  for (let at = 0; at < width * height; at += 1) {
    bits.writeSymbol(rgb[at * 3 + 1] ?? 0);
    bits.writeSymbol(rgb[at * 3] ?? 0);
    bits.writeSymbol(rgb[at * 3 + 2] ?? 0);
    if (alpha !== undefined) bits.writeSymbol(alpha[at] ?? 255);
  }
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP", "latin1"), chunk("VP8L", bits.end())]));
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Writes the lengths of the codes: 8 for each byte, 0 for further symbols. The lengths themselves are in a code of one bit, for 0 and 8. */
function writeByteCode(bits: BitWriter, symbols: number): void {
  bits.write(0, 1);
  // The lengths of the codes of twelve lengths, in the order of the format: 17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8.
  bits.write(12 - 4, 4);
  for (let at = 0; at < 12; at += 1) bits.write(at === 2 || at === 11 ? 1 : 0, 3);
  bits.write(0, 1);
  for (let symbol = 0; symbol < symbols; symbol += 1) bits.write(symbol < 256 ? 1 : 0, 1);
}

/** A code of a single symbol takes no bits. */
function writeOnlySymbol(bits: BitWriter, symbol: number): void {
  bits.write(1, 1);
  bits.write(0, 1);
  bits.write(1, 1);
  bits.write(symbol, 8);
}

/** Bytes with reversed bits, because codes begin with their highest bit and numbers with their lowest. */
const reversed = Uint8Array.from({ length: 256 }, (_, byte) => {
  let turned = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((byte >> bit) & 1) turned |= 0x80 >> bit;
  return turned;
});

class BitWriter {
  readonly #bytes: Buffer;
  #length = 0;
  #rest = 0;
  #count = 0;

  constructor(maxBytes: number) {
    this.#bytes = Buffer.alloc(maxBytes);
  }

  /** Writes at most 16 bits. */
  write(value: number, count: number): void {
    this.#rest |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#bytes[this.#length] = this.#rest & 255;
      this.#length += 1;
      this.#rest >>>= 8;
      this.#count -= 8;
    }
  }

  writeSymbol(byte: number): void {
    this.write(reversed[byte] ?? 0, 8);
  }

  end(): Buffer {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }
}
