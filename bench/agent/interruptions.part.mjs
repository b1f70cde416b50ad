// A11: no recorded run of a real model is interrupted by Sluice itself: neither by the limit of rounds, nor because a call repeats itself.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/**
 * @typedef {{ readonly rounds: readonly { readonly commands: readonly string[] }[] }} Run
 * @typedef {{ readonly refused: number, readonly limited: boolean, readonly isWhole: boolean }} Replayed
 */

/** The rules before: so many rounds, and a call that was made so often in a turn was not run again, whatever it gave. */
const before = { rounds: 25, same: 3 };

/**
 * The recorder kept no results. Assumed is the worst case for a rule that compares them: a command gives the same text each
 * time, whatever ran between. A shell ran each command without a question.
 * @param {import("../agent.bench.mjs").AgentBench} bench
 * @returns {Promise<readonly import("../verdicts.mjs").Verdict[]>}
 */
export default async function measure({ subject, data }) {
  const { replay, defaultRounds } = await subject("bench/agent/interruptions.subject.mjs");
  const runs = await readRuns(data);
  let [refused, limited, broken] = [0, 0, 0];
  for (const { rounds } of runs) {
    /** @type {Replayed} */
    const replayed = await replay(
      rounds.map(({ commands }) => commands),
      () => "the same text",
      defaultRounds,
    );
    refused += replayed.refused;
    if (replayed.limited) limited += 1;
    if (!replayed.isWhole) broken += 1;
  }
  const longest = Math.max(...runs.map(({ rounds }) => rounds.length));
  const former = runs.filter(wasInterrupted).length;
  console.log(`  ${runs.length} recorded runs, the longest of ${longest} rounds; the limit is ${defaultRounds}`);
  console.log(`  at the limit: ${limited}; calls refused because they repeat themselves: ${refused}`);
  console.log(`  with ${before.rounds} rounds and each fourth equal call refused, as before: ${former} runs`);
  return [
    { what: "recorded runs that Sluice itself interrupts", today: broken, limit: 0, unit: "" },
    { what: "calls of them that it refuses for repeating themselves", today: refused, limit: 0, unit: "" },
  ];
}

/** @param {Run} run */
function wasInterrupted({ rounds }) {
  /** @type {Map<string, number>} */
  const made = new Map();
  for (const command of rounds.flatMap(({ commands }) => commands)) made.set(command, (made.get(command) ?? 0) + 1);
  return rounds.length > before.rounds || [...made.values()].some((times) => times > before.same);
}

/** @param {string} data @returns {Promise<Run[]>} */
async function readRuns(data) {
  const text = gunzipSync(await readFile(path.join(data, "runs.jsonl.gz"))).toString();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
