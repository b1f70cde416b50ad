/** Summarises a turn for its footer: tokens, price, time, changed files, how it ended, and whether the page waits for the model. Pure. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import {
  type AnswerEntry,
  type Chat,
  type Entry,
  type SummaryEntry,
  type ToolCallBlock,
  lastAnswer,
  nextSpoken,
  opensTurn,
  toolCalls,
  turnStart,
} from "../../../domain/chat/chat";
import { noPriceList, type Price, type PriceList, sumsOfPrices } from "../../../domain/prices/priceList";
import { addSpent, pricesOfSpent, type SpentTokens } from "../../../domain/prices/tokenDays";
import { describePrices } from "../../../domain/words/describePrice";
import { formatDuration } from "../../../domain/words/timeFormats";
import type { AnswerChanges } from "../../contract/chatPageContract";
import { revealName } from "../../../webview/hiddenCharacters";

export interface TurnSummary {
  readonly model: string;
  /** The tokens of all answers of the turn; missing when the gateway reported none. */
  readonly input?: number;
  readonly output?: number;
  /** The part of `input` that the service read from its cache. */
  readonly cached?: number;
  /** The part of `input` that the service wrote to its cache. */
  readonly written?: number;
  /** The tokens of answers without a cost of their own, by model, because each model has its own price. */
  readonly spent: readonly SpentTokens[];
  /** The costs of the answers whose cost the service reported. */
  readonly costs: readonly Price[];
  /** The time that the model's answers took, in milliseconds. Tools and approvals between them do not count. */
  readonly milliseconds: number;
  /** Whether an answer of the turn called tools. */
  readonly hasTools?: true;
  /** The text of all answers of the turn, as Markdown. */
  readonly text: string;
}

/** The files that the tools of a turn have changed. */
export interface TurnChanges {
  readonly files: readonly string[];
  readonly state: AnswerChanges["state"];
  /** How many files were restored, if these are only a part of them. */
  readonly undone?: number;
  /** Lines that the person has kept stay in a file whose other changes were undone. */
  readonly leavesKept?: true;
}

/** The changed files of a turn; `undefined` where its tools changed none. */
export function changesOfTurn(
  entries: readonly Entry[],
  last: number,
  changes: readonly AnswerChanges[],
): TurnChanges | undefined {
  if (changes.length === 0) return undefined;
  const first = turnStart(entries, last);
  const ids = new Set(entries.slice(first, last + 1).map(({ id }) => id));
  const own = changes.filter(({ answer }) => ids.has(answer));
  if (own.length === 0) return undefined;
  const states = own.map(({ state }) => state);
  const state = states.includes("made") ? "made" : states.includes("kept") ? "kept" : "undone";
  const files = new Set(own.flatMap((one) => one.files));
  const left = new Set(
    own.flatMap((one) =>
      one.state === "undone" && one.leavesKept !== true
        ? []
        : one.files.filter((file) => one.undone?.includes(file) !== true),
    ),
  );
  const undone = files.size - left.size;
  const leavesKept = own.some((one) => one.leavesKept);
  return {
    files: [...files],
    state,
    ...(undone > 0 && left.size > 0 ? { undone } : {}),
    ...(leavesKept ? { leavesKept } : {}),
  };
}

/** Whether the entry at that index is the last answer of a turn that has ended. */
export function isTurnEnd(chat: Chat, index: number): boolean {
  const entry = chat.entries[index];
  const next = nextSpoken(chat.entries, index);
  if (entry?.type !== "answer" || entry.state === "streaming") return false;
  return next === undefined ? !chat.running : opensTurn(next);
}

/** `retry`: asks again after a failed answer. `regenerate`: replaces the answer. */
export type Repetition = "retry" | "regenerate";

/** How the last prompt can be repeated; `undefined` for earlier answers, and while a turn runs. */
export function repetitionOf(chat: Chat, index: number): Repetition | undefined {
  const entry = chat.entries[index];
  if (chat.running || entry?.type !== "answer" || entry !== lastAnswer(chat)) return undefined;
  return entry.state === "failed" ? "retry" : "regenerate";
}

export function summariseTurn(entries: readonly Entry[], last: number): TurnSummary {
  const first = turnStart(entries, last);
  const answers = entries.slice(first, last + 1).filter((entry) => entry.type === "answer");
  const paid = answers.filter(({ isFree }) => isFree !== true);
  const input = sum(answers.map((answer) => answer.usage?.input));
  const output = sum(answers.map((answer) => answer.usage?.output));
  const cached = sum(answers.map((answer) => answer.usage?.cacheRead));
  const written = sum(answers.map((answer) => answer.usage?.cacheWrite));
  return {
    // The model is empty where the turn began without a key.
    model: revealName([...new Set(answers.map((answer) => answer.model).filter(Boolean))].join(", ")),
    ...definedFields({ input, output, cached, written }),
    spent: paid.reduce<readonly SpentTokens[]>(
      (all, { model, usage }) => (usage === undefined || usage.cost !== undefined ? all : addSpent(all, model, usage)),
      [],
    ),
    costs: sumsOfPrices(paid.flatMap(({ usage }) => usage?.cost ?? [])),
    milliseconds: answers.reduce((total, { startedAt, endedAt }) => total + ((endedAt ?? startedAt) - startedAt), 0),
    ...(answers.some(({ blocks }) => blocks.some(({ type }) => type === "tool-call")) ? { hasTools: true } : {}),
    text: answers.map(textOfAnswer).filter(Boolean).join("\n\n"),
  };
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function textOfAnswer(answer: AnswerEntry): string {
  return answer.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

/** *model · 1,204 in, 356 out · $0.0031 by your price list · 4.2 s*, in the reader's locale. */
export function describeTurn(summary: TurnSummary, locale: string, prices: PriceList = noPriceList): string[] {
  const count = new Intl.NumberFormat(locale);
  const { model, input, output, cached = 0, written = 0, spent, costs } = summary;
  const tokens = describeTokens(count, input, output);
  const cost = describePrices(pricesOfSpent(prices, spent, costs), locale);
  const read = describeCached(cached, input, locale);
  const wrote =
    input === undefined || written <= 0 || written > input ? "" : t("{0} written to the cache", count.format(written));
  return [model, tokens, read, wrote, cost, describeTime(summary, locale)].filter(Boolean);
}

/** *4.2 s*. Empty for a call that failed at once: it has reached no model, so its time means nothing. */
export function describeTime({ output, milliseconds, hasTools }: TurnSummary, locale: string): string {
  if (milliseconds < 50 && output === undefined) return "";
  const time = formatDuration(milliseconds, locale);
  return hasTools ? t("{0}, tools not counted", time) : time;
}

function describeTokens(count: Intl.NumberFormat, input: number | undefined, output: number | undefined): string {
  if (input !== undefined && output !== undefined)
    return t("{0} in, {1} out", count.format(input), count.format(output));
  if (input !== undefined) return t("{0} in", count.format(input));
  return output === undefined ? "" : t("{0} out", count.format(output));
}

/** The share of the input tokens that the service read from its cache, for about a tenth of their price. */
function describeCached(cached: number, input: number | undefined, locale: string): string {
  if (input === undefined || cached <= 0 || cached > input) return "";
  const share = new Intl.NumberFormat(locale, { style: "percent" }).format(cached / input);
  return t("{0} from the cache", share);
}

/**
 * The lines below an answer that describe how it ended; none for an ordinary end. `ends`: it is the last answer of its turn. A pause before the last
 * answer was continued.
 */
export function describeEnd(answer: AnswerEntry, ends = true): readonly string[] {
  if (answer.state === "streaming") return [];
  if (answer.state === "stopped") {
    return answer.isFree
      ? [t("Stopped. What arrived is kept.")]
      : [t("Stopped. What arrived is kept; the gateway charges a cut call by what it produced.")];
  }
  if (answer.state === "interrupted") return [t("Interrupted: VS Code was closed here. What arrived is kept.")];
  if (answer.finish === "pause" && !ends) return [];
  const finish = describeFinish(answer);
  // An error needs no further text.
  const mayBeCut = answer.cut === true && answer.failure === undefined;
  const cut = mayBeCut ? [t("May be cut: the stream ended without a sign of completion.")] : [];
  const empty = answer.blocks.length === 0 && answer.failure === undefined && finish === undefined;
  return [...(finish === undefined ? [] : [finish]), ...cut, ...(empty ? [t("The answer is empty.")] : [])];
}

export function summaryTitle({ state, leftOut }: SummaryEntry): string {
  switch (state) {
    case "streaming":
      return t("Summarizing older messages…");
    case "complete":
      return leftOut ? t("Older messages are left out") : t("Summary of older messages");
    case "stopped":
    case "failed":
    case "interrupted":
      return t("Older messages were not summarized");
  }
}

function describeFinish(answer: AnswerEntry): string | undefined {
  switch (answer.finish) {
    case "length":
      return t("The answer reached the model's length limit and ends here.");
    case "content-filter":
      return t("The service's content filter ended the answer.");
    case "refusal":
      return t("The model declined to answer.");
    case "context-window":
      return t("The chat no longer fits into the model's context window.");
    case "pause":
      return t("The model paused its answer.");
    case "error":
      return answer.failure === undefined ? t("The service ended the answer with an error.") : undefined;
    case "unknown":
      return answer.cut === true || answer.failure !== undefined ? undefined : t("The service gave no finish reason.");
    case "stop":
    case "tool-calls":
    case undefined:
      return undefined;
  }
  return undefined;
}

/** Whether the turn runs but nothing on the page shows it, because the model has not begun to answer. */
export function isAwaitingModel(chat: Chat): boolean {
  if (!chat.running) return false;
  const entry = chat.entries.at(-1);
  if (entry?.type === "summary" && entry.state === "streaming") return false;
  const last = lastAnswer(chat);
  if (last === undefined) return true;
  if (last.state === "streaming") return !last.blocks.some((block) => block.type !== "opaque");
  return toolCalls(last).every(hasEnded);
}

function hasEnded({ progress }: ToolCallBlock): boolean {
  return !["arriving", "waiting", "asking", "running"].includes(progress.state);
}
