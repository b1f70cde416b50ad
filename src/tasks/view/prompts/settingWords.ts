/** The settings that apply to a prompt of a file, in a few words for the line above it. */
import { t } from "@vscode/l10n";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { listedKeys, type PromptSettings } from "../../prompts/directives";

/** *video · 1280x720 · 5 s · seed 7 · → assets/*; a list is counted. Empty where nothing is set. */
export function describeSettings(settings: PromptSettings): string {
  const { type, model, size, duration, seed, references = [], destination, lists = {} } = settings;
  const listed = listedKeys.flatMap((key) => {
    const values = lists[key];
    return values === undefined ? [] : [`${key} ×${values.length}`];
  });
  return [
    ...(type === undefined ? [] : [taskTypeName(type)]),
    ...(model === undefined ? [] : [cutLabel(model, 40)]),
    ...(size === undefined ? [] : [size]),
    ...(duration === undefined ? [] : [t("{0} s", duration)]),
    ...(seed === undefined ? [] : [t("seed {0}", seed)]),
    ...listed,
    ...references.map((name) => cutLabel(name, 30)),
    ...(destination === undefined ? [] : [`→ ${cutLabel(destination, 40)}`]),
  ].join(" · ");
}
