/** What became of the edits of a model, as it is told with its next step, and which edits ask because they were taken back (A16). */
import assert from "node:assert/strict";
import { outcomesText } from "../../../../src/chat/request/outcomesText";
import type { ChangeLedger } from "../../../../src/chat/undo/changeLedger";
import { editOutcomes, returnsTakenBack } from "../../../../src/chat/undo/editOutcomes";
import { marksOf, UndecidedFiles } from "../../../../src/chat/undo/undecidedFiles";
import { lastUndo, undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import type { EditOutcome } from "../../../../src/domain/chat/editOutcome";
import type { FileChanges } from "../../../../src/domain/tools/workspace";
import { ledgerOver } from "../../../support/memoryLedger";
import { memoryRoot, MemoryWorkspace } from "../../../support/memoryWorkspace";

const a = `${memoryRoot}/a.ts`;
const base = "one\ntwo\nthree\nfour\nfive\nsix\n";
const edited = "ONE\ntwo\nthree\nfour\nFIVE\nsix\nseven\n";

describe("what became of the edits of a model", () => {
  let workspace: MemoryWorkspace;
  let ledger: ChangeLedger;
  let undecided: UndecidedFiles;
  let told: EditOutcome[];
  let mayQuote: boolean;
  beforeEach(() => {
    workspace = new MemoryWorkspace();
    ledger = ledgerOver(workspace);
    undecided = new UndecidedFiles(ledger);
    told = [];
    mayQuote = true;
    workspace.files.set(a, Buffer.from(base));
  });
  const byModel = (answer = "answer"): FileChanges =>
    ledger.changesOf({ type: "call", answer, call: "call", allowed: "review" });
  const type = (text: string): void => void workspace.files.set(a, Buffer.from(text));
  const now = (): string => workspace.files.get(a)?.toString() ?? "";
  const undoHunk = async (at: number): Promise<void> => {
    const mark = marksOf((await undecided.rowsOf(a, now())) ?? [])[at];
    assert.ok(mark && (await undecided.undoHunk(a, mark)));
  };
  /** With the next step. */
  const tell = async (since = 0): Promise<readonly string[]> => {
    const asked = { answers: new Set(["answer"]), since, told };
    const fresh = await editOutcomes(ledger, asked, () => Promise.resolve(mayQuote));
    told.push(...fresh);
    return fresh.length === 0 ? [] : outcomesText(fresh).split("\n").slice(1, -1);
  };

  it("A16: a hunk that is taken back, and lines that are changed, are told once, with the file and its lines", async () => {
    await byModel().write(a, base, edited);
    assert.deepEqual(await tell(), []);
    await undoHunk(0);
    assert.deepEqual(await tell(), ["- a.ts, line 1: taken back"]);
    assert.deepEqual(await tell(), []);
    type(now().replace("FIVE", "Five"));
    assert.deepEqual(await tell(), ["- a.ts, line 5: changed to", "```", "Five", "```"]);
    assert.deepEqual(await tell(), []);
    type(now().replace("Five\n", ""));
    assert.deepEqual(await tell(), ["- a.ts, line 5: deleted"]);
  });

  it("A16: a whole file that is taken back is one line, and so is its return", async () => {
    await byModel().write(a, base, edited);
    await undoChanges(ledger, undoable(ledger));
    assert.deepEqual(await tell(), ["- a.ts: taken back"]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.deepEqual(await tell(), ["- a.ts: there again, as you had left it"]);
    assert.deepEqual(await tell(), []);
  });

  it("A16: what was taken back in the editor or by git counts too; a formatter, other lines and other answers do not", async () => {
    await byModel().write(a, base, edited);
    type(edited.replace("two", "  two ").replace("FIVE", "  FIVE").replace("three", "THREE"));
    assert.deepEqual(await tell(), []);
    type(base);
    assert.deepEqual(await tell(), ["- a.ts: taken back"]);
    type(base);
    await byModel("another").write(a, base, edited);
    type(base);
    assert.deepEqual(await tell(), []);
  });

  it("A16: a removed line that is back, a file that was made and is gone, and one that was deleted and is back", async () => {
    await byModel().write(a, base, base.replace("three\n", ""));
    await undoHunk(0);
    assert.deepEqual(await tell(), ["- a.ts: taken back"]);
    await byModel().create(`${memoryRoot}/new.ts`, Buffer.from("x\n"));
    workspace.files.delete(`${memoryRoot}/new.ts`);
    assert.deepEqual(await tell(), ["- new.ts: taken back"]);
    await byModel().remove(a, Buffer.from(base));
    assert.deepEqual(await tell(), []);
    type(base);
    assert.deepEqual(await tell(), ["- a.ts: taken back"]);
  });

  it("A16: what was kept before the model was asked last is the person's own to change", async () => {
    await byModel().write(a, base, edited);
    await ledger.keepChanges(ledger.live.map(({ id }) => id));
    const kept = ledger.live[0]?.keptAt ?? 0;
    type(edited.replace("ONE", "mine"));
    assert.deepEqual(await tell(kept + 1), []);
    assert.deepEqual(await tell(kept), ["- a.ts, line 1: changed to", "```", "mine", "```"]);
  });

  it("A16: much is told in few words, and a text that the model may not see unasked not at all", async () => {
    const long = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
    const written = long.map((line, at) => (at % 2 === 0 ? `new ${line}` : line));
    type(long.join(""));
    await byModel().write(a, long.join(""), written.join(""));
    type(written.map((line) => line.replace("new", "mine")).join(""));
    assert.deepEqual(await tell(), ["- a.ts: changed in many places; read the file again"]);
    type(written.join("").replace("new line 2\n", "x".repeat(5000) + "\n"));
    assert.deepEqual(await tell(), ["- a.ts, line 3: changed; read the lines again"]);
    mayQuote = false;
    type(written.join("").replace("new line 2\n", "mine\n"));
    assert.deepEqual(await tell(), []);
  });

  it("A16: the same edit in the same place is found to be one that was taken back, until it was made again", async () => {
    const returns = (before: string, after: string): Promise<boolean> =>
      returnsTakenBack(ledger, { file: a, before, after });
    await byModel().write(a, base, edited);
    assert.equal(await returns(base, edited), false);
    await undoHunk(1);
    assert.equal(await returns(now(), now().replace("five", "FIVE")), true);
    assert.equal(await returns(now(), now().replace("five", "  FIVE")), true);
    assert.equal(await returns(now(), now().replace("five", "Five")), false);
    await undoChanges(ledger, undoable(ledger));
    assert.equal(await returns(base, base.replace("one", "ONE")), true);
    await byModel().write(a, base, base.replace("one", "ONE"));
    assert.equal(await returns(base, base.replace("one", "ONE")), false);
  });

  it("A16: hunks that were taken back one by one are still known when the last one has undone the whole edit, and when that is redone", async () => {
    const returns = (one: string): Promise<boolean> =>
      returnsTakenBack(ledger, { file: a, before: now(), after: now().replace(one, one.toUpperCase()) });
    await byModel().write(a, base, edited);
    for (const at of [2, 1, 0]) await undoHunk(at);
    assert.deepEqual([now(), ledger.live], [base, []]);
    assert.deepEqual([await returns("one"), await returns("five")], [true, true]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.deepEqual([now(), await returns("five")], [base.replace("one", "ONE"), true]);
  });
});
