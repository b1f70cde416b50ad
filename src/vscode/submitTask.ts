/** Asking what to submit (T2): type, model, prompt; the last answers are preselected, so a repeat is Enter, Enter, Enter. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Model } from "../domain/ports";
import { type TaskType, taskTypes } from "../domain/task";
import type { NewTask } from "../tasks/outbox";
import { cutLabel, taskTypeName } from "../tasks/taskRow";
import { askChoice, askText, type Choice, type Place, type Step } from "./pickSteps";

/** What was chosen last, for the next time. */
export interface LastChoices {
  type?: TaskType;
  models: Partial<Record<TaskType, string>>;
}

/** No prompts: one is typed. Several: each is a task of a batch. Resolves with nothing when the person leaves. */
export async function askTasks(
  prompts: readonly string[],
  models: readonly Model[],
  memory: vscode.Memento,
): Promise<readonly NewTask[] | undefined> {
  const last = readLastChoices(memory.get("lastTask"));
  const title = prompts.length > 1 ? t("Submit {0} Tasks", prompts.length) : t("Submit Task");
  const place = (step: number): Place => ({ title, step, totalSteps: 3 });
  let type = last.type ?? "video";
  let model = "";
  let typed = "";
  let step = 1;
  for (;;) {
    if (step === 1) {
      const answer = await askType(place(1), type);
      if (typeof answer === "string") return undefined;
      type = answer.value;
      step = 2;
    } else if (step === 2) {
      const answer = await askModel(place(2), type, models, last.models[type]);
      if (answer === "cancelled") return undefined;
      if (answer === "back") step = 1;
      else {
        model = answer.value;
        step = 3;
      }
    } else {
      const answer =
        prompts.length === 0 ? await askPrompt(place(3), typed) : await confirmPrompts(place(3), prompts, type, model);
      if (answer === "cancelled") return undefined;
      if (answer === "back") step = 2;
      else {
        typed = answer.value[0] ?? "";
        const kept: LastChoices = { type, models: { ...last.models, [type]: model } };
        await memory.update("lastTask", kept);
        return answer.value.map((prompt) => ({ type, model, prompt }));
      }
    }
  }
}

function askType(place: Place, last: TaskType): Promise<Step<TaskType>> {
  const choices = taskTypes.map((value): Choice<TaskType> => ({ label: capitalised(taskTypeName(value)), value }));
  const preselected = choices.find(({ value }) => value === last);
  return askChoice({ place, placeholder: t("What should be made?"), choices, preselected });
}

function askModel(
  place: Place,
  type: TaskType,
  models: readonly Model[],
  last: string | undefined,
): Promise<Step<string>> {
  const fitting = models.filter(({ taskTypes: types }) => types?.includes(type)).map(({ id }) => id);
  const ids = [...new Set([...(last === undefined || last === "" ? [] : [last]), ...fitting])];
  const choices = ids.map((id): Choice<string> => {
    const note = models.find((model) => model.id === id)?.note;
    return { label: id, value: id, ...(note === undefined ? {} : { description: note }) };
  });
  const preselected = choices[0];
  return askChoice({
    place,
    placeholder: choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model"),
    choices,
    preselected,
    typed: (id) => ({ label: id, description: t("as typed"), value: id }),
  });
}

async function askPrompt(place: Place, value: string): Promise<Step<readonly string[]>> {
  const check = (text: string): string | undefined =>
    text.trim() === "" ? t("A prompt is needed: say what should be made.") : undefined;
  const answer = await askText({ place, prompt: t("What should be made?"), value, check });
  return typeof answer === "string" ? answer : { value: [answer.value] };
}

async function confirmPrompts(
  place: Place,
  prompts: readonly string[],
  type: TaskType,
  model: string,
): Promise<Step<readonly string[]>> {
  const [first = ""] = prompts;
  const submit: Choice<"submit" | "edit"> =
    prompts.length > 1
      ? {
          label: t("$(cloud-upload) Submit {0} {1} tasks with {2}", prompts.length, taskTypeName(type), model),
          detail: prompts.map(cutLabel).join(" · "),
          value: "submit",
        }
      : { label: t("$(cloud-upload) Submit"), detail: first.replaceAll(/\s+/g, " ").slice(0, 300), value: "submit" };
  const edit: Choice<"submit" | "edit"> = { label: t("$(edit) Edit the prompt first"), value: "edit" };
  // An input box holds one line: a longer prompt is edited where it stands.
  const canEdit = prompts.length === 1 && !first.trim().includes("\n");
  const choices = canEdit ? [submit, edit] : [submit];
  const placeholder = t(
    "{0} with {1}. Each task places a hold on the balance.",
    capitalised(taskTypeName(type)),
    model,
  );
  const answer = await askChoice({ place, placeholder, choices, preselected: submit });
  if (typeof answer === "string") return answer;
  if (answer.value === "submit") return { value: prompts };
  const edited = await askPrompt(place, first.trim());
  return edited === "back" ? confirmPrompts(place, prompts, type, model) : edited;
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
