/** Capital letters as lines on a grid 4 wide and 6 high, for logos. A digit pair is a point; a blank begins a new line. */
import type { Color } from "./colors";
import type { Drawing, Point } from "./drawing";

const letters: Readonly<Record<string, string>> = {
  A: "06204046 1333",
  B: "000626354433230302 001020312303",
  C: "4130100105163645",
  D: "0006264541200000",
  E: "40000646 0333",
  F: "400006 0333",
  G: "413010010516364543 4323",
  H: "0006 4046 0343",
  I: "2026",
  J: "404536160504",
  K: "0006 4003 0346",
  L: "000646",
  M: "0600234046",
  N: "06004640",
  O: "103041453616050110",
  P: "0600304132330303",
  Q: "103041453616050110 2446",
  R: "0600304132330303 2346",
  S: "413010010212323445361605",
  T: "0040 2026",
  U: "000516364540",
  V: "002640",
  W: "0016233640",
  X: "0046 4006",
  Y: "002340 2326",
  Z: "00400646",
};

export const hasLetter = (letter: string): boolean => Object.hasOwn(letters, letter);

/** `height` of a letter; the place is the middle of the top. */
export function drawWord(drawing: Drawing, word: string, [x, y]: Point, height: number, color: Color): void {
  const known = Array.from(word.toUpperCase()).filter(hasLetter);
  const grid = height / 6;
  const step = grid * 6.2;
  const left = x - (known.length * step - step + grid * 4) / 2;
  for (const [index, letter] of known.entries()) {
    for (const stroke of (letters[letter] ?? "").split(" ")) {
      const points = (stroke.match(/\d\d/g) ?? []).map((pair): Point => [
        left + index * step + Number(pair[0]) * grid,
        y + Number(pair[1]) * grid,
      ]);
      for (const [at, point] of points.entries()) {
        const next = points[at + 1];
        if (next !== undefined) drawing.line([point, next], grid * 0.85, color);
        drawing.circle(point[0], point[1], grid * 0.425, color);
      }
    }
  }
}
