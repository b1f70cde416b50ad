// Prompts longer than the model's context: the refusals of real services, and random chats at three sizes.

/** @typedef {import("../verdicts.mjs").Verdict} Verdict */

const sizes = [8_000, 32_000, 128_000];
/** Tokens of all contexts of the chats of one size: fewer chats, the longer they can be. */
const played = 4_000_000;

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<Verdict[]>} */
export default async function ({ subject }) {
  const { playRefusals, playBoundedChat } = await subject("bench/agent/overflow.subject.mjs");
  /** @type {{ service: string, isAnswered: boolean }[]} */
  const refusals = await playRefusals();
  const unanswered = refusals.filter(({ isAnswered }) => !isAnswered).map(({ service }) => service);
  console.log(
    `Refusals in the words of ${refusals.length} services: ${refusals.length - unanswered.length} lead to an answer. ${unanswered.join(", ")}`,
  );
  let [neither, repeated] = [0, 0];
  for (const size of sizes) {
    const chats = Math.ceil(played / size);
    const ends = { answer: 0, pause: 0, neither: 0 };
    let refused = 0;
    for (let seed = 1; seed <= chats; seed += 1) {
      const chat = await playBoundedChat(size, seed);
      for (const end of /** @type {(keyof typeof ends)[]} */ (chat.ends)) ends[end] += 1;
      repeated += chat.repeated;
      refused += chat.refused;
    }
    neither += ends.neither;
    console.log(
      `${chats} chats at ${size} tokens: ${refused} refusals; of the turns ${ends.answer} ended in an answer, ${ends.pause} in a pause.`,
    );
  }
  return [
    { what: "refusals of services that do not lead to an answer", today: unanswered.length, limit: 0, unit: "" },
    { what: "turns of random chats that end neither in an answer nor in a pause", today: neither, limit: 0, unit: "" },
    { what: "refused requests that were made again unchanged", today: repeated, limit: 0, unit: "" },
  ];
}
