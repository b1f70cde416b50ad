/** *Choose Model*: the models with what they can do and what was learnt about them, and ids that are typed in (C5). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../base/definedFields";
import { isChatModel, type ModelCatalog } from "../models/modelCatalog";
import { families, type Family } from "../domain/family";
import type { Model } from "../domain/ports";
import { type PickChoice, StepPicker, typedId } from "./pickSteps";

/** The list of chat models with what each can do; what was learnt about one can be undone there. */
export async function chooseModel(models: ModelCatalog): Promise<void> {
  const { list, chat } = models.models.current;
  const readChoices = (): readonly PickChoice<string>[] =>
    models.models.current.list.filter(isChatModel).map((model) => choiceOf(model, models));
  const choices = readChoices();
  const picker = new StepPicker(t("Choose Model"));
  try {
    let id = chat?.id ?? "";
    let isNew = false;
    for (;;) {
      if (!isNew) {
        const answer = await picker.ask({
          placeholder: choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model"),
          choices,
          preselected: choices.find(({ value }) => value === id),
          typed: typedId,
          redraw: readChoices,
          ...(choices.length > 0 ? {} : { empty: t("The gateway lists no models now. Check Connection shows why.") }),
        });
        if (typeof answer === "string") return;
        id = answer.value;
        if (list.some((model) => model.id === id)) {
          models.choose(id);
          return;
        }
        isNew = true;
      } else {
        const answer = await picker.ask({
          // Only an id that is not listed needs this step.
          position: { step: 2, totalSteps: 2 },
          placeholder: t("Which API does {0} use?", id),
          choices: familyChoices(),
        });
        if (answer === "cancelled") return;
        if (answer === "back") isNew = false;
        else {
          models.choose(id, answer.value);
          return;
        }
      }
    }
  } finally {
    picker.dispose();
  }
}

function choiceOf(model: Model, models: ModelCatalog): PickChoice<string> {
  const description = describeModel(model);
  const learnt = {
    detail: t("Learnt: it refused tools, so none are sent to it."),
    buttons: [
      {
        icon: "discard" as const,
        tooltip: t("Forget This: Send Tools Again"),
        press: () => models.forgetLearnt(model.id),
      },
    ],
  };
  return {
    label: model.id,
    value: model.id,
    ...definedFields({ description: description === "" ? undefined : description }),
    ...(model.toolsRefused ? learnt : {}),
  };
}

function familyChoices(): readonly PickChoice<Family>[] {
  const choices: Readonly<Record<Family, Pick<PickChoice<Family>, "label" | "description">>> = {
    "chat-completions": { label: t("Chat completions"), description: "/v1/chat/completions" },
    messages: { label: t("Messages"), description: "/v1/messages" },
    "generate-content": { label: t("Generate content"), description: "/v1/models/…:generateContent" },
  };
  return families.map((value) => ({ ...choices[value], value }));
}

/** What the model can do, as far as it is known. */
export function describeModel({ note, tools, images, thinking, contextSize }: Model): string {
  const facts = [
    note ?? "",
    tools === undefined ? "" : tools ? t("tools") : t("takes no tools"),
    images === true ? t("images") : "",
    thinking === undefined || thinking === false || thinking === "off" ? "" : t("thinking"),
    contextSize === undefined ? "" : t("{0} tokens", contextSize.toLocaleString(vscode.env.language)),
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}
