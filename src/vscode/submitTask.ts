/** Asking what to submit (T2): type, model, prompt; the last answers are preselected, so a repeat is Enter, Enter, Enter. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import type { Model } from "../domain/ports";
import { type TaskType, taskTypes } from "../domain/task";
import type { NewTask } from "../tasks/outbox";
import { cutLabel } from "../tasks/taskRow";
import { taskTypeName } from "../tasks/taskWords";
import { type Choice, type Place, type Step, StepPicker, typedId } from "./pickSteps";

/** What was chosen last, for the next time. */
export interface LastChoices {
  type?: TaskType;
  models: Partial<Record<TaskType, string>>;
}

/** No prompts: one is typed. Several: each is a task of a batch. Resolves with nothing when the person leaves. */
export async function askTasks(
  prompts: readonly string[],
  models: readonly Model[],
  { memory, origin }: { readonly memory: vscode.Memento; readonly origin: string },
): Promise<readonly NewTask[] | undefined> {
  // For each gateway: the next one may not have that model, or not sell that type.
  const memoryKey = `lastTask:${origin}`;
  const last = readLastChoices(memory.get(memoryKey));
  const picker = new StepPicker(prompts.length > 1 ? t("Submit {0} Tasks", prompts.length) : t("Submit Task"));
  let type = last.type ?? "video";
  let model = "";
  let step = 1;
  try {
    for (;;) {
      if (step === 1) {
        const answer = await askType(picker, type);
        if (typeof answer === "string") return undefined;
        type = answer.value;
        step = 2;
      } else if (step === 2) {
        const answer = await askModel(picker, type, models, last.models[type]);
        if (answer === "cancelled") return undefined;
        if (typeof answer === "object") model = answer.value;
        step = answer === "back" ? 1 : 3;
      } else {
        const answer = await askPrompts(picker, prompts, type, model);
        if (answer === "cancelled") return undefined;
        if (answer === "back") step = 2;
        else {
          const kept: LastChoices = { type, models: { ...last.models, [type]: model } };
          await memory.update(memoryKey, kept);
          return answer.value.map((prompt) => ({ type, model, prompt }));
        }
      }
    }
  } finally {
    picker.dispose();
  }
}

const at = (step: number): Place => ({ step, totalSteps: 3 });

function askType(picker: StepPicker, last: TaskType): Promise<Step<TaskType>> {
  const choices = taskTypes.map((value): Choice<TaskType> => ({ label: capitalised(taskTypeName(value)), value }));
  const preselected = choices.find(({ value }) => value === last);
  return picker.ask({ place: at(1), placeholder: t("What should be made?"), choices, preselected });
}

function askModel(
  picker: StepPicker,
  type: TaskType,
  models: readonly Model[],
  last: string | undefined,
): Promise<Step<string>> {
  const fitting = models.filter(({ taskTypes: types }) => types?.includes(type)).map(({ id }) => id);
  const ids = [...new Set([...(last === undefined || last === "" ? [] : [last]), ...fitting])];
  const choices = ids.map((id): Choice<string> => {
    const note = models.find((model) => model.id === id)?.note;
    return { label: id, value: id, ...definedFields({ description: note }) };
  });
  const placeholder = choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model");
  return picker.ask({ place: at(2), placeholder, choices, preselected: choices[0], typed: typedId });
}

/** A prompt is typed, or those that were selected are confirmed; a single short one can be edited first. */
async function askPrompts(
  picker: StepPicker,
  prompts: readonly string[],
  type: TaskType,
  model: string,
): Promise<Step<readonly string[]>> {
  const placeholder = t(
    "{0} with {1}. Each task places a hold on the balance.",
    capitalised(taskTypeName(type)),
    model,
  );
  const [first = ""] = prompts;
  if (prompts.length === 0) return typePrompt(picker, "");
  const submit: Choice<"submit" | "edit"> =
    prompts.length > 1
      ? {
          icon: "cloud-upload",
          label: t("Submit {0} {1} tasks with {2}", prompts.length, taskTypeName(type), model),
          detail: prompts.map(cutLabel).join(" · "),
          value: "submit",
        }
      : { icon: "cloud-upload", label: t("Submit"), detail: first, value: "submit" };
  const edit: Choice<"submit" | "edit"> = { icon: "edit", label: t("Edit the prompt first"), value: "edit" };
  // The box holds one line: a longer prompt is edited where it stands.
  const canEdit = prompts.length === 1 && !first.includes("\n");
  const choices = canEdit ? [submit, edit] : [submit];
  const answer = await picker.ask({ place: at(3), placeholder, choices, preselected: submit, paid: true });
  if (typeof answer === "string") return answer;
  if (answer.value === "submit") return { value: prompts };
  const edited = await typePrompt(picker, first);
  return edited === "back" ? askPrompts(picker, prompts, type, model) : edited;
}

async function typePrompt(picker: StepPicker, value: string): Promise<Step<readonly string[]>> {
  const placeholder = t("Type the prompt: say what should be made");
  const answer = await picker.askText(at(3), placeholder, value, (text) => ({
    icon: "cloud-upload",
    label: t("Submit"),
    detail: text,
  }));
  return typeof answer === "string" ? answer : { value: [answer.value] };
}

function readLastChoices(value: unknown): LastChoices {
  const models: LastChoices["models"] = {};
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
