/**
 * Any code point but the halves of pairs, as the unit of a random text. The unit of fast-check makes a table of all code points, which takes seconds
 * and a hundred megabytes.
 */
import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

export const anyCharacter = fc
  .nat({ max: 0x10_ff_ff - surrogates.count })
  .map((place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count), placeOf);

/** The inverse, by which fast-check puts names with a meaning, such as `__proto__`, among the texts. It also tries whole names, which fail. */
function placeOf(character: unknown): number {
  const [first = "", ...rest] = typeof character === "string" ? Array.from(character) : [];
  const point = first.codePointAt(0);
  const isHalf = /\p{Surrogate}/u.test(first);
  if (point === undefined || isHalf || rest.length > 0) throw new Error("not a character");
  return point < surrogates.first ? point : point - surrogates.count;
}
