/** Bytes to text at any cut, as one decoder that sees all of them at once. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { createUtf8Reader } from "../../../src/gateway/utf8";

/** Beginnings of characters of each length, what may follow them, and what may not. */
const byte = fc.constantFrom(
  0x61,
  0x7f,
  0x80,
  0xbf,
  0xc3,
  0xa9,
  0xe2,
  0x82,
  0xac,
  0xed,
  0xa0,
  0xef,
  0xbb,
  0xf0,
  0x9f,
  0xff,
);

describe("F11: characters", () => {
  const read = (pieces: readonly Uint8Array[]): string => {
    const reader = createUtf8Reader();
    return pieces.map((piece) => reader.push(piece)).join("") + reader.end();
  };

  it("F8, F11: cut anywhere, whole or broken, they are read as if they had come at once", () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), fc.nat(12), fc.nat(12), (bytes, one, other) => {
        const all = Uint8Array.from(bytes);
        const [from, to] = one < other ? [one, other] : [other, one];
        const pieces = [all.subarray(0, from), all.subarray(from, to), all.subarray(to)];
        assert.equal(read(pieces), new TextDecoder().decode(all));
      }),
      { numRuns: 5000, seed: 4 },
    );
  });

  it("F8: only a byte order mark at the very beginning is dropped", () => {
    const text = "\uFEFFa\uFEFF€👍";
    const bytes = [...new TextEncoder().encode(text)].map((one) => Uint8Array.of(one));
    assert.equal(read(bytes), text.slice(1));
  });
});
