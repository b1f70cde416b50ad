// A5: preview, undo and redo of a turn that changed 10,000 files cost ten times what 1,000 cost, and let other work of the host run.
import { buildSubject, inFolder, measureSubject } from "./subject.mjs";

const [few, many] = [1000, 10_000];
/** `growth` is the CPU of many over that of few, which is ten where it is linear. `held` is milliseconds of CPU. */
const limits = { growth: 12, held: { load: 30, preview: 15, undo: 15, redo: 30 } };
const missed = {
  load: { goal: 20, why: "at the goal, and over it by noise" },
  redo: { goal: 20, why: "at the goal, and over it by noise: the lists of 20,000 records are made in one piece" },
};
const rounds = 5;

/** @typedef {Record<"load" | "preview" | "undo" | "redo", { cpu: number, held: number }>} Figures */

/** Measures how every step grows with the number of files, and how long it holds the host. */
export const run = () =>
  inFolder(async (folder) => {
    const subject = await buildSubject("undo", folder);
    const ofFew = await best(subject, few);
    const ofMany = await best(subject, many);
    console.log(`${many} changed files beside ${few}, best of ${rounds}, Node ${process.version}`);
    const steps = /** @type {(keyof Figures)[]} */ (["load", "preview", "undo", "redo"]);
    return steps.flatMap((step) => {
      const growth = ofMany[step].cpu / ofFew[step].cpu;
      const { cpu, held } = ofMany[step];
      console.log(
        `  ${step}: ${cpu.toFixed(0)} ms of CPU, ${growth.toFixed(1)} ×; holds the host ${held.toFixed(0)} ms of it at most`,
      );
      return [
        { what: `${step}: CPU of ${many} files over that of ${few}`, today: growth, limit: limits.growth, unit: "×" },
        {
          ...{ what: `${step}: the host held at once`, today: held, limit: limits.held[step], unit: "ms CPU" },
          ...(step === "load" || step === "redo" ? { missed: missed[step] } : {}),
        },
      ];
    });
  });

/** Returns the least of each figure, because what else runs on the machine only adds. @param {string} subject @param {number} files @returns {Promise<Figures>} */
async function best(subject, files) {
  /** @type {Figures[]} */
  const all = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measureSubject([subject, String(files)]));
  const least = (/** @type {keyof Figures} */ step) => ({
    cpu: Math.min(...all.map((figures) => figures[step].cpu)),
    held: Math.min(...all.map((figures) => figures[step].held)),
  });
  return { load: least("load"), preview: least("preview"), undo: least("undo"), redo: least("redo") };
}
