/** Which lines of a text are undecided, after changes of a model, of the person and of a formatter. */
import assert from "node:assert/strict";
import {
  withEditsOfPerson,
  changedByModel,
  changedByPerson,
  countRows,
  decideAll,
  decidedRows,
  decideHunk,
  textAfterUndo,
  hunksOf,
  nowOf,
  readRows,
  type ReviewRows,
} from "../../../../src/chat/undo/reviewRows";
import { firstSeed, runsOf } from "../../../support/runs";
import { seeded } from "../../../support/seeded";

const base = "a\nb\nc\nd\ne\n";
const edited = (after: string, before = base): ReviewRows => changedByModel(decidedRows(before), after);
const shown = (rows: ReviewRows): readonly string[] =>
  hunksOf(rows).map(
    ({ start, end, removed }) => `${start}-${end}${removed.map((line) => ` -${line.trimEnd()}`).join("")}`,
  );

describe("the rows of a text under review", () => {
  it("A16: hunks of a model are kept and taken back one by one, to the byte", () => {
    const rows = edited("A\nb\nc\nnew\nd\n");
    assert.deepEqual(shown(rows), ["0-1 -a", "3-4", "5-5 -e"]);
    assert.equal(nowOf(decideHunk(rows, 0, false)), "a\nb\nc\nnew\nd\n");
    assert.deepEqual(shown(decideHunk(rows, 1, true)), ["0-1 -a", "5-5 -e"]);
    assert.equal(textAfterUndo(decideHunk(rows, 1, true)), "a\nb\nc\nnew\nd\ne\n");
    assert.equal(nowOf(decideAll(rows, false)), base);
    assert.equal(textAfterUndo(decideAll(rows, true)), "A\nb\nc\nnew\nd\n");
  });

  it("A16: what the person types in a hunk and beside it stays when the hunk is taken back", () => {
    const rows = changedByPerson(
      edited("a\nb\none\ntwo\nthree\nc\nd\ne\n"),
      "mine\na\nb\none\nmy own\ntwo\nthree\nc\nd\ne\n",
    );
    assert.deepEqual(shown(rows), ["3-4", "5-7"]);
    assert.equal(textAfterUndo(rows), "mine\na\nb\nmy own\nc\nd\ne\n");
  });

  it("A16: a hunk of which the person has rewritten each line is theirs; what is left of another one can be taken back", () => {
    assert.deepEqual(shown(changedByPerson(edited("a\nB\nc\nd\ne\n"), "a\nmine\nc\nd\ne\n")), []);
    const rows = changedByPerson(edited("a\nB1\nB2\nc\nd\ne\n"), "a\nB1\nmine\nc\nd\ne\n");
    assert.deepEqual(shown(rows), ["1-2 -b"]);
    assert.equal(textAfterUndo(rows), "a\nb\nmine\nc\nd\ne\n");
  });

  it("A16: an undo in the editor, of a whole hunk and of a part, leaves no mark of it", () => {
    for (const text of ["a\nB\nc\nd\ne\n", "a\nc\nd\ne\n", "a\nx\ny\nb\nc\nd\ne\n"])
      assert.deepEqual(shown(changedByPerson(edited(text), base)), [], text);
    const rows = changedByPerson(edited("a\nX\nY\nd\ne\n"), "a\nX\nc\nd\ne\n");
    assert.equal(textAfterUndo(rows), base);
    assert.deepEqual(shown(rows), ["1-2 -b"]);
  });

  it("A16: a formatter that changes blanks, line ends or the number of lines leaves a hunk to be decided", () => {
    const rows = edited("a\nif (b) {c;}\nd\ne\n");
    const formatted = changedByPerson(rows, "a\n  if (b) {\n    c;\n  }\nd\ne\n");
    assert.deepEqual(shown(formatted), ["1-4 -b -c"]);
    assert.equal(textAfterUndo(formatted), base);
    assert.deepEqual(shown(changedByPerson(edited("a\nB\nc\nd\ne\n"), "a\r\nB\r\nc\r\nd\r\ne\r\n")), ["1-2 -b"]);
  });

  it("A16: a model that changes its own lines leaves one hunk, and none where it restores the text", () => {
    const rows = changedByModel(edited("a\nB\nc\nd\ne\n"), "a\nBB\nc\nd\ne\n");
    assert.deepEqual(shown(rows), ["1-2 -b"]);
    assert.equal(textAfterUndo(rows), base);
    assert.deepEqual(shown(changedByModel(rows, base)), []);
  });

  it("A16: a last line without an end is not joined with lines that come to stand behind it", () => {
    const rows = changedByPerson(edited("a\nb\nc", "a\nb"), "a\nb\nc\nmine");
    assert.equal(textAfterUndo(rows), "a\nb\nmine");
    assert.equal(textAfterUndo(changedByPerson(edited("a\nB", "a\nb"), "a\nB\nmine\n")), "a\nb\nmine\n");
  });

  it("A16: what the person types into lines that a model goes on writing stays, also where the model takes its own back", () => {
    const put = (written: string, now: string, next: string): string => withEditsOfPerson(written, now, next);
    assert.equal(put("A\nb", "A\nb", "A\nB"), "A\nB");
    assert.equal(put("A\nb", "A\nmine\nb", "A\nB\nC"), "A\nmine\nB\nC");
    assert.equal(put("A\nb", "A\nmine\nb", "a\nb"), "a\nmine\nb");
    assert.equal(put("A\nb", "A\nmine", "A\nB\nC"), "A\nmine\nB\nC");
    assert.equal(put("A\nb\nc", "A\nc", "A\nb\nc\nd"), "A\nc\nd", "what they took away stays away");
  });

  it("A16: rows are stored by their counts, and others than those of the texts are not read", () => {
    const rows = edited("A\nb\nc\nnew\nd\n");
    const counts = countRows(rows);
    assert.deepEqual(readRows(counts, textAfterUndo(rows), nowOf(rows)), rows);
    assert.equal(readRows(counts, textAfterUndo(rows), `${nowOf(rows)}more\n`), undefined);
    assert.equal(readRows(counts, base.replace("b", "x"), nowOf(rows)), undefined);
  });

  it("A16: rows of a text that ends without a line end are read again, also where the former one goes on behind it", () => {
    for (const end of ["\n", "\r\n"]) {
      const former = ["a", "b", "c", "d", ""].join(end);
      const byModel = changedByModel(decidedRows(former), ["A", "b", "c", ""].join(end));
      const rows = changedByPerson(byModel, ["A", "b", "c"].join(end));
      assert.deepEqual(shown(rows), ["0-1 -a", "3-3 -d"]);
      const kept = decideHunk(rows, 0, true);
      const read = readRows(countRows(kept), textAfterUndo(kept), nowOf(kept));
      assert.deepEqual(read && shown(read), ["3-3 -d"], "what was kept stays so");
      assert.equal(read && textAfterUndo(read), textAfterUndo(kept));
      assert.equal(read && nowOf(read), nowOf(kept));
    }
  });

  it("A16: over random changes no line of the person is lost, and what is taken back and kept is exactly what was chosen", () => {
    for (let seed = firstSeed; seed < firstSeed + runsOf(2000, 100); seed += 1) {
      try {
        play(seed);
      } catch (error) {
        throw new Error(`SLUICE_SEED=${seed}`, { cause: error });
      }
    }
  });
});

/** Each line is written once, so that it is known where it is from. */
function play(seed: number): void {
  const random = seeded(seed);
  let words = 0;
  const lines = (by: string, count: number): string[] => Array.from({ length: count }, () => `${by}${(words += 1)}\n`);
  let rows = decidedRows(lines("old", 12).join(""));
  /** Lines of the person that they have not taken away themselves, and none that a model removed. */
  let mine = new Set<string>();
  const kept = new Set<string>();
  const split = (text: string): string[] => text.match(/[^\n]*\n/g) ?? [];
  for (let step = 0; step < 14; step += 1) {
    const now = split(nowOf(rows));
    const at = random(now.length + 1);
    const kind = random(5);
    if (kind < 2) {
      const taken = now.splice(at, random(3), ...lines("model", random(3)));
      const before = textAfterUndo(rows);
      rows = changedByModel(rows, now.join(""));
      assert.equal(textAfterUndo(rows), before, "a change of the model can be taken back");
      for (const line of taken) mine.delete(line);
    } else if (kind < 4) {
      const taken = now.splice(at, random(3) === 0 ? random(2) : 0, ...lines("mine", 1 + random(2)));
      rows = changedByPerson(rows, now.join(""));
      for (const line of taken) mine.delete(line);
      mine = new Set([...mine, ...now.filter((line) => line.startsWith("mine"))]);
    } else {
      const hunks = hunksOf(rows);
      if (hunks.length === 0) continue;
      const chosen = random(hunks.length);
      const hunk = hunks[chosen];
      const isKept = random(2) === 0;
      const after = decideHunk(rows, chosen, isKept);
      const expected = [...now];
      if (isKept && hunk) for (const line of now.slice(hunk.start, hunk.end)) kept.add(line);
      if (!isKept && hunk) expected.splice(hunk.start, hunk.end - hunk.start, ...hunk.removed);
      assert.deepEqual(split(nowOf(after)), expected);
      assert.equal(hunksOf(after).length, hunks.length - 1);
      rows = after;
    }
    const [there, former] = [new Set(split(nowOf(rows))), new Set(split(textAfterUndo(rows)))];
    for (const line of mine) assert.ok(there.has(line) && former.has(line), `${line.trim()} of the person`);
    for (const line of former)
      assert.ok(!line.startsWith("model") || kept.has(line), "what was not kept is taken back");
  }
}
