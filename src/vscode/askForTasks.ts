/** The quick pick that asks what to submit (T2): type, model, prompt. The last choices are preselected, so a repeat is Enter, Enter, Enter. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import type { Model } from "../domain/ports";
import { type TaskType, taskTypes } from "../domain/task";
import type { NewTask } from "../tasks/outbox";
import { cutLabel } from "../tasks/taskRow";
import { taskTypeName } from "../tasks/taskWords";
import { type PickChoice, StepPicker, type StepPosition, type StepResult, typedId } from "./pickSteps";

/** Preselected the next time. */
interface LastChoices {
  readonly type?: TaskType;
  readonly models: Readonly<Partial<Record<TaskType, string>>>;
}

/** The questions, and what is answered so far. */
type Progress =
  | { readonly step: "type"; readonly type: TaskType }
  | { readonly step: "model"; readonly type: TaskType }
  | { readonly step: "prompts"; readonly type: TaskType; readonly model: string };

/** No prompts: one is typed. Several: each becomes a task. `undefined` when the person leaves. */
export async function askForTasks(
  prompts: readonly string[],
  models: readonly Model[],
  { memory, origin }: { readonly memory: vscode.Memento; readonly origin: string },
): Promise<readonly NewTask[] | undefined> {
  // For each gateway: another one may not have that model, or not offer that type.
  const memoryKey = `lastTask:${origin}`;
  const last = readLastChoices(memory.get(memoryKey));
  const picker = new StepPicker(prompts.length > 1 ? t("Submit {0} Tasks", prompts.length) : t("Submit Task"));
  let progress: Progress = { step: "type", type: last.type ?? "video" };
  try {
    for (;;) {
      const type: TaskType = progress.type;
      if (progress.step === "type") {
        const answer = await askForType(picker, type);
        if (typeof answer === "string") return undefined;
        progress = { step: "model", type: answer.value };
      } else if (progress.step === "model") {
        const answer = await askForModel(picker, type, models, last.models[type]);
        if (answer === "cancelled") return undefined;
        progress = answer === "back" ? { step: "type", type } : { step: "prompts", type, model: answer.value };
      } else {
        const { model } = progress;
        const answer = await askForPrompts(picker, prompts, type, model);
        if (answer === "cancelled") return undefined;
        if (typeof answer === "object") {
          const kept: LastChoices = { type, models: { ...last.models, [type]: model } };
          await memory.update(memoryKey, kept);
          return answer.value.map((prompt) => ({ type, model, prompt }));
        }
        progress = { step: "model", type };
      }
    }
  } finally {
    picker.dispose();
  }
}

const at = (step: number): StepPosition => ({ step, totalSteps: 3 });

function askForType(picker: StepPicker, last: TaskType): Promise<StepResult<TaskType>> {
  const choices = taskTypes.map((value): PickChoice<TaskType> => ({ label: capitalised(taskTypeName(value)), value }));
  const preselected = choices.find(({ value }) => value === last);
  return picker.ask({ position: at(1), placeholder: t("What should be made?"), choices, preselected });
}

function askForModel(
  picker: StepPicker,
  type: TaskType,
  models: readonly Model[],
  last: string | undefined,
): Promise<StepResult<string>> {
  const fitting = models.filter(({ taskTypes: types }) => types?.includes(type)).map(({ id }) => id);
  const ids = [...new Set([...(last === undefined || last === "" ? [] : [last]), ...fitting])];
  const choices = ids.map((id): PickChoice<string> => {
    const note = models.find((model) => model.id === id)?.note;
    return { label: id, value: id, ...definedFields({ description: note }) };
  });
  const placeholder = choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model");
  return picker.ask({ position: at(2), placeholder, choices, preselected: choices[0], typed: typedId });
}

/** Asks for a prompt, or to confirm those that were selected; a single one of one line can be edited first. */
async function askForPrompts(
  picker: StepPicker,
  prompts: readonly string[],
  type: TaskType,
  model: string,
): Promise<StepResult<readonly string[]>> {
  const placeholder = t(
    "{0} with {1}. Each task places a hold on the balance.",
    capitalised(taskTypeName(type)),
    model,
  );
  const [first = ""] = prompts;
  if (prompts.length === 0) return askForText(picker, "");
  const submit: PickChoice<"submit" | "edit"> =
    prompts.length > 1
      ? {
          icon: "cloud-upload",
          label: t("Submit {0} {1} tasks with {2}", prompts.length, taskTypeName(type), model),
          detail: prompts.map(cutLabel).join(" · "),
          value: "submit",
        }
      : { icon: "cloud-upload", label: t("Submit"), detail: first, value: "submit" };
  const edit: PickChoice<"submit" | "edit"> = { icon: "edit", label: t("Edit the prompt first"), value: "edit" };
  // An input box holds one line; longer prompts are edited in their document.
  const canEdit = prompts.length === 1 && !first.includes("\n");
  const choices = canEdit ? [submit, edit] : [submit];
  const answer = await picker.ask({ position: at(3), placeholder, choices, preselected: submit, paid: true });
  if (typeof answer === "string") return answer;
  if (answer.value === "submit") return { value: prompts };
  const edited = await askForText(picker, first);
  return edited === "back" ? askForPrompts(picker, prompts, type, model) : edited;
}

async function askForText(picker: StepPicker, value: string): Promise<StepResult<readonly string[]>> {
  const placeholder = t("Type the prompt: say what should be made");
  const answer = await picker.askText(at(3), placeholder, value, (text) => ({
    icon: "cloud-upload",
    label: t("Submit"),
    detail: text,
  }));
  return typeof answer === "string" ? answer : { value: [answer.value] };
}

function readLastChoices(value: unknown): LastChoices {
  const models: Partial<Record<TaskType, string>> = {};
  if (typeof value !== "object" || value === null) return { models };
  const kept = "models" in value && typeof value.models === "object" ? (value.models ?? {}) : {};
  for (const type of taskTypes) {
    const id: unknown = Reflect.get(kept, type);
    if (typeof id === "string") models[type] = id;
  }
  const type = "type" in value ? taskTypes.find((known) => known === value.type) : undefined;
  return type === undefined ? { models } : { type, models };
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
