/** The words for callers in VS Code that ask a gateway's model: why there is no answer, and the model as VS Code lists it. */
import { t } from "@vscode/l10n";
import type { AppError } from "../errors/appError";
import { describeError } from "./describeError";

/** The reasons why an answer that arrived without an error is not passed on, or a request is not sent. */
export type NoAnswerReason = "no-tools" | "cut" | "filtered" | "unreadable-call" | "refused" | "empty";

export function describeNoAnswer(why: NoAnswerReason): string {
  switch (why) {
    case "no-tools":
      return t("This model takes no tools, and one was demanded.");
    case "cut":
      return t("May be cut: the stream ended without a sign of completion.");
    case "filtered":
      return t("The service's content filter ended the answer.");
    case "unreadable-call":
      return t("The model made a tool call that can't be read, so it was not passed on.");
    case "refused":
      return t("The model refused to answer.");
    case "empty":
      return t("The answer is empty.");
  }
}

/** What happened, what it means for the money, what to do. `hasBegun`: something of the answer was passed on. */
export function describeProvidedError(error: AppError, hasBegun: boolean): string {
  const { title, meaning } = describeError(error, hasBegun ? "foreign-answer" : "foreign-chat");
  const needsKey = error.kind === "signed-out" || error.kind === "unauthorized";
  return [title, meaning, ...(needsKey ? [t("Run the command Sluice: Set API Key.")] : [])].join(" ");
}

/** The place of a model, as the detail of its row. */
export function placeName(origin: string, isLocal: boolean): string {
  return isLocal ? t("Local gateway (demo model)") : origin.replace(/^https?:\/\//, "");
}

export function providedModelDetail(id: string, place: string): string {
  return t("{0} of {1}, by Sluice", id, place);
}
