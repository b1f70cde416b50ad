/** The state of a task in one sentence with what it means for the money, beside the name of the state: for its page. */
import { t } from "@vscode/l10n";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { formatDuration, type Times } from "../../domain/words/timeFormats";
import type { Task } from "../../domain/task/task";
import { timeToResult } from "../money/timeToResult";
import { moneySentence, moneyWord } from "./moneyWords";
import { resultSentence } from "./resultWords";
import { stateSentence } from "./taskWords";

/** *Finished in 17 s · charged*. What is known of the money is `moneyWord`. */
export function outcomeSentence(task: Task, times: Times, locale: string): string {
  const { submission } = task;
  if (submission.state !== "accepted") return stateSentence(task, times);
  const { remote, checkedAt, placement } = submission;
  const money = moneyWord(task);
  switch (remote.state) {
    case "succeeded": {
      const duration = timeToResult(task);
      const end =
        duration === undefined
          ? t("Finished · {0}", money)
          : t("Finished in {0} · {1}", formatDuration(duration, locale), money);
      // The page's button already names the file of a result that was placed.
      const problem = placement?.state === "placed" ? undefined : resultSentence(submission);
      return problem === undefined ? end : `${end}. ${problem}`;
    }
    case "failed": {
      const why = [remote.errorCode, remote.errorMessage].filter(Boolean).join(": ");
      return why === ""
        ? t("The gateway gave no reason · {0}", money)
        : t("The gateway says: {0} · {1}", quoteForeign(why), money);
    }
    case "cancelled":
    case "expired":
    case "refunded":
      return t("{0}.", moneySentence(task, times));
    case "created":
    case "queued":
    case "processing":
      return submission.stale === undefined
        ? t("Read at {0} · {1}", times.short(checkedAt), money)
        : stateSentence(task, times);
    case "unknown":
      return stateSentence(task, times);
  }
}
