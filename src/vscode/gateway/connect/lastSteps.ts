/** The questions once the gateway is in use: the model of the chat, and which task types the account has (C5, T3). */
import { t } from "@vscode/l10n";
import type { Connections } from "../../../domain/ports";
import { type TaskType, taskTypes } from "../../../domain/task/task";
import type { ModelCatalog } from "../../../models/modelCatalog";
import type { TaskTypeAvailability } from "../../../tasks/submit/availability";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import { pickChatModel } from "../../models/chooseModel";
import type { PickChoice, StepPicker, StepPosition, StepResult } from "../../interface/pickSteps";
import { capitalised } from "../../interface/capitalised";

/** Waits for the list of the gateway that is in use now; Back and Esc end that. */
async function awaitModels(
  picker: StepPicker,
  { connections, models }: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<StepResult<undefined>> {
  return picker.ask<undefined>({
    position,
    placeholder: t("Reading the list of models"),
    choices: [],
    live: (_show, end) => {
      const left = new AbortController();
      const read = async (): Promise<void> => {
        await connections.ready(left.signal);
        await (models.models.current.error ? models.load() : models.settled());
      };
      // Whatever came of it is in the catalogue.
      void read()
        .catch(() => undefined)
        .then(() => end(undefined));
      return { dispose: () => left.abort() };
    },
  });
}

export async function askForChatModel(
  picker: StepPicker,
  ports: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<"chosen" | "back" | "cancelled"> {
  const waited = await awaitModels(picker, ports, position);
  if (typeof waited === "string") return waited;
  const answer = await pickChatModel(picker, ports.models, { position, canSkip: true });
  return answer === "check" ? "cancelled" : answer;
}

export interface TypesQuestion {
  readonly availability: TaskTypeAvailability;
  readonly origin: string;
  /** Missing where the settings name no console. */
  readonly openConsole: (() => void) | undefined;
  readonly position: StepPosition;
}

/** The gateway can't be asked without paying, so the person states it. */
export async function askForTaskTypes(picker: StepPicker, question: TypesQuestion): Promise<StepResult<undefined>> {
  const { availability, origin, openConsole, position } = question;
  const done: PickChoice<"done" | "console" | TaskType> = { icon: "check", label: t("Done"), value: "done" };
  let active: TaskType | undefined;
  for (;;) {
    const types = taskTypes.map((type): PickChoice<"done" | "console" | TaskType> => ({
      ...describeKnown(availability, origin, type),
      label: capitalised(taskTypeName(type)),
      value: type,
    }));
    const console: typeof types = openConsole
      ? [{ icon: "link-external", label: t("Open Console"), description: t("shows what is enabled"), value: "console" }]
      : [];
    const answer = await picker.ask<"done" | "console" | TaskType>({
      position,
      placeholder: t("Which task types are enabled for the account? Enter on one changes it."),
      choices: [done, ...types, ...console],
      preselected: types.find(({ value }) => value === active) ?? done,
    });
    if (typeof answer === "string") return answer;
    if (answer.value === "done") return { value: undefined };
    if (answer.value === "console") openConsole?.();
    else {
      active = answer.value;
      const before = availability.of(origin, active).state;
      availability.setByHand(origin, active, before === "unknown" ? true : before === "enabled" ? false : undefined);
    }
  }
}

function describeKnown(
  availability: TaskTypeAvailability,
  origin: string,
  type: TaskType,
): Pick<PickChoice<unknown>, "icon" | "description"> {
  switch (availability.of(origin, type).state) {
    case "unknown":
      return { icon: "circle-outline", description: t("don't know: asked before the first task") };
    case "enabled":
      return { icon: "check", description: t("enabled") };
    case "not-enabled":
      return { icon: "circle-slash", description: t("not enabled") };
  }
}
