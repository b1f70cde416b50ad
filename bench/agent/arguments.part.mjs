// A10: calls as models of other agents write them: right, refused with what is wrong and the tool's schema, or neither.

/** @param {import("../agent.bench.mjs").AgentBench} bench */
export default async function run({ subject }) {
  const { deviations, judge } = await subject("test/support/argumentDeviations.ts");
  const counts = new Map();
  for (const deviation of deviations) {
    const outcome = await judge(deviation);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome === "neither") console.log(`neither: ${JSON.stringify(deviation.call)}`);
  }
  for (const [outcome, count] of counts) console.log(`${outcome}: ${count} of ${deviations.length}`);
  const right = counts.get("right") ?? 0;
  return [
    {
      what: "calls that are neither right nor refused with the remedy",
      today: deviations.length - right - (counts.get("refused with the remedy") ?? 0),
      limit: 0,
      unit: "",
    },
    { what: "deviations that are missing to sixty", today: Math.max(0, 60 - deviations.length), limit: 0, unit: "" },
  ];
}
