// A2: finding text in 10,000 files of a git repository, as the tool does it, beside ripgrep where the machine has one (VS Code brings a copy).
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { buildSubject, measureSubject, nodeBundle } from "./subject.mjs";

const files = 10_000;
const rounds = 9;
/** Times the time of ripgrep. */
const limit = 3;

/** @typedef {{ name: string, own: number[], theirs: number[], lines: number, theirLines: number }} Figure milliseconds */

/** True when each search is within the limit; where there is no ripgrep, nothing is compared. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-search-"));
  try {
    const repository = path.join(folder, "repository");
    await makeRepository(repository);
    const subject = await buildSubject("search", folder);
    const program = path.join(folder, "search.mjs");
    await build({ ...nodeBundle, format: "esm", entryPoints: ["src/compose/searchProgram.ts"], outfile: program });
    const ripgrep = await findRipgrep();
    /** @type {Figure[]} */
    const figures = await measureSubject([subject, repository, program, ripgrep ?? "", String(rounds)]);
    console.log(`${files} files, Node ${process.version}${ripgrep === undefined ? "; no ripgrep is there" : ""}`);
    return figures.map(print).every(Boolean);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {Figure} figure */
function print({ name, own, theirs, lines, theirLines }) {
  const mine = median(own);
  const peer = median(theirs);
  const compared =
    theirs.length === 0 ? "" : `, ripgrep ${peer.toFixed(0)} ms: ${(mine / peer).toFixed(2)} × (limit ${limit})`;
  console.log(`  ${name}: ${mine.toFixed(0)} ms${compared}`);
  if (theirs.length === 0) return true;
  if (lines !== theirLines) console.log(`    found ${lines} lines, ripgrep ${theirLines}`);
  return lines === theirLines && mine <= limit * peer;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** 500 folders of 20 sources of 2 to 20 KB, with what git ignores and what it does not. @param {string} root */
async function makeRepository(root) {
  const words = "const let return export import from await async value index result folder file line text".split(" ");
  let seed = 1;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let number = 0; number < files / 20; number += 1) {
    const folder = path.join(root, `package${number % 20}`, `module${number}`);
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < 20; file += 1) {
      const lines = Array.from({ length: 50 + Math.floor(random() * 350) }, () =>
        Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)]).join(" "),
      );
      if ((number * 20 + file) % 100 === 7) lines.push("// a needle lies here, and needles there");
      await writeFile(path.join(folder, `source${file}.ts`), `${lines.join("\n")}\n`);
    }
    if (number % 10 === 0) await writeFile(path.join(folder, ".gitignore"), "*.out\n/generated/\n");
  }
  await writeFile(path.join(root, ".gitignore"), "dist/\nnode_modules/\n*.log\n*.tmp\n/build\n!keep.log\n");
  execFileSync("git", ["init", "-q", root]);
}

/** On the path, else the copy of a VS Code that the tests use. */
async function findRipgrep() {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean)) {
    if (existsSync(path.join(folder, "rg"))) return path.join(folder, "rg");
  }
  const places = [".vscode-test"];
  for (const place of places) {
    const entries = await readdir(place, { recursive: true }).catch(() => []);
    const wanted = new RegExp(`bin[\\\\/](${process.platform}-${process.arch}[\\\\/])?rg(\\.exe)?$`);
    const found = entries.find((entry) => wanted.test(entry));
    if (found !== undefined) return path.resolve(place, found);
  }
  return undefined;
}

if (process.argv[1] === import.meta.filename) await run();
