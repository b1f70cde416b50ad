/** *Choose Model*: the model of one chat, with what each model can do and costs, how much it thinks, and the mode (C5, A13). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../base/definedFields";
import { fillOf } from "../request/contextFill";
import type { ChatSession } from "../session/session";
import type { ShownChat } from "../storage/shownChat";
import { lastAnswer } from "../../domain/chat/chat";
import { choiceOf, modeOf } from "../../domain/chat/choices";
import { type Effort, efforts } from "../../domain/chat/modelOptions";
import type { Model } from "../../domain/ports";
import type { PriceList } from "../../domain/prices/priceList";
import { effortName, modeName, whyNotChosen, modeDetail } from "../../domain/words/modeWords";
import { plural } from "../../domain/words/plural";
import type { ModelCatalog } from "../../gateway/modelCatalog";
import { notifyWarning } from "../../vscode/interface/show";
import { type PickChoice, StepPicker, type StepPosition } from "../../vscode/interface/pickSteps";
import { pickChatModel } from "../../gateway/host/connect/pickModel";
import { type ChatMode, chatModes } from "../../domain/chat/chatMode";

export interface ChooseModelOptions {
  readonly models: ModelCatalog;
  readonly prices: () => PriceList;
  readonly checkConnection: () => void;
}

/** Values of rows that are no models. Ids of models hold no line break, so these can't collide with one. */
const effortRow = "\neffort";
const modeRow = "\nmode";

/** Resolves when the list is closed. */
export async function chooseModel(shown: ShownChat, options: ChooseModelOptions): Promise<void> {
  const session = shown.session.current;
  const { models } = options;
  // The note is in the title, because the title stays visible while an id is typed.
  const heading = [t("Choose Model"), describeSwitch(session, models.modelOf(choiceOf(session.chat)))];
  const picker = new StepPicker(heading.filter((part) => part !== undefined).join(" · "));
  try {
    for (;;) {
      const current = models.modelOf(choiceOf(session.chat));
      const picked = await pickChatModel(picker, models, {
        canCheck: true,
        current: current?.id,
        prices: options.prices(),
        others: rowsOf(session, current),
      });
      if (picked === "check") options.checkConnection();
      if (typeof picked === "string") return;
      if ("id" in picked) {
        if (!(await session.choose({ type: "model-set", model: picked.id }))) void notifyWarning(whyNotChosen());
        return;
      }
      const isOpen = picked.other === effortRow ? pickEffort(picker, session) : pickMode(picker, session, inThisList);
      if (!(await isOpen)) return;
    }
  } finally {
    picker.dispose();
  }
}

/** The position after the list of models, to which Back returns. */
const inThisList = { step: 2, totalSteps: 2 };

/** Says what another model lacks of the chat so far; `undefined` before the first answer. */
function describeSwitch(session: ChatSession, current: Model | undefined): string | undefined {
  if (lastAnswer(session.chat) === undefined || current === undefined) return undefined;
  const tokens = fillOf(session.chat)?.used;
  if (tokens === undefined) return t("Another model reads this chat anew, without cache and thinking");
  return plural(
    tokens,
    { other: "Another model reads this chat anew: {0} tokens, no cache, no thinking" },
    tokens.toLocaleString(vscode.env.language),
  );
}

/** The rows below the models. A model that can't think gets no row for its effort. */
function rowsOf({ chat }: ChatSession, current: Model | undefined): readonly PickChoice<string>[] {
  const effort = chat.effort === undefined ? t("as set for the model") : effortName(chat.effort);
  return [
    ...(current === undefined || current.thinking === false
      ? []
      : [{ icon: "settings" as const, label: t("Thinking Effort…"), description: effort, value: effortRow }]),
    { icon: "settings", label: t("Mode…"), description: modeName(modeOf(chat)), value: modeRow },
  ];
}

/** False when the list was closed. */
async function pickEffort(picker: StepPicker, session: ChatSession): Promise<boolean> {
  const own = { label: t("As set for the model"), value: undefined };
  const choices: readonly PickChoice<Effort | undefined>[] = [
    own,
    ...efforts.map((value) => ({ label: effortName(value), value })),
  ];
  const answer = await picker.ask<Effort | undefined>({
    position: inThisList,
    placeholder: t("How much the model thinks before it answers in this chat. More takes longer and costs more."),
    choices,
    preselected: choices.find(({ value }) => value === session.chat.effort),
  });
  if (typeof answer === "string") return answer === "back";
  if (!(await session.choose({ type: "effort-set", ...definedFields({ effort: answer.value }) })))
    void notifyWarning(whyNotChosen());
  return true;
}

/** Resolves when the list is closed. */
export async function chooseMode({ session }: ShownChat): Promise<void> {
  const picker = new StepPicker(t("Choose Mode"));
  try {
    await pickMode(picker, session.current);
  } finally {
    picker.dispose();
  }
}

/** False when the list was closed. `position` is given where the list is a step after another one. */
async function pickMode(picker: StepPicker, session: ChatSession, position?: StepPosition): Promise<boolean> {
  const choices = chatModes.map((mode) => ({ label: modeName(mode), detail: modeDetail(mode), value: mode }));
  const answer = await picker.ask<ChatMode>({
    placeholder: t("What the model may do in this chat. Shift+Tab in the message box goes through them."),
    choices,
    preselected: choices.find(({ value }) => value === modeOf(session.chat)),
    ...(position === undefined ? {} : { position }),
  });
  if (typeof answer === "string") return answer === "back";
  if (!(await session.setMode(answer.value))) void notifyWarning(whyNotChosen());
  return true;
}
