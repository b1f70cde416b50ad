/** Finds the variants of a prompt that no task was made of yet, and those that have only tasks that failed. */
import { listedKeys } from "../prompts/directives";
import type { FilePrompt } from "../prompts/parsePrompts";
import type { PromptVariant } from "../prompts/variants";
import { hasSucceeded, isOver } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { readSentBody, type SentBody } from "./requestBody";

type ReadBoard = Pick<TaskBoard, "all" | "readBody">;

/**
 * The variants without a task. Each task belongs to one variant: that with its text and, where they were chosen for the variant, with the model and
 * the options that were sent.
 */
export function missingVariants(prompt: FilePrompt, board: ReadBoard): Promise<readonly PromptVariant[]> {
  return variantsWithout(prompt, board, () => true);
}

/** The variants that have tasks, none of which runs or has succeeded. */
export async function failedVariants(prompt: FilePrompt, board: ReadBoard): Promise<readonly PromptVariant[]> {
  const missing = new Set(await missingVariants(prompt, board));
  const without = await variantsWithout(prompt, board, (task) => !isOver(task) || hasSucceeded(task));
  return without.filter((variant) => !missing.has(variant));
}

async function variantsWithout(
  { variants }: FilePrompt,
  board: ReadBoard,
  counts: (task: Task) => boolean,
): Promise<readonly PromptVariant[]> {
  const texts = new Set(variants.map(({ text }) => text));
  const left = new Set([...board.all.values()].filter((task) => texts.has(task.intent.prompt) && counts(task)));
  const missing: PromptVariant[] = [];
  const bodies = new Map<string, Promise<SentBody>>();
  const readSent = ({ intent }: Task): Promise<SentBody> => {
    const body = bodies.get(intent.id) ?? board.readBody(intent.id).then(readSentBody);
    bodies.set(intent.id, body);
    return body;
  };
  for (const variant of variants) {
    let made: Task | undefined;
    for (const task of left) {
      if (task.intent.prompt !== variant.text || !(await isOf(task, variant, readSent))) continue;
      made = task;
      break;
    }
    if (made) left.delete(made);
    else missing.push(variant);
  }
  return missing;
}

async function isOf(
  task: Task,
  { chosen, settings }: PromptVariant,
  readSent: (task: Task) => Promise<SentBody>,
): Promise<boolean> {
  const own = listedKeys.filter((key) => chosen.some(({ name }) => name === key));
  if (own.length === 0) return true;
  const { metadata } = await readSent(task);
  const sent: Readonly<Record<string, unknown>> = { ...metadata, model: task.intent.model };
  return own.every((key) => sent[key] === settings[key]);
}
