// What a question about the workspace leaves in the chat's context when a reader answers it, of what reading in place leaves: by ten recorded runs, each up to the first round that does more than read.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** @typedef {import("../verdicts.mjs").Verdict} Verdict */

const questions = 10;
/** A question that takes fewer is not one for a reader. */
const leastRounds = 6;
const reads =
  /^(?:cd \S+\s*&&\s*)?(?:cat(?! *>)|find|grep|head|ls|pwd|rg|sed -n|tail|tree|wc|git (?:diff|grep|log|show|status))\b[^>]*$/u;

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<Verdict[]>} */
export default async function ({ subject, data }) {
  const { playQuestion } = await subject("bench/agent/explore.subject.mjs");
  const lines = gunzipSync(await readFile(path.join(data, "runs.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");
  /** @type {number[]} */
  const shares = [];
  let saved = 0;
  for (const line of lines) {
    /** @type {{ rounds: { commands: string[] }[] }} */
    const { rounds } = JSON.parse(line);
    const end = rounds.findIndex(({ commands }) => !commands.every((command) => reads.test(command)));
    if (end <= leastRounds || shares.length === questions) continue;
    const { inPlace, delegated } = await playQuestion(rounds.slice(0, end + 1));
    console.log(`  ${end} rounds: ${inPlace} tokens in place, ${delegated} by a reader`);
    shares.push(delegated / inPlace);
    saved += inPlace - delegated;
  }
  const median = shares.toSorted((one, other) => one - other)[Math.floor(shares.length / 2)] ?? Number.NaN;
  console.log(`  ${shares.length} recorded questions: ${saved} tokens of the chat's context saved`);
  return [
    {
      what: "tokens that a question leaves in the chat by a reader, of those by reading in place: median of ten",
      today: shares.length === questions ? median : Number.NaN,
      limit: 0.3,
      unit: "",
    },
  ];
}
