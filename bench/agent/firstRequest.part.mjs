// A9: what the first request of a chat takes before the person has said anything: system prompt, where the chat works, and the declarations of all tools, in three families.

/** Tokens of prompt and tools. */
const limit = 6000;

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<readonly import("../verdicts.mjs").Verdict[]>} */
export default async function firstRequest({ subject }) {
  const { firstBodies } = await subject("bench/agent/firstRequest.subject.mjs");
  /** @type {readonly { family: string, kind: string, system: number, environment: number, tools: number, body: number }[]} */
  const bodies = await firstBodies();
  for (const { family, kind, system, environment, tools, body } of bodies)
    console.log(
      `  ${family}, ${kind}: ${body} tokens (system prompt ${system}, where it works ${environment}, tools ${tools})`,
    );
  return bodies.map(({ family, kind, body }) => ({
    what: `first request of ${family}, ${kind}: prompt and tools`,
    today: body,
    limit,
    unit: "tokens",
  }));
}
