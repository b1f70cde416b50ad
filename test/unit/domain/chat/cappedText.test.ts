/** Output that is kept within bounds, whatever the chunks it came in. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { capText, emptyOutput, joinOutput } from "../../../../src/domain/chat/cappedText";

/** Around the two bounds. */
const text = fc
  .tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom(0, 1, 100, 8190, 8192, 24_576, 32_768, 40_000))
  .map(([pattern, length]) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length));

describe("capped text", () => {
  it("A1, P2: chunk by chunk, joined in any groups, it is what capping the whole text gives", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.nat({ max: 6 }), (chunks, at) => {
        const join = (some: readonly string[]) => some.map(capText).reduce(joinOutput, emptyOutput);
        const whole = capText(chunks.join(""));
        assert.deepEqual(join(chunks), whole);
        assert.deepEqual(joinOutput(join(chunks.slice(0, at)), join(chunks.slice(at))), whole);
      }),
    );
  });

  it("A1: of a flood the first and the last characters are kept, and how many are missing", () => {
    const flood = joinOutput(capText(`first ${"x".repeat(1_000_000)}`), capText(`${"y".repeat(1_000_000)} last`));
    assert.match(flood.head, /^first x+$/);
    assert.match(flood.tail, /^y+ last$/);
    assert.equal(flood.head.length + flood.omitted + flood.tail.length, 2_000_011);
    assert.ok(flood.head.length + flood.tail.length <= 32 * 1024);
  });
});
