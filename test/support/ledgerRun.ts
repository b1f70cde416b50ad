/**
 * One random run of the undo ledger (R9): tools and a person change the same files, changes are undone and redone, the ledger
 * is read again from its store, and the window is killed between the record of a change and the write.
 */
import assert from "node:assert/strict";
import { decodeText } from "../../src/base/text/decodeText";
import type { ChangeLedger } from "../../src/chat/undo/changeLedger";
import type { ChangeCause, FileChange } from "../../src/chat/undo/changeRecords";
import { lastUndo, redoable, undoable, undoChanges } from "../../src/chat/undo/undoChanges";
import { ToolRefusal } from "../../src/domain/tools/tool";
import { ledgerOver, MemoryLedgerStore } from "./memoryLedger";
import { encodeAs, Killed, memoryRoot, MemoryWorkspace } from "./memoryWorkspace";
import { seeded } from "./seeded";

const names = ["a.ts", "b.md", "c/d.txt", "e.json"].map((name) => `${memoryRoot}/${name}`);

interface RunCounts {
  readonly undone: number;
  readonly left: number;
  readonly killed: number;
  readonly raced: number;
}

export class LedgerRun {
  readonly #random: (bound: number) => number;
  readonly #workspace = new MemoryWorkspace();
  readonly #store = new MemoryLedgerStore();
  readonly #withPerson: boolean;
  readonly #initial: ReadonlyMap<string, string>;
  #ledger: ChangeLedger;
  /** Words of the person; each is written once. */
  #words = 0;
  #turn = 0;
  #call = 0;
  #hasPerson = false;
  #isOver = false;
  #wordsAtUndo = 0;
  readonly #savedOver = new Set<string>();
  /** The files before the last undo, with which a redo is compared. */
  #beforeUndo: ReadonlyMap<string, string> | undefined;
  readonly counts = { undone: 0, left: 0, killed: 0, raced: 0 };

  constructor(seed: number, withPerson: boolean) {
    this.#withPerson = withPerson;
    this.#random = seeded(seed);
    for (const path of names) {
      if (this.#random(4) === 0) continue;
      const end = this.#random(2) === 0 ? "\n" : "\r\n";
      const marked = this.#random(4) === 0 ? Buffer.from([0xef, 0xbb, 0xbf]) : undefined;
      this.#workspace.files.set(
        path,
        encodeAs(marked, Array.from({ length: 12 }, (_, i) => `line ${i}${end}`).join("")),
      );
    }
    if (this.#random(3) === 0) this.#workspace.files.set(`${memoryRoot}/p.bin`, Buffer.from([0, 255, 254, 1]));
    this.#initial = this.#workspace.snapshot;
    this.#ledger = ledgerOver(this.#workspace, this.#store);
  }

  async play(steps: number): Promise<RunCounts> {
    for (let step = 0; step < steps; step += 1) await this.#step();
    if (!this.#hasPerson) await this.#undoAll();
    return this.counts;
  }

  async #step(): Promise<void> {
    const kind = this.#random(20);
    if (kind < 8) await this.#byTool();
    else if (kind < 13) this.#byPerson();
    else if (kind < 16) await this.#undo();
    else if (kind < 18) await this.#redo();
    else if (kind === 18) await this.#reload();
    else this.#turn += 1;
  }

  // Tools

  async #byTool(): Promise<void> {
    this.#beforeUndo = undefined;
    this.#call += 1;
    const cause: ChangeCause = {
      type: "call",
      answer: `answer${this.#turn}`,
      call: `call${this.#call}`,
      allowed: "call",
    };
    const files = this.#ledger.changesOf(cause);
    const path = this.#pick(names);
    const other = this.#pick(names);
    const bytes = this.#workspace.files.get(path);
    const isKilled = this.#random(25) === 0;
    this.#workspace.onWrite = (paths) => {
      if (isKilled) {
        this.#store.isDead = true;
        // The window is killed right before the write, or right after it.
        if (this.#random(2) === 0) throw new Killed();
      }
      this.#race(paths);
    };
    try {
      const kind = this.#random(6);
      if (bytes === undefined) await files.create(path, Buffer.from(`made by ${this.#call}\nand more\n`));
      else if (kind === 0) await files.remove(path, bytes);
      else if (kind === 1) await files.rename(path, other);
      else await this.#editByTool(files, path);
    } catch (error) {
      if (error instanceof Killed) await this.#reload(true);
      else assert.ok(error instanceof ToolRefusal, String(error));
    } finally {
      this.#workspace.onWrite = () => undefined;
    }
  }

  /** Removes lines too: a person has allowed it, and the ledger has them. */
  async #editByTool(files: ReturnType<ChangeLedger["changesOf"]>, path: string): Promise<void> {
    const text = this.#textOf(path) ?? "";
    const lines = text.split("\n");
    const at = this.#random(lines.length);
    lines.splice(at, this.#random(3), `tool ${this.#call}`);
    await files.write(path, text, lines.join("\n"));
  }

  // The person

  #byPerson(): void {
    if (!this.#withPerson) return;
    const path = this.#pick(names);
    const kind = this.#random(8);
    this.#hasPerson = true;
    this.#beforeUndo = undefined;
    if (kind === 0) {
      this.#workspace.files.delete(path);
      this.#workspace.editors.delete(path);
    } else if (kind === 1) {
      const to = this.#pick(names);
      if (!this.#workspace.files.has(to) && this.#workspace.files.has(path)) this.#workspace.move(path, to);
    } else if (kind === 2) this.#save(path);
    else this.#type(path, this.#random(2) === 0);
  }

  #type(path: string, saves: boolean): void {
    const lines = (this.#textOf(path) ?? "").split("\n");
    this.#words += 1;
    lines.splice(this.#random(lines.length + 1), 0, `person${this.#words};`);
    if (saves || !this.#workspace.files.has(path)) {
      this.#workspace.files.set(path, encodeAs(this.#workspace.files.get(path), lines.join("\n")));
      this.#workspace.editors.delete(path);
    } else this.#workspace.editors.set(path, lines.join("\n"));
  }

  #save(path: string): void {
    const text = this.#workspace.editors.get(path);
    if (text !== undefined) this.#workspace.files.set(path, encodeAs(this.#workspace.files.get(path), text));
    this.#workspace.editors.delete(path);
  }

  /** The person types right before a write. */
  #race(paths: readonly string[]): void {
    if (!this.#withPerson || this.#isOver || this.#random(12) !== 0) return;
    const path = this.#pick(paths);
    this.#hasPerson = true;
    this.counts.raced += 1;
    const before = this.#wordsThere;
    this.#type(path, this.#random(2) === 0);
    // The person may have saved a text over words that only the disk had.
    const now = this.#wordsThere;
    for (const word of before) if (!now.has(word)) this.#savedOver.add(word);
  }

  // Undo

  async #undo(): Promise<void> {
    const kind = this.#random(4);
    const { live } = this.#ledger;
    if (live.length === 0) return;
    const change = this.#pick(live);
    const answer = change.cause.type === "undo" ? "" : change.cause.answer;
    // The last filter is a rewind: it takes the turns from that one on.
    const from = Number(answer.slice("answer".length));
    const later = new Set(Array.from({ length: this.#turn - from + 1 }, (_, index) => `answer${from + index}`));
    const filters = [
      { path: change.path },
      { call: change.cause.type === "call" ? change.cause.call : "" },
      { answers: new Set([answer]) },
      { answers: later },
    ];
    const before = this.#workspace.snapshot;
    const raced = this.counts.raced;
    await this.#takeBack(undoable(this.#ledger, filters[kind]), true);
    this.#beforeUndo = raced === this.counts.raced ? before : undefined;
  }

  async #redo(): Promise<void> {
    const before = this.#beforeUndo;
    const isLast = this.#random(2) === 0;
    const raced = this.counts.raced;
    const undos = isLast ? lastUndo(this.#ledger) : redoable(this.#ledger);
    const outcome = await this.#takeBack(undos, false);
    // Right after an undo, the undo of it gives back what was there, to the byte.
    const isWhole = isLast && outcome?.failed.length === 0 && raced === this.counts.raced;
    if (before !== undefined && isWhole && this.#lastUndid) assert.deepEqual(this.#workspace.snapshot, before);
    this.#beforeUndo = undefined;
    this.#lastUndid = false;
  }

  #lastUndid = false;

  async #takeBack(
    changes: readonly FileChange[],
    isUndo: boolean,
  ): Promise<Awaited<ReturnType<typeof undoChanges>> | undefined> {
    const words = this.#wordsThere;
    const before = this.#workspace.snapshot;
    const racedWords = this.#words;
    this.#workspace.onWrite = (paths) => this.#race(paths);
    const outcome = await undoChanges(this.#ledger, changes);
    this.#workspace.onWrite = () => undefined;
    const now = this.#wordsThere;
    // A redo may take words away that the tool had taken, with a person's yes; none that is newer than the undo.
    const isNewer = (word: string): boolean => Number(word.slice("person".length, -1)) > this.#wordsAtUndo;
    const newer = [...words].filter((word) => isNewer(word) && !now.has(word) && !this.#savedOver.has(word));
    assert.deepEqual(newer, [], "words that were typed after the undo");
    if (isUndo) {
      this.#wordsAtUndo = this.#words;
      this.#lastUndid = outcome.undone.length > 0;
      // No undo of what a tool did takes a word of the person away, wherever it is.
      const gone = [...words].filter((word) => !now.has(word) && !this.#savedOver.has(word));
      assert.deepEqual(gone, [], "words of the person that an undo has taken away");
      for (let word = racedWords + 1; word <= this.#words; word += 1)
        assert.ok(now.has(`person${word};`), "typed meanwhile");
    }
    for (const { path } of outcome.edited) {
      if (this.#words !== racedWords) continue;
      assert.equal(this.#workspace.snapshot.get(path), before.get(path), "a file that was edited since is left alone");
    }
    this.counts.undone += outcome.undone.length;
    this.counts.left += outcome.edited.length;
    return outcome;
  }

  /** Without a person's edits everything goes back and forth, to the byte. */
  async #undoAll(): Promise<void> {
    this.#isOver = true;
    await this.#ledger.recover();
    const after = this.#workspace.snapshot;
    const outcome = await this.#takeBack(undoable(this.#ledger), true);
    assert.deepEqual({ edited: outcome?.edited, failed: outcome?.failed }, { edited: [], failed: [] });
    assert.deepEqual(this.#workspace.snapshot, this.#initial);
    if (outcome?.undone.length === 0) return;
    await this.#takeBack(lastUndo(this.#ledger), false);
    assert.deepEqual(this.#workspace.snapshot, after);
  }

  async #reload(isKilled = false): Promise<void> {
    if (isKilled) this.counts.killed += 1;
    this.#store.isDead = false;
    const before = this.#ledger.changes.filter(({ isOpen }) => !isOpen);
    this.#ledger = ledgerOver(this.#workspace, this.#store);
    await this.#ledger.recover();
    const known = new Set(this.#ledger.changes.map(({ id }) => id));
    assert.ok(before.every(({ id }) => known.has(id)));
  }

  // What is there

  #textOf(path: string): string | undefined {
    const bytes = this.#workspace.files.get(path);
    return this.#workspace.editors.get(path) ?? (bytes && decodeText(bytes).text);
  }

  get #wordsThere(): ReadonlySet<string> {
    return new Set([...this.#workspace.snapshot.values()].flatMap((text) => text.match(/person\d+;/g) ?? []));
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)] as T;
  }
}
