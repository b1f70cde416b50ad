/** Encodes pixels as a baseline JPEG without subsampling. Its three components share the same simple tables. */
import type { DrawnPixels } from "./drawing/rasterize";

/** The divisors are smaller for low frequencies, which the eye sees best. */
const quantizers = Array.from({ length: 64 }, (_, at) => 3 + 2 * ((at >> 3) + (at & 7)));
const zigzag = zigzagOrder();
const cosines = Array.from({ length: 64 }, (_, at) => {
  const [frequency, place] = [at >> 3, at & 7];
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** The symbols of a Huffman table by the length of their codes; index 0 has those of one bit. */
type CodeTable = readonly (readonly number[])[];

const sizes = Array.from({ length: 12 }, (_, size) => size);
/** The symbols: a run of zeros in the upper half of the byte, the size of the number after it in the lower half. */
const pairs = [
  0xf0,
  ...Array.from({ length: 256 }, (_, pair) => pair).filter((pair) => pair % 16 > 0 && pair % 16 < 11),
];
const frequent = [0x01, 0x02, 0x11, 0x03] as const;
const endOfBlock = 0;
const firstTable: CodeTable = [[], [], [], sizes];
const otherTable: CodeTable = [
  [],
  [endOfBlock],
  [],
  frequent,
  [],
  [],
  [],
  [],
  pairs.filter((pair) => frequent.every((other) => other !== pair)),
];

/** Yields to the event loop after each row of blocks. */
export async function encodeJpeg({ width, height, rgb }: DrawnPixels): Promise<Buffer> {
  const bits = new BitWriter();
  const [firstCodes, otherCodes] = [codesOf(firstTable), codesOf(otherTable)];
  const last = [0, 0, 0];
  const block = new Float64Array(64);
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (const part of [0, 1, 2] as const) {
        readBlock(block, { width, height, rgb }, left, top, part);
        const numbers = transform(block);
        const first = numbers[0] ?? 0;
        writeNumber(bits, firstCodes, 0, first - (last[part] ?? 0));
        last[part] = first;
        writeRest(bits, otherCodes, numbers);
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat([headerOf(width, height), bits.end(), Buffer.from([0xff, 0xd9])]);
}

function headerOf(width: number, height: number): Buffer {
  const jfif = [...Buffer.from("JFIF\0", "latin1"), 1, 1, 0, 0, 1, 0, 1, 0, 0];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 3, ...[1, 2, 3].flatMap((id) => [id, 0x11, 0])];
  const table = (id: number, codes: CodeTable): readonly number[] => [
    id,
    ...Array.from({ length: 16 }, (_, length) => codes[length]?.length ?? 0),
    ...codes.flat(),
  ];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, jfif),
    segment(0xdb, [0, ...zigzag.map((at) => quantizers[at] ?? 1)]),
    segment(0xc0, frame),
    segment(0xc4, [...table(0x00, firstTable), ...table(0x10, otherTable)]),
    segment(0xda, [3, ...[1, 2, 3].flatMap((id) => [id, 0]), 0, 63, 0]),
  ]);
}

function segment(marker: number, body: readonly number[]): Buffer {
  const length = body.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...body]);
}

/** Reads a block. Beyond the edge the last pixel is repeated. `part`: luminance or one of the two differences in color. */
function readBlock(
  block: Float64Array,
  { width, height, rgb }: DrawnPixels,
  left: number,
  top: number,
  part: 0 | 1 | 2,
): void {
  for (let at = 0; at < 64; at += 1) {
    const x = Math.min(width - 1, left + (at & 7));
    const y = Math.min(height - 1, top + (at >> 3));
    const from = (y * width + x) * 3;
    const [red, green, blue] = [rgb[from] ?? 0, rgb[from + 1] ?? 0, rgb[from + 2] ?? 0];
    if (part === 0) block[at] = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
    else if (part === 1) block[at] = -0.168736 * red - 0.331264 * green + 0.5 * blue;
    else block[at] = 0.5 * red - 0.418688 * green - 0.081312 * blue;
  }
}

const halfway = new Float64Array(64);

/** Returns the cosine transform divided by the quantizers, in the order in which it is written. */
function transform(block: Float64Array): readonly number[] {
  for (let row = 0; row < 8; row += 1) {
    for (let frequency = 0; frequency < 8; frequency += 1) {
      let sum = 0;
      for (let x = 0; x < 8; x += 1) sum += (block[row * 8 + x] ?? 0) * (cosines[frequency * 8 + x] ?? 0);
      halfway[row * 8 + frequency] = sum;
    }
  }
  return zigzag.map((at) => {
    const [vertical, horizontal] = [at >> 3, at & 7];
    let sum = 0;
    for (let y = 0; y < 8; y += 1) sum += (halfway[y * 8 + horizontal] ?? 0) * (cosines[vertical * 8 + y] ?? 0);
    return Math.round(sum / (quantizers[at] ?? 1));
  });
}

function writeRest(bits: BitWriter, codes: Codes, numbers: readonly number[]): void {
  let zeros = 0;
  for (let at = 1; at < 64; at += 1) {
    const value = numbers[at] ?? 0;
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits.write(...(codes.get(0xf0) ?? none));
    writeNumber(bits, codes, zeros * 16, value);
    zeros = 0;
  }
  if (zeros > 0) bits.write(...(codes.get(endOfBlock) ?? none));
}

/** Writes the code of the number's size, then its bits, which are inverted for a negative number. */
function writeNumber(bits: BitWriter, codes: Codes, run: number, value: number): void {
  const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value));
  bits.write(...(codes.get(run + size) ?? none));
  if (size > 0) bits.write(value < 0 ? value + (1 << size) - 1 : value, size);
}

type Codes = ReadonlyMap<number, readonly [code: number, length: number]>;
const none = [0, 0] as const;

/** Assigns the codes: those of one length count up, and the count goes on in the next length with a zero appended. */
function codesOf(table: CodeTable): Codes {
  const codes = new Map<number, readonly [number, number]>();
  let code = 0;
  for (const [index, symbols] of table.entries()) {
    code <<= 1;
    for (const symbol of symbols) codes.set(symbol, [code++, index + 1]);
  }
  return codes;
}

class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #used = 0;

  write(value: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit -= 1) {
      this.#current = (this.#current << 1) | ((value >> bit) & 1);
      this.#used += 1;
      if (this.#used === 8) this.#endByte();
    }
  }

  /** Returns the bytes; the last one is filled with ones. */
  end(): Buffer {
    while (this.#used > 0) this.write(1, 1);
    return Buffer.from(this.#bytes);
  }

  #endByte(): void {
    this.#bytes.push(this.#current);
    // A byte of ones would begin a marker, so a zero follows it.
    if (this.#current === 0xff) this.#bytes.push(0);
    this.#current = 0;
    this.#used = 0;
  }
}

/** The order of frequencies from the lowest to the highest, along the diagonals. */
function zigzagOrder(): readonly number[] {
  const order = Array.from({ length: 64 }, (_, at) => at);
  const key = (at: number): number => {
    const [y, x] = [at >> 3, at & 7];
    const diagonal = x + y;
    return diagonal * 8 + (diagonal % 2 === 0 ? x : y);
  };
  return order.toSorted((one, other) => key(one) - key(other));
}
