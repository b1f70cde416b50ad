/** The words on the picture of a rehearsal are there after the picture was cut to the shape of its file. */
import assert from "node:assert/strict";
import { markRehearsal } from "../../../../src/localGateway/demo/rehearsalMark";

const paper = [250, 246, 236] as const;

/** The first and the last row and column that has paper, as a part of the whole. */
function paperOf(
  width: number,
  height: number,
): { readonly rows: readonly number[]; readonly columns: readonly number[] } {
  const rgb = new Uint8Array(width * height * 3);
  markRehearsal({ width, height, rgb }, "A lighthouse above a harbour in the evening");
  const rows = [1, 0];
  const columns = [1, 0];
  const widen = (ends: number[], from: number, to: number): void => {
    ends[0] = Math.min(ends[0]!, from);
    ends[1] = Math.max(ends[1]!, to);
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!paper.every((value, channel) => rgb[(y * width + x) * 3 + channel] === value)) continue;
      widen(rows, y / height, (y + 1) / height);
      widen(columns, x / width, (x + 1) / width);
    }
  return { rows, columns };
}

describe("the marks of a rehearsal", () => {
  for (const [width, height] of [
    [1536, 1024],
    [640, 360],
    [300, 200],
  ] as const)
    it(`T20: the words of ${width}x${height} are in the middle, below the band`, () => {
      const { rows, columns } = paperOf(width, height);
      assert.ok(rows[0]! >= 0.5 && rows[1]! <= 0.85, rows.join(" to "));
      assert.ok(Math.abs(columns[0]! + columns[1]! - 1) < 0.02, columns.join(" to "));
    });
});
