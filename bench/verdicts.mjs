// A bench holds its figures to verdicts. Each suite's `run` resolves with its verdicts, and `npm run bench` prints them as one table at its end.

/**
 * `today` is what was measured in this run. It holds when it is at most `limit`. `missed` is there where the goal of the product is not reached yet:
 * it has that goal, and what it would take. The limit then keeps what is reached.
 * @typedef {{ readonly what: string, readonly today: number, readonly limit: number, readonly unit: string, readonly missed?: { readonly goal: number, readonly why: string } }} Verdict
 */

/** Units of time: what is measured in one of them takes longer on a slower machine. */
const times = new Set(["ms", "µs", "ms/s", "s", "ms CPU"]);

/** Returns the verdict with limits for a machine that takes `pace` times as long as the one on which they were set. @param {Verdict} verdict @param {number} pace @returns {Verdict} */
export function atPace(verdict, pace) {
  const { unit, limit, missed } = verdict;
  if (!times.has(unit)) return verdict;
  return { ...verdict, limit: limit * pace, ...(missed && { missed: { ...missed, goal: missed.goal * pace } }) };
}

/** @param {Verdict} verdict Not a number, as where nothing was measured, does not hold. */
export const holds = ({ today, limit }) => today <= limit;

/** Returns the table that is printed of all: goal, today, and whether a cost twice as high would be over the limit. @param {readonly (readonly [string, readonly Verdict[]])[]} suites by name @returns {string} */
export function verdictTable(suites) {
  const header = ["suite", "what", "goal", "today", "verdict"];
  const rows = suites.flatMap(([suite, verdicts]) =>
    verdicts.length === 0 ? [[suite, "", "", "", notMeasured]] : verdicts.map((verdict) => rowOf(suite, verdict)),
  );
  const missed = suites.flatMap(([suite, verdicts]) =>
    verdicts.flatMap((verdict) => (isMissed(verdict) ? [`${suite}, ${verdict.what}: ${verdict.missed?.why}`] : [])),
  );
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...(missed.length > 0 ? ["", "goals that are missed:", ...missed] : [])].join("\n");
}

/** @param {Verdict} verdict */
const isMissed = ({ today, missed }) => missed !== undefined && !(today <= missed.goal);

const notMeasured = "NOT MEASURED";

/** @param {string} suite @param {Verdict} verdict */
function rowOf(suite, verdict) {
  const { what, today, limit, unit, missed } = verdict;
  const goal = `≤ ${number(missed?.goal ?? limit)} ${unit}`.trim();
  return [suite, what, goal, `${number(today)} ${unit}`.trim(), words(verdict)];
}

/** @param {Verdict} verdict */
function words(verdict) {
  const { today, limit } = verdict;
  if (!holds(verdict)) return Number.isFinite(today) ? "OVER" : notMeasured;
  if (isMissed(verdict)) return `missed, within ${number(limit)}`;
  // With a limit of 0 nothing is left out.
  return today * 2 > limit || limit === 0 ? "holds" : "holds, doubled too";
}

/** Writes a value with three digits that count. @param {number} value */
const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3))));
