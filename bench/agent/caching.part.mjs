// The price of the prompts of recorded turns with the marks that our requests have for the service's cache, beside the price without any.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** @typedef {import("../verdicts.mjs").Verdict} Verdict */

const turn = 25;

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<Verdict[]>} */
export default async function ({ subject, data }) {
  const { playRun, playTurn } = await subject("bench/agent/caching.subject.mjs");
  const lines = gunzipSync(await readFile(path.join(data, "runs.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");
  /** @type {number[]} */
  const factors = [];
  const all = { price: 0, whole: 0, lost: 0, requests: 0 };
  for (const line of lines) {
    const { rounds } = JSON.parse(line);
    const run = await playRun(rounds);
    factors.push(run.price / run.whole);
    all.price += run.price;
    all.whole += run.whole;
    all.lost += run.lost;
    all.requests += run.rounds;
  }
  const median = factors.toSorted((one, other) => one - other)[Math.floor(factors.length / 2)] ?? Number.NaN;
  const total = all.price / all.whole;
  const { rounds, input, cached } = await playTurn(turn);
  const uncached = rounds === turn ? 1 - cached / input : Number.NaN;
  console.log(
    `${lines.length} recorded turns, ${all.requests} requests: the prompts cost ${median.toFixed(3)} (median of the turns) and ${total.toFixed(3)} (all together) of what they cost without marks. Of a turn of ${rounds} rounds the local gateway read ${((cached / input) * 100).toFixed(1)} % from its cache.`,
  );
  return [
    {
      what: "price of a recorded turn's prompts with our marks, of that without: median",
      today: median,
      limit: 0.15,
      unit: "",
    },
    { what: "the same, all turns together", today: total, limit: 0.15, unit: "" },
    { what: "requests that do not begin with what the one before has marked", today: all.lost, limit: 0, unit: "" },
    {
      what: `input of a turn of ${turn} rounds that is not from the cache`,
      today: uncached * 100,
      limit: 2,
      unit: "%",
    },
  ];
}
