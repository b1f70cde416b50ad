/**
 * The words for what was out of bounds in a gateway's counts (T18): a sentence for the page of money, and a document with the numbers. They accuse
 * nobody.
 */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { createTimes } from "../../domain/words/timeFormats";
import { formatPrice, formatPrices } from "../../domain/words/describePrice";
import type { BillFinding } from "../../gateway/bills";
import type { UnseenSpending } from "../money";

export function billSentence({ check, model, origin, judged, out }: BillFinding): string {
  const from = quoteForeign(URL.canParse(origin) ? new URL(origin).host : origin, 100);
  const of = quoteForeign(model, 100);
  switch (check) {
    case "input":
      return plural(
        judged,
        { other: "In {0} of {1} answers of {2} from {3} more input was counted than what was sent can have." },
        out,
        judged,
        of,
        from,
      );
    case "cache":
      return plural(
        judged,
        {
          other:
            "In {0} of {1} answers of {2} from {3} nothing was read from the cache although the beginning was the same.",
        },
        out,
        judged,
        of,
        from,
      );
    case "output":
      return plural(
        judged,
        { other: "In {0} of {1} answers of {2} from {3} more output was counted than what came can have." },
        out,
        judged,
        of,
        from,
      );
    case "model":
      return plural(
        judged,
        { other: "{0} of {1} answers to requests for {2} from {3} name another model." },
        out,
        judged,
        of,
        from,
      );
    case "charge":
      return plural(
        judged,
        { other: "For {0} of {1} tasks that ended without a result {2} lists a charge." },
        out,
        judged,
        from,
      );
  }
}

/**
 * *Since 12 Nov the gateway X counts $4.20 spent. The chats and tasks here come to $3.90. The other $0.30 was in chats that are deleted, or was not
 * spent here.* The amounts of a chat are deleted with it, so they can't be told from what other programs have spent.
 */
export function unseenSentence(
  { since, total, seen, rest }: UnseenSpending,
  gateway: string,
  locale: string,
  now: number,
): string {
  const counted = t(
    "Since {0} the gateway {1} counts {2} spent.",
    createTimes(locale, now).short(since),
    gateway,
    formatPrice(total, locale),
  );
  const other = formatPrice({ amount: rest, currency: total.currency }, locale);
  if (seen.length === 0) return t("{0} No chat or task here has an amount in this currency.", counted);
  const here = formatPrices(seen, locale);
  // Where some amounts are not known, a part of the rest may have been spent here.
  return seen.some(({ isPartial }) => isPartial === true)
    ? t(
        "{0} The chats and tasks here come to {1}. The other {2} was not stated, was in chats that are deleted, or was not spent here.",
        counted,
        here,
        other,
      )
    : t(
        "{0} The chats and tasks here come to {1}. The other {2} was in chats that are deleted, or was not spent here.",
        counted,
        here,
        other,
      );
}

/** The words for how it was measured, and why it need not be a fault of the gateway's. */
function explanation({ check }: BillFinding): string {
  switch (check) {
    case "input":
      return t(
        "An earlier request with the same beginning was counted with fewer tokens, and what is new in these has too few bytes for the rest. A gateway that adds instructions of its own, or has changed its tokenizer, counts more as well.",
      );
    case "cache":
      return t(
        "The whole request before was the beginning of these, less than five minutes later, and the model's cache was marked or had been read before. A gateway that spreads requests over several servers finds nothing in the cache of another one.",
      );
    case "output":
      return t(
        "A token has one byte at least. What the gateway says was thinking is not counted here. Text that it counts and does not send would be the difference.",
      );
    case "model":
      return t(
        "The answers themselves name their model. The name may be wrong in them, or the gateway may have an agreement on a replacement.",
      );
    case "charge":
      return t(
        "The tasks failed, were cancelled or expired. The gateway states a cost for them or lists an event of a charge, and no release yet.",
      );
  }
}

interface Column {
  readonly stated: string;
  readonly bound: string;
}

function columns({ check }: BillFinding): Column {
  switch (check) {
    case "input":
      return { stated: t("Input tokens"), bound: t("At most") };
    case "cache":
      return { stated: t("From the cache"), bound: t("Tokens of the same beginning") };
    case "output":
      return { stated: t("Output tokens"), bound: t("At most") };
    case "model":
      return { stated: t("Model in the answer"), bound: t("Model asked for") };
    case "charge":
      return { stated: t("Charge"), bound: t("State") };
  }
}

/** Markdown. `now`: when it is written. */
export function billEvidence(finding: BillFinding, locale: string, now: number): string {
  const times = createTimes(locale, now);
  const number = new Intl.NumberFormat(locale);
  const cell = (value: number | string | undefined): string =>
    value === undefined ? "" : typeof value === "number" ? number.format(value) : foreignCell(value);
  const { stated, bound } = columns(finding);
  const hasBytes = finding.rows.some(({ bytes }) => bytes !== undefined);
  const heads = [t("Time"), finding.check === "charge" ? t("Task") : t("Request id"), stated, bound];
  const rows = finding.rows.map(({ at, id, stated: one, bound: other, bytes }) => [
    times.exact(at),
    cell(id),
    cell(one),
    cell(other),
    ...(hasBytes ? [cell(bytes)] : []),
  ]);
  const all = hasBytes ? [...heads, t("Bytes")] : heads;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    billSentence(finding),
    "",
    explanation(finding),
    "",
    line(all),
    line(all.map(() => "---")),
    ...rows.map(line),
    "",
  ].join("\n");
}

/** Foreign text as a cell of a table: it can't end the cell or be read as markup. */
function foreignCell(text: string): string {
  return `\`${text
    .slice(0, 200)
    .replaceAll(/[\s`|]+/g, " ")
    .trim()}\``;
}
