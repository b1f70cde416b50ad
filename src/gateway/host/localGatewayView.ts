/** The local gateway's state as its page shows it. Pure, so that it can be tested without an editor. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import type { LocalGatewayView } from "../contract/localGatewayPageContract";
import { formatTime } from "../../domain/words/timeFormats";
import type { LocalGatewayState } from "./adminRequests";

export interface LocalGatewayContext {
  /** The address without `/` at the end. */
  readonly address: string;
  readonly locale: string;
}

export function localGatewayView(
  { balance, open_holds: holds, entries }: LocalGatewayState,
  { address, locale }: LocalGatewayContext,
): LocalGatewayView {
  const number = new Intl.NumberFormat(locale);
  const [held = "", spent = "", deposited = ""] = [balance.held, balance.spent, balance.deposited].map((sum) =>
    number.format(sum),
  );
  return {
    address,
    available: number.format(balance.available),
    sums: plural(
      holds,
      {
        one: "{0} reserved for {1} task, {2} spent, {3} paid in",
        other: "{0} reserved for {1} tasks, {2} spent, {3} paid in",
      },
      held,
      holds,
      spent,
      deposited,
    ),
    entries: entries.toReversed().map(({ at, type, amount, taskId }) => ({
      at: formatTime(locale, "exact", Date.parse(at)),
      type,
      what: [entryName(type), ...(taskId === undefined ? [] : [t("Task {0}", taskId)])].join(" · "),
      amount: amount === undefined ? "" : signed(type, amount, locale),
    })),
  };
}

/** Amounts that change the account's money get a sign; one that is only held or released gets none. */
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
