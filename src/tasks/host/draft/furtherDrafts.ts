/** Drafts that go on from the draft of a task that there is: variants of it, the same with another model. */
import { randomInt } from "node:crypto";
import type { TaskDraft } from "./taskDraft";

const variantCount = 4;
/** Gateways store seeds as 32 bits with a sign. */
const maxSeed = 2 ** 31;

/** The same several times, each with a seed of its own, by which alone they differ. */
export function variantsOf(draft: TaskDraft): TaskDraft {
  const [prompt = ""] = draft.prompts;
  const { seed: before, ...metadata } = draft.metadata;
  const seeds = new Set<number>();
  while (seeds.size < variantCount) {
    const seed = randomInt(maxSeed);
    if (seed !== before) seeds.add(seed);
  }
  const each = [...seeds].map((seed) => ({ words: `seed: ${seed}`, metadata: { seed } }));
  return { ...draft, prompts: each.map(() => prompt), metadata, each };
}

/** The person is asked for the model. */
export function withoutModel({ model: _before, ...draft }: TaskDraft): TaskDraft {
  return draft;
}
