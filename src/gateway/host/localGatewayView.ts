/** The local gateway's state as its page shows it. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import type { LocalAccountView, LocalGatewayView } from "../contract/localGatewayPageContract";
import { formatTime } from "../../domain/words/timeFormats";
import { typeOfWord } from "../../domain/task/taskTypes";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import type { LocalGatewayState } from "./adminRequests";
import { capitalised } from "../../domain/words/joinWords";

export interface LocalGatewayContext {
  /** Without `/` at the end. */
  readonly address: string;
  readonly locale: string;
}

export function localGatewayView(state: LocalGatewayState, { address, locale }: LocalGatewayContext): LocalGatewayView {
  const { accounts, faults, conduct } = state;
  const count = conduct.rules.reduce((sum, rule) => sum + rule.count, 0);
  return {
    address,
    accounts: accounts.map((account) => accountView(account, locale)),
    faults: faults.map(({ name, route, times }) =>
      [name, route ?? "", times === undefined ? "" : plural(times, { one: "once more", other: "{0} more times" })]
        .filter((part) => part !== "")
        .join(" · "),
    ),
    conduct: {
      verdict:
        count === 0
          ? plural(conduct.requests, {
              one: "Nothing to complain about in 1 request.",
              other: "Nothing to complain about in {0} requests.",
            })
          : plural(
              count,
              { one: "{0} finding. Requests: {1}.", other: "{0} findings. Requests: {1}." },
              count,
              conduct.requests,
            ),
      rules: conduct.rules.map(({ rule, count: found }) => ({ name: ruleName(rule), count: found })),
      findings: conduct.findings.map(({ at, rule, detail }) => ({
        at: formatTime(locale, "exact", at),
        name: ruleName(rule),
        detail,
      })),
    },
  };
}

function accountView(account: LocalGatewayState["accounts"][number], locale: string): LocalAccountView {
  const { name, balance, open_holds: holds, task_types: known, entries } = account;
  const number = new Intl.NumberFormat(locale);
  const [held, spent, deposited] = [balance.held, balance.spent, balance.deposited].map((sum) => number.format(sum));
  return {
    name,
    available: number.format(balance.available),
    sums: plural(
      holds,
      {
        one: "{0} reserved for {1} task, {2} spent, {3} paid in",
        other: "{0} reserved for {1} tasks, {2} spent, {3} paid in",
      },
      held ?? "",
      holds,
      spent ?? "",
      deposited ?? "",
    ),
    types: known.map(({ type, task_type: taskType, enabled }) => ({
      taskType,
      name: capitalised(taskTypeName(typeOfWord(type) ?? type)),
      on: enabled,
    })),
    entries: entries.map(({ at, type, amount, taskId }) => ({
      at: formatTime(locale, "exact", at),
      type,
      what: [entryName(type), ...(taskId === undefined ? [] : [t("Task {0}", taskId)])].join(" · "),
      amount: amount === undefined ? "" : signed(type, amount, locale),
    })),
  };
}

/** Of what belongs to the account, reserved or not: a sum that is only reserved or given back has none. */
function signed(type: string, amount: number, locale: string): string {
  const isMoved = type === "deposit" || type === "settle" || type === "refund";
  const format = new Intl.NumberFormat(locale, isMoved ? { signDisplay: "exceptZero" } : {});
  return format.format(type === "settle" ? -amount : amount);
}

function entryName(type: string): string {
  switch (type) {
    case "deposit":
      return t("Paid in");
    case "hold":
      return t("Reserved for a task or an answer");
    case "settle":
      return t("Charged");
    case "release":
      return t("Given back, not charged");
    case "refund":
      return t("Refunded");
    default:
      return type;
  }
}

/** A rule of a newer gateway has its own name. */
function ruleName(rule: string): string {
  switch (rule) {
    case "polled-too-fast":
      return t("Read a task again within 2 seconds");
    case "ignored-retry-after":
      return t("Asked again before the time of Retry-After was over");
    case "resubmitted-without-key":
      return t("Sent a task again without an idempotency key");
    case "resubmitted-with-another-key":
      return t("Sent a task of unknown outcome again under another key");
    case "cancelled-after-end":
      return t("Cancelled a task that was known to have ended");
    case "read-after-end":
      return t("Went on reading a task that had ended");
    case "asked-after-401":
      return t("Asked again with a refused key");
    case "unknown-field":
      return t("Sent a field that the service does not have");
    case "key-in-wrong-place":
      return t("Sent the key where it does not belong");
    default:
      return rule;
  }
}
