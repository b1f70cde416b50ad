/** Finds pieces of a key in a text: plain, in hex and in base64 at every alignment, in one pass and without allocating. */

/** Longer than prefixes and masks (`sk-proj-`, `sk-a…wxyz`), which identify a key without revealing it; 8 of 36 characters are 41 bits. */
export const shortestPiece = 8;
const gram = 4;
const cutLeft = 36 ** (gram - 1);

/** Letters, ignoring case, and digits as 0 to 35; everything else is skipped, so that no separator hides a key. */
const symbolOf = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdefghijklmnopqrstuvwxyz".indexOf(String.fromCharCode(code).toLowerCase()),
);
const hexOf = symbolOf.map((symbol) => (symbol < 16 ? symbol : -1));
const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64Of = Int8Array.from({ length: 128 }, (_, code) =>
  base64Alphabet.indexOf(String.fromCharCode(code).replace("-", "+").replace("_", "/")),
);
const lookUp = (table: Int8Array, code: number): number => (code < 128 ? (table[code] ?? -1) : -1);

/** A decoded text; each character has the range of the source that it was decoded from. */
export interface Reading {
  readonly text: string;
  from(index: number): number;
  to(index: number): number;
}

export interface KeyFragments {
  /** The key's letters and digits. */
  readonly length: number;
  /**
   * Ranges of the source that hold `shortest` or more characters in a row of the key: start, end, start, end, …, in no
   * order. A row counts when each four neighbours are neighbours in the key, forwards or backwards.
   */
  find(reading: Reading, shortest: number): readonly number[];
}

export function createKeyFragments(key: string): KeyFragments {
  const symbols = Array.from(key, (character) => lookUp(symbolOf, character.charCodeAt(0))).filter(
    (symbol) => symbol >= 0,
  );
  const grams = new Set<number>();
  for (const sequence of [symbols, symbols.toReversed()]) {
    for (let at = 0; at + gram <= sequence.length; at += 1) {
      grams.add(sequence.slice(at, at + gram).reduce((sum, symbol) => sum * 36 + symbol, 0));
    }
  }
  const plain = new PlainRow(grams);
  const packed = [
    ...[0, 1].map((offset) => new PackedRow(grams, { table: hexOf, bits: 4, offset })),
    ...[0, 1, 2, 3].map((offset) => new PackedRow(grams, { table: base64Of, bits: 6, offset })),
  ];
  return {
    length: symbols.length,
    find(reading, shortest) {
      const { text } = reading;
      const found: number[] = [];
      plain.begin(found, shortest);
      for (const row of packed) row.begin(found, shortest);
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        const from = reading.from(index);
        const to = reading.to(index);
        plain.push(code, from, to);
        for (const row of packed) row.push(code, from, to);
      }
      plain.end();
      for (const row of packed) row.end();
      return found;
    },
  };
}

/** Tracks a run of characters whose last four are adjacent in the key. */
class PlainRow {
  readonly #grams: ReadonlySet<number>;
  #found: number[] = [];
  #shortest = 0;
  #value = 0;
  #count = 0;
  #hits = 0;
  #start = 0;
  #end = 0;
  /** The offsets of the last four, the oldest first. */
  #from: [number, number, number, number] = [0, 0, 0, 0];

  constructor(grams: ReadonlySet<number>) {
    this.#grams = grams;
  }

  begin(found: number[], shortest: number): void {
    this.#found = found;
    this.#shortest = shortest;
    this.#value = this.#count = this.#hits = 0;
  }

  push(code: number, from: number, to: number): void {
    const symbol = lookUp(symbolOf, code);
    if (symbol < 0) return;
    const starts = this.#from;
    starts[0] = starts[1];
    starts[1] = starts[2];
    starts[2] = starts[3];
    starts[3] = from;
    this.#value = (this.#value % cutLeft) * 36 + symbol;
    this.#count += 1;
    if (this.#count < gram) return;
    if (!this.#grams.has(this.#value)) {
      this.end();
      return;
    }
    if (this.#hits === 0) this.#start = starts[0];
    this.#hits += 1;
    this.#end = to;
  }

  end(): void {
    if (this.#hits > 0 && this.#hits + gram - 1 >= this.#shortest) this.#found.push(this.#start, this.#end);
    this.#hits = 0;
  }
}

interface Packing {
  readonly table: Int8Array;
  /** Bits that one character encodes. */
  readonly bits: 4 | 6;
  /** Characters of a run before the first whole byte. */
  readonly offset: number;
}

/** Decodes runs of hex or base64 at one alignment. White space is skipped, any other character ends a run. */
class PackedRow {
  readonly #packing: Packing;
  readonly #row: PlainRow;
  #skip = 0;
  #bits = 0;
  #value = 0;
  /** The offset of the character with the oldest undecoded bit. */
  #from = 0;

  constructor(grams: ReadonlySet<number>, packing: Packing) {
    this.#packing = packing;
    this.#row = new PlainRow(grams);
  }

  begin(found: number[], shortest: number): void {
    this.#row.begin(found, shortest);
    this.#align();
  }

  push(code: number, from: number, to: number): void {
    const { table, bits } = this.#packing;
    const digits = lookUp(table, code);
    if (digits < 0) {
      if (!isBlank(code)) this.#align();
      return;
    }
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    if (this.#bits === 0) this.#from = from;
    this.#value = ((this.#value << bits) | digits) & 0xffff;
    this.#bits += bits;
    if (this.#bits < 8) return;
    this.#bits -= 8;
    this.#row.push((this.#value >> this.#bits) & 0xff, this.#from, to);
    this.#from = from;
  }

  end(): void {
    this.#row.end();
  }

  #align(): void {
    this.#skip = this.#packing.offset;
    this.#bits = this.#value = 0;
  }
}

/** Also invisible characters, and the quotes between parts of a split string. */
function isBlank(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0x22 ||
    code === 0x27 ||
    code === 0xa0 ||
    code === 0xad ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x206f)
  );
}
