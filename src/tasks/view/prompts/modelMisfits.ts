/** Prompts of a file whose model, as far as the gateway lists it, makes something else. Pure. */
import { t } from "@vscode/l10n";
import type { TaskType } from "../../../domain/task/task";
import { joinWords } from "../../../domain/words/joinWords";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { FilePrompt } from "../../prompts/parsePrompts";

export interface ModelMisfit {
  /** Lines of the prompt, counted from 0. */
  readonly line: number;
  readonly lastLine: number;
  readonly message: string;
}

/** The most of a file. */
const maxMisfits = 100;

/** `typesOf`: see `LensPorts`. */
export function modelMisfits(
  prompts: readonly FilePrompt[],
  typesOf: (model: string) => readonly TaskType[] | undefined,
): readonly ModelMisfit[] {
  const found: ModelMisfit[] = [];
  for (const { line, lastLine, variants } of prompts) {
    const messages = new Set<string>();
    for (const { settings } of variants) {
      const { model, type } = settings;
      const types = model === undefined ? undefined : typesOf(model);
      if (model === undefined || type === undefined || types === undefined || types.includes(type)) continue;
      messages.add(describeMisfit(model, types, type));
    }
    for (const message of messages) found.push({ line, lastLine, message });
    if (found.length >= maxMisfits) break;
  }
  return found.slice(0, maxMisfits);
}

function describeMisfit(model: string, types: readonly TaskType[], wanted: TaskType): string {
  const quoted = quoteForeign(model, 60);
  return types.length === 0
    ? t("As the gateway lists it, {0} is no model for tasks. This prompt wants type {1}.", quoted, taskTypeName(wanted))
    : t(
        "As the gateway lists it, {0} makes {1}. This prompt wants type {2}.",
        quoted,
        joinWords(types.map(taskTypeName)),
        taskTypeName(wanted),
      );
}
