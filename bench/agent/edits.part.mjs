// A10: edits of real models that match nowhere exactly, beside the matchers of other agents; and 10,000 seeded mistakes in edits of our own sources.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { anchors, linesOf } from "./edits/anchors.mjs";
import { drawEdit, mutations, seeded } from "./edits/mutations.mjs";
import { rightLines } from "./edits/rightPlace.mjs";

/** @typedef {{ readonly path: string, readonly search: string, readonly replace: string, readonly versions: readonly string[] }} RealEdit */

const root = path.join(import.meta.dirname, "..", "..");
const count = 10_000;
const seed = Number(process.env["SLUICE_SEED"] ?? 25);
/** `misplaced`, `misplacedStale` and `refused` are shares; `growth`: CPU for ten times the lines, ten where it is linear. */
const limits = { misplaced: 0.05, misplacedStale: 0.012, refused: 0.035, growth: 19 };

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<readonly import("../verdicts.mjs").Verdict[]>} */
export default async function run({ subject, data }) {
  const tools = await subject("bench/agent/edits.subject.mjs");
  /** @type {RealEdit[]} */
  const real = gunzipSync(await readFile(path.join(data, "edits.jsonl.gz")))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return [...(await measureReal(tools, real)), ...(await measureMutations(tools)), await measureGrowth(tools)];
}

/** Resolves with the new text, or with the refusal. @param {any} tools @param {string} content @param {string} oldText @param {string} newText @returns {Promise<{ text?: string, refusal?: string }>} */
async function apply({ applyEdit, TimeSlices, ToolRefusal }, content, oldText, newText) {
  try {
    return { text: (await applyEdit(content, { oldText, newText }, new TimeSlices())).text };
  } catch (error) {
    if (error instanceof ToolRefusal) return { refusal: /** @type {Error} */ (error).message };
    throw error;
  }
}

/** @param {any} tools @param {readonly RealEdit[]} real */
async function measureReal(tools, real) {
  /** Of those that are not sound some replace text that the model never quoted, the others break the indentation. @type {Map<string, { applied: number, sound: number }>} */
  const counts = new Map(["ours", ...Object.keys(anchors)].map((name) => [name, { applied: 0, sound: 0 }]));
  const note = (/** @type {string} */ name, /** @type {boolean} */ isSound) => {
    const its = counts.get(name);
    if (its) Object.assign(its, { applied: its.applied + 1, sound: its.sound + (isSound ? 1 : 0) });
  };
  let refused = 0;
  let misplaced = 0;
  for (const { search, replace, versions } of real) {
    const content = versions[0] ?? "";
    const [file, wanted] = [linesOf(content), linesOf(search)];
    for (const [name, find] of Object.entries(anchors)) {
      const place = find(file, wanted, search);
      if (place) note(name, isSound(file.slice(place.from, place.to), wanted));
    }
    // Some of them were recorded without a change: what counts is whether the place is found.
    const { text, refusal = "" } = await apply(
      tools,
      content,
      search,
      search === replace ? `${replace}# changed\n` : replace,
    );
    if (text !== undefined) {
      note("ours", isSoundlyApplied(file, wanted, text, replace));
      continue;
    }
    refused += 1;
    const right = rightLines(file, wanted);
    const shown = new Set([...refusal.matchAll(/^(\d+)\t/gm)].map(([, line]) => Number(line) - 1));
    const seen = right.filter((line) => shown.has(line)).length;
    // Of a block that is longer than what is quoted, the quote shows the part that differs first.
    if (seen < Math.min(right.length / 2, 20)) misplaced += 1;
  }
  for (const [name, { applied, sound }] of counts) {
    console.log(
      `  ${name}: ${applied} of ${real.length} real edits applied, ${applied - sound} of them over text that the model did not quote, or with lines at a wrong depth`,
    );
  }
  console.log(`  refused with the right place: ${refused - misplaced} of ${refused}`);
  const ours = counts.get("ours") ?? { applied: 0, sound: 0 };
  const best = Math.max(...Object.keys(anchors).map((name) => counts.get(name)?.sound ?? 0));
  return [
    {
      what: "real edits that an anchor applies to what was quoted, more than ours",
      today: best - ours.sound,
      limit: 0,
      unit: "",
    },
    {
      what: "real edits applied over text that the model did not quote",
      today: ours.applied - ours.sound,
      limit: 0,
      unit: "",
    },
    {
      what: "refused real edits without the right place",
      today: misplaced / refused,
      limit: limits.misplaced,
      unit: "",
    },
  ];
}

/** What goes was quoted, and indented as in the file but for one amount: else lines land at a depth that is in neither text. @param {readonly string[]} replaced @param {readonly string[]} wanted */
function isSound(replaced, wanted) {
  const written = (/** @type {readonly string[]} */ lines) => lines.filter((line) => line.trim() !== "");
  const depth = (/** @type {string | undefined} */ line = "") => line.length - line.trimStart().length;
  const [its, ours] = [written(replaced), written(wanted)];
  return (
    soundKey(replaced) === soundKey(wanted) && new Set(its.map((line, at) => depth(line) - depth(ours[at]))).size <= 1
  );
}

/** @param {readonly string[]} lines */
const soundKey = (lines) =>
  lines
    .map((line) => line.replace(/\s+/g, "").replace(/[‘’]/g, "'").replace(/[“”]/g, '"'))
    .filter(Boolean)
    .join("\n");

/** The lines that went, between what stayed before and behind, were quoted. @param {readonly string[]} file @param {readonly string[]} wanted @param {string} text @param {string} replace */
function isSoundlyApplied(file, wanted, text, replace) {
  const now = linesOf(text);
  const grown =
    linesOf(replace).filter((line) => line.trim() !== "").length - wanted.filter((line) => line.trim() !== "").length;
  const written = (/** @type {readonly string[]} */ lines) => lines.filter((line) => line.trim() !== "").length;
  return (
    written(now) - written(file) === grown &&
    file.some((_, from) => soundKey(file.slice(from, from + wanted.length)).startsWith(soundKey(wanted.slice(0, 1))))
  );
}

/** @param {any} tools */
async function measureMutations(tools) {
  const random = seeded(seed);
  const sources = await readSources();
  /** @type {Map<string, { right: number, refused: number, wrong: number, misplaced: number }>} */
  const counts = new Map(mutations.map(({ name }) => [name, { right: 0, refused: 0, wrong: 0, misplaced: 0 }]));
  for (let made = 0; made < count;) {
    const content = sources[Math.floor(random() * sources.length)] ?? "";
    const edit = drawEdit(content, random);
    const mutation = mutations[made % mutations.length];
    const mutated = edit && mutation?.change(edit, random);
    if (!mutated || !mutation || mutated.oldText === mutated.newText) continue;
    made += 1;
    const { text, refusal } = await apply(tools, mutated.content, mutated.oldText, mutated.newText);
    const its = counts.get(mutation.name);
    if (!its) continue;
    if (text === undefined) its.refused += 1;
    else if (!mutation.isRefused && text === mutated.intended) its.right += 1;
    else {
      its.wrong += 1;
      if (process.env["SLUICE_BENCH_WRONG"] && its.wrong <= 3)
        console.log(
          JSON.stringify(
            {
              mutation: mutation.name,
              ...mutated,
              content: undefined,
              intended: undefined,
              became: around(text, mutated),
            },
            undefined,
            1,
          ),
        );
    }
    if (mutation.isRefused && !isNamed(refusal ?? "", mutated.line)) its.misplaced += 1;
  }
  for (const [name, { right, refused, wrong }] of counts)
    console.log(`  ${name}: ${right} as intended, ${refused} refused, ${wrong} wrong`);
  const sum = (/** @type {"right" | "refused" | "wrong" | "misplaced"} */ key, /** @type {boolean} */ isRefused) =>
    mutations
      .filter((one) => (one.isRefused === true) === isRefused)
      .reduce((all, { name }) => all + (counts.get(name)?.[key] ?? 0), 0);
  const repairable = sum("right", false) + sum("refused", false) + sum("wrong", false);
  const stale = sum("refused", true) + sum("wrong", true);
  return [
    {
      what: `wrong edits of ${count} seeded ones`,
      today: sum("wrong", false) + sum("wrong", true),
      limit: 0,
      unit: "",
    },
    {
      what: "repairable mistakes that are refused",
      today: sum("refused", false) / repairable,
      limit: limits.refused,
      unit: "",
    },
    {
      what: "stale edits refused without the right place",
      today: sum("misplaced", true) / stale,
      limit: limits.misplacedStale,
      unit: "",
    },
  ];
}

/** @param {string} text @param {import("./edits/mutations.mjs").Edit} edit */
const around = (text, { line }) => text.split("\n").slice(Math.max(0, line - 1), line + 14);

/** The line is among those that are listed or quoted. @param {string} refusal @param {number} line */
function isNamed(refusal, line) {
  const listed = /at lines ([\d, ]+)/.exec(refusal)?.[1]?.split(", ").map(Number) ?? [];
  return listed.includes(line + 1) || refusal.includes(`\n${line + 1}\t`);
}

async function readSources() {
  const names = await readdir(path.join(root, "src"), { recursive: true });
  const documents = await readdir(path.join(root, "docs"));
  const paths = [
    ...names.filter((name) => /\.(?:ts|css)$/.test(name)).map((name) => path.join(root, "src", name)),
    ...documents.filter((name) => name.endsWith(".md")).map((name) => path.join(root, "docs", name)),
  ].toSorted();
  const texts = await Promise.all(paths.map((one) => readFile(one, "utf8")));
  return texts.filter((text) => text.split("\n").length > 20);
}

/** How the CPU of a stale edit grows with the file. @param {any} tools */
async function measureGrowth(tools) {
  const lines = (/** @type {number} */ many) =>
    Array.from({ length: many }, (_, at) => `  const value${at} = compute(${at % 97}, "word${at % 13}");\n`).join("");
  const wanted = '  const value7 = compute(7, "word8");\n  const nothing = of(it);\n';
  const cost = async (/** @type {number} */ many) => {
    const content = lines(many);
    const costs = [];
    for (let round = 0; round < 4; round += 1) {
      const before = process.cpuUsage();
      await apply(tools, content, wanted, "x\n");
      const { user, system } = process.cpuUsage(before);
      costs.push(user + system);
    }
    return Math.min(...costs);
  };
  const [few, many] = [await cost(2000), await cost(20_000)];
  console.log(`  a stale edit: ${(few / 1000).toFixed(1)} ms in 2,000 lines, ${(many / 1000).toFixed(1)} ms in 20,000`);
  return {
    what: "CPU of a stale edit in a file of 10 times the length",
    today: many / few,
    limit: limits.growth,
    unit: "×",
  };
}
