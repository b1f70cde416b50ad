/** Which variants of a prompt no task was made of yet. */
import { listedKeys } from "../../../../prompts/directives";
import type { FilePrompt } from "../../../../prompts/parsePrompts";
import type { PromptVariant } from "../../../../prompts/variants";
import type { Task } from "../../../../domain/task/task";
import type { TaskBoard } from "../../../../tasks/board/board";
import { readSentBody } from "../../../../tasks/submit/sentBody";

/** Each task is one variant's: its text, and of what that was chosen for the variant the model, and what was sent of size, duration and seed. */
export async function missingVariants(
  { variants }: FilePrompt,
  board: Pick<TaskBoard, "all" | "readBody">,
): Promise<readonly PromptVariant[]> {
  const texts = new Set(variants.map(({ text }) => text));
  const left = new Set([...board.all.tasks.values()].filter(({ intent }) => texts.has(intent.prompt)));
  const missing: PromptVariant[] = [];
  for (const variant of variants) {
    let made: Task | undefined;
    for (const task of left) {
      if (task.intent.prompt !== variant.text || !(await isOf(task, variant, board))) continue;
      made = task;
      break;
    }
    if (made) left.delete(made);
    else missing.push(variant);
  }
  return missing;
}

async function isOf(
  { intent }: Task,
  { chosen, settings }: PromptVariant,
  board: Pick<TaskBoard, "readBody">,
): Promise<boolean> {
  const own = listedKeys.filter((key) => chosen.some(({ name }) => name === key));
  if (own.length === 0) return true;
  const { metadata } = readSentBody(await board.readBody(intent.id));
  const sent: Readonly<Record<string, unknown>> = { ...metadata, model: intent.model };
  return own.every((key) => sent[key] === settings[key]);
}
