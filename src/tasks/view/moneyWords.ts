/** The money of a task in a person's words, for rows, tooltips, lists and pages (T10). The hold and its ids are in `moneyLine`, under Details. */
import { t } from "@vscode/l10n";
import { isFreeTask } from "../../domain/task/sameHome";
import type { Task } from "../../domain/task/task";
import { moneyOf, type MoneyStep } from "../money/money";
import type { Times } from "../../domain/words/timeFormats";

/** One sentence without a full stop. *Not charged* only where no request was accepted, or a release was seen. A task of the local gateway is free, whatever its play money does. */
export function moneySentence(task: Task, times: Times): string {
  if (isFreeTask(task)) return t("Free: the local gateway takes play money only");
  const { hold, opened, ended, others, mayHaveTwin } = moneyOf(task);
  if (others > 0) return t("Check in the gateway's console: it made more than one task, or reserved more than once");
  if (mayHaveTwin) return t("Check in the gateway's console: the first request may have made a second task");
  const at = (step: MoneyStep | undefined): string => (step ? times.short(step.at) : "");
  switch (hold) {
    case "open":
      return t("Reserved at {0}", at(opened));
    case "unclear":
      return t("Reserved at {0}; whether it still is, is not known", at(opened));
    case "settled":
      return t("Charged at {0}", at(ended));
    case "released":
      return t("Not charged: given back at {0}", at(ended));
    case "release-not-seen":
      return t("Checking: not seen given back yet");
    case "not-known":
      return task.submission.state === "sending"
        ? t("Not known: the gateway has not answered yet")
        : t("Not known whether the gateway has made the task");
    case "not-named":
      return t("The gateway has not said what it reserved");
    case "none":
      return task.submission.state === "prepared" ? t("Not charged: nothing is sent yet") : t("Not charged");
  }
}

/** The same in a word or two, for a description or the sentence of a row. */
export function moneyWord(task: Task): string {
  if (isFreeTask(task)) return t("free");
  const { hold, others, mayHaveTwin } = moneyOf(task);
  if (others > 0 || mayHaveTwin) return t("may be charged twice");
  switch (hold) {
    case "open":
      return t("reserved");
    case "settled":
      return t("charged");
    case "released":
      return t("not charged");
    case "none":
      return task.submission.state === "prepared" ? t("nothing sent yet") : t("not charged");
    case "release-not-seen":
      return t("checking");
    case "unclear":
    case "not-known":
      return t("not known whether charged");
    case "not-named":
      return t("nothing said about the money");
  }
}
