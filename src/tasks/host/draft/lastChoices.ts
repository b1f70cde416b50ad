/** What was chosen last for each task type of a gateway: preselected the next time. */
import type * as vscode from "vscode";
import { type TaskType, taskTypes } from "../../../domain/task/task";

export interface LastChoices {
  readonly type?: TaskType;
  /** Newest first. */
  readonly models: Readonly<Partial<Record<TaskType, readonly string[]>>>;
}

const maxModels = 5;
/** For each gateway: another one may not have that model, or not offer that type. */
const keyOf = (origin: string): string => `lastTask:${origin}`;

export function readLastChoices(memory: vscode.Memento, origin: string): LastChoices {
  const value: unknown = memory.get(keyOf(origin));
  const models: Partial<Record<TaskType, readonly string[]>> = {};
  if (typeof value !== "object" || value === null) return { models };
  const kept = "models" in value && typeof value.models === "object" ? (value.models ?? {}) : {};
  for (const type of taskTypes) {
    const ids: unknown = Reflect.get(kept, type);
    // Version 0.1 kept one id.
    const list: readonly unknown[] = Array.isArray(ids) ? ids : [ids];
    models[type] = list.filter((id): id is string => typeof id === "string" && id !== "");
  }
  const type = "type" in value ? taskTypes.find((known) => known === value.type) : undefined;
  return type === undefined ? { models } : { type, models };
}

export async function rememberChoice(
  memory: vscode.Memento,
  origin: string,
  type: TaskType,
  model: string,
): Promise<void> {
  const { models } = readLastChoices(memory, origin);
  const ids = [...new Set([model, ...(models[type] ?? [])])].slice(0, maxModels);
  await memory.update(keyOf(origin), { type, models: { ...models, [type]: ids } } satisfies LastChoices);
}
