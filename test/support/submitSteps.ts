/** The steps of a submission by words of their placeholders, and the tasks that they made. */
import type { Task } from "../../src/domain/task/task";
import type { ExtensionInside } from "../../src/extension";
import type { Person } from "./fakeVscode/person";

export const typeStep = "What should be made?";
export const modelStep = "Model, or type another id";
export const promptStep = "Type the prompt";
/** The last step where the prompt is known, on the local gateway. */
export const reviewStep = "Free on the local gateway";

/** Settings with two models for each type: where there is one, it is asked for once only. */
export const twoModels = {
  "sluice.models": [{ id: "other-model", taskTypes: ["video", "async-image", "stylized-image"] }],
};

export const tasksView = "sluice.tasks";

/** Types the prompt of an image, without a selection. It is not submitted yet. */
export async function typePrompt(person: Person, prompt: string): Promise<ReturnType<Person["palette"]>> {
  const asking = person.palette("Sluice: Submit Selection as Task…");
  await person.step(typeStep);
  await person.choose(/^Image$/);
  await person.through(modelStep);
  await person.step(promptStep);
  await person.type(prompt);
  return asking;
}

/** The tasks of a prompt, the oldest first. */
export function tasksOf({ app }: ExtensionInside, prompt: string): readonly Task[] {
  return [...app.board.listed.values()].filter(({ intent }) => intent.prompt === prompt);
}
