/**
 * One random run of the review (R9, A16): two windows over one ledger, a model that edits, hunks and files that are kept and taken back, a person who types
 * and saves, a formatter, reloads, and kills between a record and its write. Each line is written once, so that it is known where it is from.
 */
import assert from "node:assert/strict";
import { decodeText } from "../../src/base/text/decodeText";
import type { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { hunksOf } from "../../src/chat/undo/reviewRows";
import { marksOf, UndecidedFiles } from "../../src/chat/undo/undecidedFiles";
import { ToolRefusal } from "../../src/domain/tools/tool";
import { ledgerOver, MemoryLedgerStore } from "./memoryLedger";
import { encodeAs, Killed, memoryRoot, MemoryWorkspace } from "./memoryWorkspace";
import { seeded } from "./seeded";

const paths = ["a.ts", "b.ts"].map((name) => `${memoryRoot}/${name}`);

interface Window {
  ledger: ChangeLedger;
  undecided: UndecidedFiles;
}

export class ReviewRun {
  readonly #random: (bound: number) => number;
  readonly #workspace = new MemoryWorkspace();
  readonly #store = new MemoryLedgerStore();
  readonly #windows: readonly [Window, Window];
  readonly #initial = new Map<string, string>();
  /** Lines without their blanks: those of the person that must stay, those of the model that were kept, and old ones that were removed for good. */
  readonly #mine = new Set<string>();
  readonly #kept = new Set<string>();
  readonly #gone = new Set<string>();
  #words = 0;
  #hasPerson = false;
  readonly counts = { kept: 0, undone: 0, killed: 0, refused: 0 };

  constructor(seed: number) {
    this.#random = seeded(seed);
    for (const path of paths) {
      const end = this.#random(2) === 0 ? "\n" : "\r\n";
      const mark = this.#random(3) === 0 ? Buffer.from([0xef, 0xbb, 0xbf]) : undefined;
      const text = Array.from({ length: 10 }, () => this.#word("old") + end).join("");
      this.#workspace.files.set(path, encodeAs(mark, text));
      this.#initial.set(path, text);
    }
    this.#windows = [this.#open(), this.#open()];
  }

  #open(): Window {
    const ledger = ledgerOver(this.#workspace, this.#store);
    return { ledger, undecided: new UndecidedFiles(ledger) };
  }

  #word(by: string): string {
    return `${by}${(this.#words += 1)};`;
  }

  async play(steps: number): Promise<typeof this.counts> {
    const before = this.#workspace.snapshot;
    for (let step = 0; step < steps; step += 1) {
      const window = this.#windows[this.#random(2) as 0 | 1];
      // A window that gets the focus reads what the other one has written.
      await window.ledger.load();
      await this.#step(window);
    }
    await this.#end(before);
    return this.counts;
  }

  async #step(window: Window): Promise<void> {
    const path = this.#pick(paths);
    const kind = this.#random(14);
    if (kind < 4) await this.#byModel(window, path);
    else if (kind < 7) await this.#byPerson(window, path);
    else if (kind === 7) this.#format(path);
    else if (kind < 11) await this.#decideHunk(window, path);
    else if (kind === 11) await this.#decideFile(window, path);
    else await this.#reload(window);
  }

  async #byModel(window: Window, path: string): Promise<void> {
    const text = this.#text(path);
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.split(end);
    const taken = lines.splice(this.#random(lines.length), this.#random(3), this.#word("model"));
    const isKilled = this.#random(15) === 0;
    this.#workspace.onWrite = () => {
      if (!isKilled) return;
      this.#store.isDead = true;
      if (this.#random(2) === 0) throw new Killed();
    };
    const cause = { type: "call", answer: "a", call: this.#word("call"), allowed: "call" } as const;
    try {
      await window.ledger.changesOf(cause).write(path, text, lines.join(end));
    } catch (error) {
      if (!(error instanceof Killed || error instanceof ToolRefusal)) throw error;
    } finally {
      this.#workspace.onWrite = () => undefined;
    }
    // A line of the person that the model removes comes back with an undo, so it need not stay.
    for (const line of taken) this.#mine.delete(bare(line));
    if (!isKilled) return;
    this.counts.killed += 1;
    this.#store.isDead = false;
    for (const one of this.#windows) await this.#reload(one);
  }

  async #byPerson({ undecided }: Window, path: string): Promise<void> {
    this.#hasPerson = true;
    const text = this.#text(path);
    const hunks = hunksOf((await undecided.rowsOf(path, text)) ?? []);
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.split(end);
    const word = this.#word("mine");
    const taken = lines.splice(this.#random(lines.length), this.#random(4) === 0 ? 1 : 0, word);
    this.#mine.add(bare(word));
    for (const line of taken) {
      this.#mine.delete(bare(line));
      this.#gone.add(bare(line));
      // A hunk whose last line the person has rewritten is theirs.
      for (const { added, removed } of hunks)
        if (added.length === 1 && bare(added[0] ?? "") === bare(line)) this.#keep([], removed);
    }
    this.#put(path, lines.join(end), this.#random(2) === 0);
  }

  /** Changes the blanks of each line, as a formatter does with a save. */
  #format(path: string): void {
    this.#hasPerson = true;
    const indent = " ".repeat(this.#random(4));
    this.#put(path, this.#text(path).replace(/^[ \t]*(?=\S)/gmu, indent), true);
  }

  #put(path: string, text: string, saves: boolean): void {
    if (saves) {
      this.#workspace.files.set(path, encodeAs(this.#workspace.files.get(path), text));
      this.#workspace.editors.delete(path);
    } else this.#workspace.editors.set(path, text);
  }

  async #decideHunk({ undecided }: Window, path: string): Promise<void> {
    const text = this.#text(path);
    const rows = await undecided.rowsOf(path, text);
    const marks = marksOf(rows ?? []);
    const at = this.#random(Math.max(marks.length, 1));
    const hunk = hunksOf(rows ?? [])[at];
    const mark = marks[at];
    if (mark === undefined || hunk === undefined) return;
    const isKept = this.#random(2) === 0;
    const isDone = isKept ? await undecided.keepHunk(path, mark) : await undecided.undoHunk(path, mark);
    assert.ok(isDone, "a hunk that is shown can be decided");
    this.counts[isKept ? "kept" : "undone"] += 1;
    if (isKept) this.#keep(hunk.added, hunk.removed);
    else this.#takeBack(hunk.removed);
    const expected = text.split(/(?<=\n)/u);
    if (!isKept) expected.splice(hunk.start, hunk.end - hunk.start, ...hunk.removed);
    assert.equal(this.#text(path), expected.join(""), "exactly that hunk");
  }

  async #decideFile({ undecided }: Window, path: string): Promise<void> {
    const hunks = hunksOf((await undecided.rowsOf(path, this.#text(path))) ?? []);
    if (this.#random(2) === 0) {
      for (const { added, removed } of hunks) this.#keep(added, removed);
      await undecided.keep(path);
    } else {
      await undecided.undoFile(path);
      for (const { removed } of hunks) this.#takeBack(removed);
    }
    assert.deepEqual(hunksOf((await undecided.rowsOf(path, this.#text(path))) ?? []), []);
  }

  #keep(added: readonly string[], removed: readonly string[]): void {
    for (const line of added) this.#kept.add(bare(line));
    for (const line of removed) this.#gone.add(bare(line));
    for (const line of removed) this.#mine.delete(bare(line));
  }

  #takeBack(removed: readonly string[]): void {
    for (const line of removed) if (bare(line).startsWith("mine")) this.#mine.add(bare(line));
  }

  async #reload(window: Window): Promise<void> {
    Object.assign(window, this.#open());
    await window.ledger.recover();
  }

  /** Takes back everything that is left, and asserts that the lines are those that were kept and the person's own. */
  async #end(before: ReadonlyMap<string, string>): Promise<void> {
    const [window] = this.#windows;
    await this.#reload(window);
    for (const path of paths) {
      const hunks = hunksOf((await window.undecided.rowsOf(path, this.#text(path))) ?? []);
      for (const { removed } of hunks) this.#takeBack(removed);
      await window.undecided.undoFile(path);
      const lines = this.#text(path).split(/\r?\n/u).map(bare);
      const there = new Set(lines);
      for (const line of lines) {
        if (line.startsWith("model")) assert.ok(this.#kept.has(line), `${line} was not kept`);
      }
      for (const line of this.#initial.get(path)?.split(/\r?\n/u).map(bare) ?? [])
        assert.ok(line === "" || there.has(line) || this.#gone.has(line), `${line} is lost`);
    }
    const all = new Set(paths.flatMap((path) => this.#text(path).split(/\r?\n/u).map(bare)));
    for (const line of this.#mine) assert.ok(all.has(line), `${line} of the person is lost`);
    if (!this.#hasPerson && this.#kept.size === 0 && this.counts.kept === 0 && this.#gone.size === 0)
      assert.deepEqual(this.#workspace.snapshot, before, "to the byte");
  }

  #text(path: string): string {
    const bytes = this.#workspace.files.get(path);
    return this.#workspace.editors.get(path) ?? (bytes === undefined ? "" : decodeText(bytes).text);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)] as T;
  }
}

/** The line without the blanks that a formatter changes. */
function bare(line: string): string {
  return line.trim();
}
