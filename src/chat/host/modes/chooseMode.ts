/** *Choose Mode…*: what the model may do in the chat (A13). */
import { t } from "@vscode/l10n";
import type { ChatSession } from "../../session/session";
import type { ShownChat } from "../../storage/shownChat";
import { modeOf } from "../../../domain/chat/choices";
import { type ChatMode, chatModes } from "../../../domain/chat/chatMode";
import { modeDetail, modeName, whyNotChosen } from "../../../domain/words/modeWords";
import { StepPicker, type StepPosition } from "../../../vscode/interface/pickSteps";
import { notifyWarning } from "../../../vscode/interface/show";

/** Resolves when the list is closed. */
export async function chooseMode({ session }: ShownChat): Promise<void> {
  const picker = new StepPicker(t("Choose Mode"));
  try {
    await pickMode(picker, session.current);
  } finally {
    picker.dispose();
  }
}

/** False when the list was closed. `position`: where it is a step of another list. */
export async function pickMode(picker: StepPicker, session: ChatSession, position?: StepPosition): Promise<boolean> {
  const choices = chatModes.map((mode) => ({ label: modeName(mode), detail: modeDetail(mode), value: mode }));
  const answer = await picker.ask<ChatMode>({
    placeholder: t("What the model may do in this chat. Shift+Tab in the composer goes through them."),
    choices,
    preselected: choices.find(({ value }) => value === modeOf(session.chat)),
    ...(position === undefined ? {} : { position }),
  });
  if (typeof answer === "string") return answer === "back";
  if (!(await session.setMode(answer.value))) void notifyWarning(whyNotChosen());
  return true;
}
