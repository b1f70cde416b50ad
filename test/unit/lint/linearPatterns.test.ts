/** No text from outside holds the process: the time of every pattern in `src`, and of the readers of foreign text, grows with the length of the text only. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { runWithin } from "../../support/runWithin";
import { startBusyTime } from "../../support/busyTime";
import { paceOf } from "../../support/pace";
import { parsing } from "../../support/parsing";
import { fewOf, someOf } from "../../support/runs";
import { foreignReaders, otherReaders } from "./foreignReaders";
import { importedBy, modelTextReaders } from "./modelTextReaders";
import { type HostileText, hostileTextsFor, hostileTextsOf, writeHostile } from "./hostileTexts";

/** Characters. The slowest texts of the first length are read in the second one, and those that seem slow there in the third. */
const lengths = { short: 1024, long: 8192, longest: 65_536 };
/** Of each pattern or reader. */
const maxSuspects = fewOf(5, 3);
/** Milliseconds. What is quadratic and takes as long for a text of these lengths takes about 50 ms for 64 KB. */
const bounds = { short: 0.01, long: 0.8, hanging: 60, patient: 600 };
/** A linear reader takes eight times as long for the long text as for the short one, a quadratic one sixty-four times. */
const maxGrowth = 20;
/** Texts that are read under one time limit, of `bounds.patient`: each limit is a thread of its own. */
const atOnce = 100;
/** Texts for a reader, which has its patterns tried one by one as well; of more, a part is drawn. */
const maxTexts = 60;
/** A reader has thousands of texts in a full run, which take longer than one test may. */
const parts = fewOf(4, 1);
const nameOf = (part: number): string => (parts === 1 ? "" : `, part ${part + 1} of ${parts}`);

interface Source {
  readonly patterns: readonly { readonly line: number; readonly pattern: RegExp }[];
  /** It makes patterns at run time. */
  readonly composes: boolean;
  readonly strings: readonly string[];
}

/** A pattern is in one line, which is no comment. */
const mayRepeat = /^(?!\s*(?:\/\/|\/\*|\*)).*\/.*[*+{].*\//m;

/** Of those that are neither read for their strings nor make patterns, only what may have a pattern with a repetition is parsed. */
function readSource(file: string): Source {
  const source = readFileSync(file, "utf8");
  if (!(file in foreignReaders) && !source.includes("RegExp") && !mayRepeat.test(source))
    return { patterns: [], composes: false, strings: [] };
  const root = ts.createSourceFile(file, source, parsing);
  const patterns: { line: number; pattern: RegExp }[] = [];
  const strings = new Set<string>();
  let composes = false;
  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      patterns.push({ line: root.getLineAndCharacterOfPosition(node.getStart(root)).line + 1, pattern });
    } else if (ts.isStringLiteral(node) && !ts.isImportDeclaration(parent)) strings.add(node.text);
    composes ||= (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(root) === "RegExp";
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(root, root);
  return { patterns, composes, strings: [...strings].filter((text) => text !== "") };
}

/** A text for which the time grows faster than the text; `undefined` without one. */
function findSlow(read: (text: string) => unknown, texts: readonly HostileText[]): string | undefined {
  const suspects: { readonly hostile: HostileText; readonly spent: number }[] = [];
  const probe = (some: readonly HostileText[], limit: number): boolean =>
    runWithin(limit, () => {
      for (const hostile of some) {
        const text = writeHostile(hostile, lengths.short);
        // By the clock first, which takes less than a look at the processor's time and is never behind it.
        const began = performance.now();
        read(text);
        const elapsed = performance.now() - began;
        if (elapsed <= bounds.short) continue;
        const spent = Math.min(elapsed, timeOf(read, hostile, lengths.short));
        if (spent > bounds.short) suspects.push({ hostile, spent });
      }
    });
  let count = atOnce;
  for (let at = 0; at < texts.length;) {
    const some = texts.slice(at, at + count);
    at += some.length;
    if (probe(some, bounds.patient)) continue;
    // Of a reader that takes milliseconds for each text, fewer are read within the limit.
    count = Math.max(1, Math.floor(count / 10));
    const hanging = some.find((one) => !probe([one], bounds.hanging));
    // A reader that was never run before, on a busy machine, may seem to hang.
    if (hanging && !isLinearBeyond(read, hanging)) return JSON.stringify(hanging);
  }
  const slowest = suspects.sort((one, other) => other.spent - one.spent).slice(0, maxSuspects);
  const slow = slowest.find(({ hostile }) => isSlow(read, hostile));
  return slow && JSON.stringify(slow.hostile);
}

function timeOf(read: (text: string) => unknown, hostile: HostileText, length: number): number {
  const text = writeHostile(hostile, length);
  const spent = startBusyTime();
  read(text);
  return spent();
}

/**
 * By the best of many runs, which what is linear ends with the first good one: a busy machine can slow several in a row. Two are enough
 * where each hangs: that is seventy times as long as a linear one may take, and the longest text decides.
 */
function isSlow(read: (text: string) => unknown, hostile: HostileText): boolean {
  let short = Infinity;
  let long = Infinity;
  let hanging = 0;
  for (let run = 0; run < 25 && hanging < 2; run += 1) {
    const hasEnded = runWithin(bounds.hanging, () => {
      short = Math.min(short, timeOf(read, hostile, lengths.short));
      long = Math.min(long, timeOf(read, hostile, lengths.long));
    });
    if (!hasEnded) hanging += 1;
    else if (long < bounds.long || long < short * maxGrowth) return false;
  }
  return !isLinearBeyond(read, hostile);
}

/** Short times are those of a warm cache on one run and of a collection on the next, and a reader may be slow and linear: the longest text decides. */
function isLinearBeyond(read: (text: string) => unknown, hostile: HostileText): boolean {
  let long = Infinity;
  let longest = Infinity;
  let hanging = 0;
  const limit = Math.max(bounds.patient, Math.ceil(60 * paceOf()));
  for (let run = 0; run < 15 && hanging < 2; run += 1) {
    const hasEnded =
      runWithin(limit, () => void (long = Math.min(long, timeOf(read, hostile, lengths.long)))) &&
      // A slow reader that is linear may take as long, whatever the machine.
      runWithin(Math.max(limit, Math.ceil(long * maxGrowth)), () => {
        longest = Math.min(longest, timeOf(read, hostile, lengths.longest));
      });
    if (!hasEnded) hanging += 1;
    else if (longest < long * maxGrowth) return true;
  }
  return false;
}

/** The patterns of a file have many texts in common. */
function differing(texts: readonly HostileText[]): readonly HostileText[] {
  return [...new Map(texts.map((text) => [JSON.stringify([text.before, text.pump, text.after]), text])).values()];
}

const search = (pattern: RegExp) => (text: string) => text.replace(pattern, "");

describe("time that foreign text takes", () => {
  let sources: ReadonlyMap<string, Source>;
  before(() => {
    sources = new Map(
      globSync("src/**/*.ts")
        .sort()
        .map((file) => [file, readSource(file)]),
    );
  });

  const isFound = (pattern: RegExp): boolean => findSlow(search(pattern), hostileTextsFor(pattern)) !== undefined;
  const slow = [/^(?:<!--[\s\S]*?-->\s*)*<svg/, /\s+$/, /<title[^>]*>/, /[ \t]*<!--/, /"(?:[^"\\]|\\.)*"/, /.*x/];
  for (const pattern of someOf(slow, 0, 1))
    it(`H1, S3: ${String(pattern)}, which backtracks, is found`, () => {
      assert.ok(isFound(pattern));
    });
  const linear = [/^\s+/, /(?<!\s)\s+$/, /<title[^<>]*>/, /^"(?:[^"\\]|\\.)*"/, /\b.{0,40}\bx/, /^(["'])(.*)\1$/s];
  for (const pattern of someOf(linear, 0, 2))
    it(`H1, S3: ${String(pattern)}, which does not, is not found`, () => {
      assert.ok(!isFound(pattern));
    });

  it("H1, H12, H15, S3: the time of each pattern grows with the text only", () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const [file, { patterns }] of sources)
      // Without a repetition there is nothing to backtrack over.
      for (const { line, pattern } of patterns.filter(({ pattern: { source } }) => /[*+{]/.test(source))) {
        if (seen.has(String(pattern))) continue;
        seen.add(String(pattern));
        const slow = findSlow(search(pattern), hostileTextsFor(pattern));
        if (slow !== undefined) wrong.push(`${file}:${line}: ${String(pattern)} for ${slow}`);
      }
    assert.deepEqual(wrong, []);
  });

  for (const [index, [file, read]] of Object.entries(foreignReaders).entries())
    for (let part = 0; part < parts; part += 1)
      it(`H1, H3, H4, H12, H15, S3: so does the time of what reads foreign text in ${file}${nameOf(part)}`, () => {
        const source = sources.get(file);
        assert.ok(source, file);
        const texts = differing([
          ...source.patterns.flatMap(({ pattern }) => hostileTextsFor(pattern)),
          ...hostileTextsOf(source.strings.slice(0, 30)),
        ]).filter(({ after }) => !after.startsWith("\n"));
        const mine = someOf(texts, index, maxTexts).filter((_, at) => at % parts === part);
        assert.equal(findSlow(read, mine), undefined);
      });

  it("H1, S3: what makes patterns at run time is among the readers", () => {
    const composing = [...sources].filter(([, { composes }]) => composes).map(([file]) => file);
    assert.deepEqual(
      composing.filter((file) => !(file in foreignReaders)),
      [],
    );
  });

  it("H1, S3 (field 12): what reads text of a model without a pause is among the readers, or is read with by one of them", () => {
    const measured = new Set(Object.keys(foreignReaders).flatMap((file) => [file, ...importedBy(file)]));
    const found = modelTextReaders();
    assert.ok(found.includes("src/tools/edit/applyHunks.ts"), "the rule finds the reader of patches");
    assert.deepEqual(
      found.filter((file) => !measured.has(file) && !(file in otherReaders)),
      [],
    );
    assert.deepEqual(
      Object.keys(otherReaders).filter((file) => !found.includes(file) || measured.has(file)),
      [],
      "what is left out for a reason is there, and not measured after all",
    );
  });
});
