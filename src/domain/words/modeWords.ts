/** The modes of a chat, and how much its model is asked to think, in words. */
import { t } from "@vscode/l10n";
import type { Effort } from "../chat/modelOptions";
import type { ChatMode } from "../chat/chatMode";

const words: Readonly<Record<ChatMode, { readonly name: () => string; readonly detail: () => string }>> = {
  agent: { name: () => t("Agent"), detail: () => t("Works with all tools, and asks where a yes is needed") },
  ask: { name: () => t("Ask"), detail: () => t("Reads and answers: changes, runs and submits nothing") },
  plan: { name: () => t("Plan"), detail: () => t("Reads, then writes a plan that you edit and start") },
};

export function modeName(mode: ChatMode): string {
  return words[mode].name();
}

/** The abilities of the model in this mode, in one line. */
export function modeDetail(mode: ChatMode): string {
  return words[mode].detail();
}

const effortNames: Readonly<Record<Effort, () => string>> = {
  off: () => t("no thinking"),
  low: () => t("low effort"),
  medium: () => t("medium effort"),
  high: () => t("high effort"),
};

const shortEfforts: Readonly<Record<Effort, () => string>> = {
  off: () => t("off"),
  low: () => t("low"),
  medium: () => t("medium"),
  high: () => t("high"),
};

/** The effort in a word, as it is shown next to the name of the model. */
export function shortEffort(effort: Effort): string {
  return shortEfforts[effort]();
}

export function effortName(effort: Effort): string {
  return effortNames[effort]();
}

/** The reason why an action on a chat is refused in this window. */
export function whyNotHere(): string {
  return t("Another window writes this chat. Do this there, or close the chat there first.");
}

/** The reason why a model or a mode can't be chosen in this window. */
export function whyNotChosen(): string {
  return t("Another window writes this chat: its model and its mode are chosen there.");
}

/** Whether edits of tracked files are applied at once or ask first. */
export function editsWords(edits: "review" | "ask"): string {
  return edits === "review" ? t("Edits: review after") : t("Edits: ask first");
}
