/** The list of chat models with their abilities and prices, learnt limits (which can be undone there), and typed ids (C5). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../../domain/words/plural";
import { definedFields } from "../../../base/definedFields";
import { describeError } from "../../../domain/words/describeError";
import { isChatModel, type ModelCatalog } from "../../modelCatalog";
import { families, type Family } from "../../../domain/chat/family";
import type { Model } from "../../../domain/ports";
import type { PriceList } from "../../../domain/prices/priceList";
import { describeTokenPrice } from "../../../domain/words/describePrice";
import {
  type PickChoice,
  type StepPicker,
  type StepPosition,
  type StepResult,
  typedId,
} from "../../../vscode/interface/pickSteps";
import { ownWords } from "../../../domain/words/ownWords";

export interface ModelQuestion {
  /** The position among other steps; missing for a single question. */
  readonly position?: StepPosition;
  /** Whether the person may go on without a model. */
  readonly canSkip?: boolean;
  /** Whether *Check Connection* is offered if no model is listed. */
  readonly canCheck?: boolean;
  /** The id that is active at first; by default that of the model for new chats. */
  readonly current?: string | undefined;
  /** Rows below the models, which end the question with their value. */
  readonly others?: readonly PickChoice<string>[];
  readonly prices?: PriceList;
}

/** The result: a model, which is now the one for new chats, or another row, or how the person left. */
export type PickedModel =
  { readonly id: string } | { readonly other: string } | "skipped" | "check" | "back" | "cancelled";

/** Asks for a model, and for the API of a model that is not listed. */
export async function pickChatModel(
  picker: StepPicker,
  models: ModelCatalog,
  question: ModelQuestion,
): Promise<PickedModel> {
  let id = question.current ?? models.models.current.chat?.id ?? "";
  for (;;) {
    const answer = await askForId(picker, models, id, question);
    if (typeof answer === "string") return answer;
    if (answer.value === checkRow) return "check";
    if (answer.value === skipRow) return "skipped";
    if (question.others?.some(({ value }) => value === answer.value) === true) return { other: answer.value };
    id = answer.value;
    if (models.models.current.list.some((model) => model.id === id)) {
      models.choose(id);
      return { id };
    }
    const family = await picker.ask({
      // Only an unlisted id needs this step.
      position: question.position ?? { step: 2, totalSteps: 2 },
      placeholder: t("Which API does {0} use?", id),
      choices: familyChoices(),
    });
    if (family === "cancelled") return family;
    if (family === "back") continue;
    models.choose(id, family.value);
    return { id };
  }
}

/** Values that can't be ids of models, because ids have no line break. */
const checkRow = "\ncheck";
const skipRow = "\nskip";

function askForId(
  picker: StepPicker,
  models: ModelCatalog,
  current: string,
  { position, others = [], prices, canSkip = false, canCheck = false }: ModelQuestion,
): Promise<StepResult<string>> {
  const readChoices = (): readonly PickChoice<string>[] =>
    models.models.current.list.filter(isChatModel).map((model) => choiceOf(model, models, prices));
  const choices = readChoices();
  const isEmpty = choices.length === 0;
  const isWaiting = models.models.current.isRead === undefined;
  const check: PickChoice<string> = { icon: "debug-disconnect", label: t("Check Connection"), value: checkRow };
  const skip: PickChoice<string> = { icon: "arrow-right", label: t("Choose Later"), value: skipRow };
  const after = [...(isEmpty && canCheck ? [check] : []), ...(canSkip ? [skip] : []), ...others];
  return picker.ask({
    placeholder: isEmpty ? t("Type the id of a model") : t("Model, or type another id"),
    choices,
    preselected: choices.find(({ value }) => value === current),
    typed: typedId,
    redraw: readChoices,
    ...definedFields({ position }),
    ...(after.length > 0 ? { after } : {}),
    ...(isEmpty ? { empty: isWaiting ? t("The list of models is being read.") : whyEmpty(models) } : {}),
    ...(isWaiting
      ? {
          later: (show) => {
            const showAll = (): void => show(readChoices());
            void models.loaded().then(showAll);
            return models.models.onDidChange(showAll);
          },
        }
      : {}),
  });
}

/** Why no model of the gateway is in the list. */
export function whyEmpty({ models }: Pick<ModelCatalog, "models">): string {
  const { error } = models.current;
  return error ? describeError(error, "models").title : t("The gateway lists no models for chat.");
}

function choiceOf(model: Model, models: ModelCatalog, prices: PriceList | undefined): PickChoice<string> {
  const [price] = [model.prices, prices].flatMap(
    (list) => (list && describeTokenPrice(list, model.id, vscode.env.language)) ?? [],
  );
  const description = [price ?? "", describeAbilities(model)].filter((fact) => fact !== "").join(" · ");
  const detail = describeLearnt(model);
  const forget = {
    icon: "discard" as const,
    tooltip: model.contextLearnt ? t("Forget What Was Learnt") : t("Forget This: Send Tools Again"),
    press: () => models.forgetLearnt(model.id),
  };
  return {
    label: model.id,
    value: model.id,
    ...definedFields({ description: description === "" ? undefined : description }),
    ...(detail === "" ? {} : { detail, buttons: [forget] }),
  };
}

function describeLearnt({ toolsRefused, contextLearnt, contextSize = 0 }: Model): string {
  const size = contextSize.toLocaleString(vscode.env.language);
  const facts = [
    toolsRefused ? t("Learnt: it refused tools, so they are offered to it as text.") : "",
    contextLearnt
      ? plural(contextSize, { other: "Learnt: it refused a longer request; its context holds {0} tokens." }, size)
      : "",
  ];
  return facts.filter((fact) => fact !== "").join(" ");
}

function familyChoices(): readonly PickChoice<Family>[] {
  const paths: Readonly<Record<Family, string>> = {
    "chat-completions": "/v1/chat/completions",
    messages: "/v1/messages",
    "generate-content": "/v1/models/…:generateContent",
  };
  return families.map((value) => ({ label: familyName(value), description: paths[value], value }));
}

/** The name of an API for a person. */
export function familyName(family: Family): string {
  const names: Readonly<Record<Family, string>> = {
    "chat-completions": t("Chat completions"),
    messages: t("Messages"),
    "generate-content": t("Generate content"),
  };
  return names[family];
}

function describeTools(tools: Model["tools"]): string {
  if (tools === undefined) return "";
  if (tools === "text") return t("tools as text");
  return tools ? t("tools") : t("takes no tools");
}

/** The known abilities of the model. */
export function describeAbilities({ note, tools, images, thinking, contextSize }: Model): string {
  const facts = [
    ownWords(note ?? ""),
    describeTools(tools),
    images === true ? t("images") : "",
    thinking === undefined || thinking === false || thinking === "off" ? "" : t("thinking"),
    contextSize === undefined
      ? ""
      : plural(contextSize, { one: "1 token", other: "{0} tokens" }, contextSize.toLocaleString(vscode.env.language)),
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}
