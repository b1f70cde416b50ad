/** What the ledger of a chat says is still to be decided, and how hunks and files of it are kept and taken back (A16). */
import assert from "node:assert/strict";
import type { ChangeLedger } from "../../../../src/chat/undo/changeLedger";
import { lastUndo, redoable, undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import { marksOf, UndecidedFiles } from "../../../../src/chat/undo/undecidedFiles";
import { hunksOf } from "../../../../src/chat/undo/reviewRows";
import type { FileChanges } from "../../../../src/domain/tools/workspace";
import { ledgerOver, MemoryLedgerStore } from "../../../support/memoryLedger";
import { memoryRoot, MemoryWorkspace } from "../../../support/memoryWorkspace";

const a = `${memoryRoot}/a.ts`;
const b = `${memoryRoot}/b.ts`;
const base = "one\ntwo\nthree\nfour\nfive\nsix\n";
const edited = "ONE\ntwo\nthree\nfour\nFIVE\nsix\nseven\n";

describe("the undecided files of a chat", () => {
  let workspace: MemoryWorkspace;
  let store: MemoryLedgerStore;
  let ledger: ChangeLedger;
  let undecided: UndecidedFiles;
  let calls = 0;
  beforeEach(() => {
    workspace = new MemoryWorkspace();
    store = new MemoryLedgerStore();
    ledger = ledgerOver(workspace, store);
    undecided = new UndecidedFiles(ledger);
    workspace.files.set(a, Buffer.from(base));
  });
  const byTool = (): FileChanges =>
    ledger.changesOf({ type: "call", answer: "answer", call: `call${(calls += 1)}`, allowed: "call" });
  const textOf = (path: string): string | undefined =>
    workspace.editors.get(path) ?? workspace.files.get(path)?.toString();
  const type = (path: string, text: string): void => {
    workspace.files.set(path, Buffer.from(text));
  };
  /** The hunks of a file, each as its first line and its lines before and after. */
  const hunks = async (path = a): Promise<readonly string[]> => {
    const rows = await undecided.rowsOf(path, textOf(path) ?? "");
    return rows === undefined
      ? []
      : marksOf(rows).map(({ start, removed, added }) => `${start}: ${removed}>${added}`.replaceAll("\n", " "));
  };
  const mark = async (at: number, path = a): Promise<ReturnType<typeof marksOf>[number]> => {
    const rows = await undecided.rowsOf(path, textOf(path) ?? "");
    return marksOf(rows ?? [])[at] ?? { start: 0, added: "", removed: "" };
  };
  const listed = async (): Promise<readonly string[]> =>
    (await undecided.list(() => undefined)).map((file) => `${file.label} ${file.hunks.length}`);
  const reload = async (): Promise<void> => {
    ledger = ledgerOver(workspace, store);
    await ledger.recover();
    undecided = new UndecidedFiles(ledger);
  };

  it("A16: a hunk that is kept is decided, also after a reload and after the model has changed the file again", async () => {
    await byTool().write(a, base, edited);
    assert.deepEqual(await hunks(), ["0: one >ONE ", "4: five >FIVE ", "6: >seven "]);
    assert.equal(await undecided.keepHunk(a, await mark(1)), true);
    assert.deepEqual(await hunks(), ["0: one >ONE ", "6: >seven "]);
    await reload();
    assert.deepEqual(await hunks(), ["0: one >ONE ", "6: >seven "]);
    await byTool().write(a, edited, edited.replace("three", "THREE"));
    assert.deepEqual(await hunks(), ["0: one >ONE ", "2: three >THREE ", "6: >seven "]);
    await undecided.undoFile(a);
    assert.equal(textOf(a), "one\ntwo\nthree\nfour\nFIVE\nsix\n");
    assert.deepEqual([await hunks(), await listed()], [[], []]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.deepEqual(await hunks(), ["0: one >ONE ", "2: three >THREE ", "6: >seven "], "the undo is taken back");
  });

  it("A16: a hunk that is taken back is gone, and the others and the person's own lines stay", async () => {
    await byTool().write(a, base, edited);
    type(a, `mine\n${edited}`);
    assert.equal(await undecided.undoHunk(a, await mark(0)), true);
    assert.equal(textOf(a), "mine\none\ntwo\nthree\nfour\nFIVE\nsix\nseven\n");
    assert.deepEqual(await hunks(), ["5: five >FIVE ", "7: >seven "]);
    assert.equal(await undecided.undoHunk(a, { start: 0, added: "ONE\n", removed: "one\n" }), false, "it is gone");
    await reload();
    await undecided.undoHunk(a, await mark(1));
    await undecided.undoHunk(a, await mark(0));
    assert.equal(textOf(a), `mine\n${base}`);
    assert.deepEqual(await listed(), []);
    assert.ok(ledger.live.every(({ isKept }) => isKept));
  });

  it("A5, A16: what its last hunk takes back counts as undone, as after Undo File, and is redone the same way", async () => {
    const bytes = Buffer.from(`\ufeff${base}`);
    workspace.files.set(a, bytes);
    await byTool().write(a, base, base.replace("two", "TWO"));
    await undecided.undoHunk(a, await mark(0));
    assert.deepEqual([workspace.files.get(a), ledger.live, await listed()], [bytes, [], []]);
    const redo = redoable(ledger, { answers: new Set(["answer"]) });
    await undoChanges(ledger, redo);
    assert.deepEqual([await hunks(), ledger.live.some(({ isKept }) => isKept)], [["1: two >TWO "], false]);
    await byTool().create(b, Buffer.from("made\n"));
    await undecided.undoHunk(b, await mark(0, b));
    assert.deepEqual([textOf(b), undoable(ledger, { path: b })], [undefined, []]);
  });

  it("A5, A16: of several hunks the last one decides: undone where all were taken back, kept where one was kept", async () => {
    await byTool().write(a, base, edited);
    await undecided.undoHunk(a, await mark(2));
    type(a, `mine\n${textOf(a)}`);
    await undecided.undoHunk(a, await mark(1));
    assert.equal(ledger.live.length, 3);
    await undecided.undoHunk(a, await mark(0));
    assert.deepEqual([textOf(a), ledger.live], [`mine\n${base}`, []]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.deepEqual(await hunks(), ["1: one >ONE "], "the last hunk is back");
    await undecided.undoHunk(a, await mark(0));

    type(a, base);
    await byTool().write(a, base, edited);
    await undecided.keepHunk(a, await mark(1));
    await undecided.undoHunk(a, await mark(0));
    await undecided.undoHunk(a, await mark(0));
    assert.deepEqual([textOf(a), await listed()], [base.replace("five", "FIVE"), []]);
    assert.ok(ledger.live.length > 0 && ledger.live.every(({ isKept }) => isKept));
  });

  it("A5, A16: of two answers that changed a file the later one is undone alone, and what was decided about the earlier one stays", async () => {
    const first = ledger.changesOf({ type: "call", answer: "first", call: "first", allowed: "call" });
    await first.write(a, base, edited);
    await byTool().write(a, edited, edited.replace("three", "THREE"));
    await undecided.keepHunk(a, await mark(0));
    assert.deepEqual(await hunks(), ["2: three >THREE ", "4: five >FIVE ", "6: >seven "]);
    await undecided.undoHunk(a, await mark(0));
    assert.deepEqual(
      ledger.live.map(({ cause }) => cause.type !== "undo" && cause.answer),
      ["first"],
    );
    assert.deepEqual([textOf(a), await hunks()], [edited, ["4: five >FIVE ", "6: >seven "]]);
    await reload();
    assert.deepEqual([await hunks(), await listed()], [["4: five >FIVE ", "6: >seven "], ["a.ts 2"]]);
  });

  it("A16: Undo File gives the file back to the byte, with what the person has written since", async () => {
    const bytes = Buffer.from(`\ufeff${base.replaceAll("\n", "\r\n")}`);
    workspace.files.set(a, bytes);
    const text = base.replaceAll("\n", "\r\n");
    await byTool().write(a, text, text.replace("two", "TWO"));
    await byTool().write(a, text.replace("two", "TWO"), text.replace("two", "TWO").replace("six", "SIX"));
    await undecided.undoFile(a);
    assert.deepEqual(workspace.files.get(a), bytes);
    await byTool().create(b, Buffer.from("made\nby a model\n"));
    type(b, "made\nmine\nby a model\n");
    await undecided.undoFile(b);
    assert.equal(textOf(b), "mine\n");
    assert.deepEqual(await listed(), []);
  });

  it("A16: what the person types while Undo File looks for the rows is not lost", async () => {
    await byTool().write(a, base, edited);
    type(a, `mine\n${edited}`);
    const find = undecided.rowsOf.bind(undecided);
    undecided.rowsOf = async (path, now) => {
      const rows = await find(path, now);
      type(a, `typed\nmine\n${edited}`);
      return rows;
    };
    await undecided.undoFile(a);
    assert.equal(textOf(a), `typed\nmine\n${base}`);
    assert.deepEqual(await listed(), []);
  });

  it("A5, A16: Undo File records which answers have lines that stay because they were kept, and no others", async () => {
    const by = (answer: string): FileChanges =>
      ledger.changesOf({ type: "call", answer, call: answer, allowed: "call" });
    for (const [kept, answer] of [
      [0, "first"],
      [1, "second"],
      [2, "third"],
    ] as const) {
      type(a, base);
      await by("first").write(a, base, "ONE\ntwo\nthree\nfour\nfive\nsix\n");
      await by("second").write(a, "ONE\ntwo\nthree\nfour\nfive\nsix\n", "ONE\ntwo\nTHREE\nfour\nfive\nsix\n");
      await by("third").write(a, "ONE\ntwo\nTHREE\nfour\nfive\nsix\n", "ONE\ntwo\nTHREE\nfour\nFIVE\nsix\n");
      await undecided.keepHunk(a, await mark(kept));
      await undecided.undoFile(a);
      const undo = lastUndo(ledger)[0]?.cause;
      const stays = ledger.changes.filter(({ id }) => undo?.type === "undo" && undo.kept?.includes(id));
      assert.deepEqual(
        stays.map(({ cause }) => cause.type === "call" && cause.answer),
        [answer],
      );
    }
  });

  it("A16: a key that is typed while Undo File compares what was kept does not stop it", async () => {
    await byTool().write(a, base, edited);
    await undecided.keepHunk(a, await mark(1));
    const read = ledger.contentOf.bind(ledger);
    let typed = "";
    ledger.contentOf = async (kept) => {
      typed += "typed\n";
      type(a, `${typed}${edited}`);
      return read(kept);
    };
    await undecided.undoFile(a);
    assert.equal(textOf(a), `${typed}${base.replace("five", "FIVE")}`);
  });

  it("A16: a first commit without a change decides nothing of it, as where the change is being made", async () => {
    await byTool().write(a, base, edited);
    type(a, base);
    await undecided.keepCommitted(a, undefined, base);
    type(a, edited);
    assert.deepEqual(await hunks(), ["0: one >ONE ", "4: five >FIVE ", "6: >seven "]);
    await undecided.keepCommitted(a, undefined, edited);
    assert.deepEqual(await hunks(), []);
  });

  it("A16: files that were made, renamed and deleted are listed until they are kept or taken back", async () => {
    type(b, "two\n");
    await byTool().rename(a, `${memoryRoot}/c.ts`);
    await byTool().remove(b, Buffer.from("two\n"));
    await byTool().create(`${memoryRoot}/d.ts`, Buffer.from(""));
    assert.deepEqual(await listed(), ["a.ts 0", "b.ts 0", "d.ts 0"]);
    await undecided.undoFile(b);
    await undecided.keep(`${memoryRoot}/d.ts`);
    assert.equal(textOf(b), "two\n");
    await byTool().write(`${memoryRoot}/c.ts`, base, edited);
    assert.deepEqual(await listed(), ["a.ts 3"]);
    await undecided.undoFile(`${memoryRoot}/c.ts`);
    assert.deepEqual([textOf(a), textOf(`${memoryRoot}/c.ts`)], [base, undefined]);
  });

  it("A16: an edit that arrives piece by piece is recorded before its first piece, and one record at its end", async () => {
    const id = await ledger.begin({ type: "call", answer: "x", call: "x", allowed: "call" }, a);
    workspace.editors.set(a, base.replace("two", "TWO"));
    assert.deepEqual(await hunks(), [], "what has arrived so far is shown by the one that writes it");
    workspace.editors.set(a, `mine\n${base.replace("two", "TWO")}`);
    await ledger.end(id, () => `mine\n${base}`);
    assert.deepEqual(await hunks(), ["2: two >TWO "]);
    await undecided.undoFile(a);
    assert.equal(textOf(a), `mine\n${base}`);
    const other = await ledger.begin({ type: "call", answer: "y", call: "y", allowed: "call" }, a);
    await ledger.end(other, () => `mine\n${base}`);
    assert.equal(
      ledger.live.some((change) => change.id === other),
      false,
      "nothing has arrived",
    );
  });

  it("A16: what the person types while the end of an edit waits for another change stays theirs", async () => {
    const id = await ledger.begin({ type: "call", answer: "x", call: "x", allowed: "call" }, a);
    let former = base;
    const show = (text: string): void => {
      former = `${text}${base}`;
      workspace.editors.set(a, `${text}${base.replace("two", "TWO")}`);
    };
    show("");
    const held = Promise.withResolvers<undefined>();
    const content = { as: "file", bytes: Buffer.from("other\n") } as const;
    const cause = { type: "call", answer: "y", call: "y", allowed: "call" } as const;
    const before = ledger.make(cause, { path: b, after: content }, () => held.promise);
    const ended = ledger.end(id, () => former);
    show("mine\n");
    held.resolve(undefined);
    await Promise.all([before, ended]);
    assert.deepEqual(await hunks(), ["2: two >TWO "]);
    await undecided.undoFile(a);
    assert.equal(textOf(a), `mine\n${base}`);
  });

  it("A5: an unsaved edit of a file that an editor shows as damaged UTF-8 is taken back to the text that the editor had", async () => {
    workspace.files.set(b, Buffer.from("caf\u00e9\n", "latin1"));
    const former = "caf\ufffd\n";
    const id = await ledger.begin({ type: "call", answer: "x", call: "x", allowed: "call" }, b);
    workspace.editors.set(b, `the ${former}`);
    await ledger.end(id, () => former);
    await undecided.undoFile(b);
    assert.equal(textOf(b), former);
  });

  it("A16: what is no text, or no longer kept, is listed without hunks", async () => {
    const before = Buffer.from([0, 1, 2]);
    workspace.files.set(b, before);
    await byTool().remove(b, before);
    await byTool().create(b, Buffer.from([0, 3]));
    await byTool().write(a, base, edited);
    for (const [hash, content] of store.blobs) if (Buffer.from(content).toString() === base) store.blobs.delete(hash);
    assert.deepEqual(await listed(), ["b.ts 0", "a.ts 0"]);
    assert.equal(hunksOf((await undecided.rowsOf(a, edited)) ?? []).length, 0);
  });
});
