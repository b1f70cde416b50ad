// A10: edits of real models that match nowhere exactly, beside the matchers of other agents.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { anchors, linesOf } from "./edits/anchors.mjs";
import { rightLines } from "./edits/rightPlace.mjs";

/** @typedef {{ readonly path: string, readonly search: string, readonly replace: string, readonly versions: readonly string[] }} RealEdit */

/** A share. */
const maxMisplaced = 0.05;

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<readonly import("../verdicts.mjs").Verdict[]>} */
export default async function run({ subject, data }) {
  const tools = await subject("bench/agent/edits.subject.mjs");
  /** @type {RealEdit[]} */
  const real = gunzipSync(await readFile(path.join(data, "edits.jsonl.gz")))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return measureReal(tools, real);
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
      limit: maxMisplaced,
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
