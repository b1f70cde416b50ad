/** What a row says of its result when something is wrong with it: not fetched, or not at its place. */
import { fileURLToPath } from "node:url";
import { t } from "@vscode/l10n";
import { isDiskFull } from "../../domain/errors/appError";
import { describeError } from "../../domain/words/describeError";
import { describeStorageRemedy } from "../../domain/words/describeStorage";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { hasSucceeded } from "../../domain/task/phase";
import type { AcceptedSubmission, Task } from "../../domain/task/task";
import { heldBack, overLimit } from "../results/fetchTerms";

/** Short, for the row's description. */
export function resultRemark({ fetchFailure, placement }: AcceptedSubmission): string | undefined {
  if (placement?.state === "occupied") return t("not placed: {0} exists", nameOf(placement.file));
  if (placement?.state === "failed") return t("not placed");
  if (fetchFailure === undefined) return undefined;
  if (fetchFailure.error.code === heldBack) return t("held back: not fetched yet");
  return fetchFailure.error.code === overLimit ? t("large: not fetched yet") : t("result not fetched");
}

/**
 * While the task has succeeded and its file is not in the project yet, to which `isOpenHere` says this window brings it: whoever opens the file
 * then would find none.
 */
export function savingRemark(task: Task, isOpenHere: (file: string) => boolean): string | undefined {
  const { destination } = task.intent;
  if (destination === undefined || !hasSucceeded(task)) return undefined;
  const { fetchFailure, placement } = task.submission;
  const isUnderWay = fetchFailure === undefined && (placement === undefined || placement.state === "placing");
  return isUnderWay && isOpenHere(destination.file) ? t("saving") : undefined;
}

/** In a sentence, for the tooltip. */
export function resultSentence({ fetchFailure, placement }: AcceptedSubmission): string | undefined {
  switch (placement?.state) {
    case "occupied":
      return t(
        "Another file has the name {0}. It was left as it is; Place Result asks what to do.",
        pathOf(placement.file),
      );
    case "failed":
      return t("The result could not be written to {0}: {1}.", pathOf(placement.file), quoteForeign(placement.message));
    case "placed":
      return t("The result is at {0}.", pathOf(placement.file));
    case "placing":
    case undefined:
      break;
  }
  if (fetchFailure === undefined) return undefined;
  const { error } = fetchFailure;
  if (error.code === overLimit) {
    return t("The result is larger than what is fetched without a click. Open Result fetches it.");
  }
  if (error.code === heldBack) {
    return t(
      "VS Code stopped answering more than once while it read this result, so it is not fetched without a click. Open Result fetches it.",
    );
  }
  const said = t("The result could not be fetched. {0}", describeError(error, "result").title);
  return isDiskFull(error) ? `${said} ${describeStorageRemedy(error)}` : said;
}

/** The last part of a URI, as it is read. */
function nameOf(uri: string): string {
  return decoded(uri.split("/").at(-1) ?? "");
}

/** A file of this machine as its system writes it; elsewhere the address, without escapes. */
function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return decoded(uri);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
