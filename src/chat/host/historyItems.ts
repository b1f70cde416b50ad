/**
 * The rows of the history: live chats first, then pinned ones, then by day. While something is typed, the chats that contain it. Pure but for the
 * translated texts.
 */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { definedFields } from "../../base/definedFields";
import { startOfDay } from "../../base/localDay";
import type { ChatHit, ChatSummary } from "../storage/index/chatIndex";
import { formatTime } from "../../domain/words/timeFormats";
import type { Icon } from "../../vscode/interface/show";

/** `running`: a turn of the chat runs in this window. `waiting`: one of its calls waits for the person. */
export type LiveState = "running" | "waiting";

export interface HistoryRow {
  readonly id: string;
  readonly icon?: Icon;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly pinned: boolean;
  /** The entry in which the query was found. */
  readonly hit?: string;
}

export interface HistoryGroup {
  readonly title: string;
  readonly rows: readonly HistoryRow[];
}

export interface HistoryInput {
  readonly chats: readonly ChatSummary[];
  readonly live: ReadonlyMap<string, LiveState>;
  /** The chat that the window shows. */
  readonly shown: string;
  readonly now: number;
  readonly locale: string;
}

export function historyGroups(input: HistoryInput): readonly HistoryGroup[] {
  const { chats, live, now, locale } = input;
  const groups = new Map<string, HistoryRow[]>();
  const add = (title: string, chat: ChatSummary): void => {
    const rows = groups.get(title) ?? [];
    rows.push(rowOf(chat, input));
    groups.set(title, rows);
  };
  const isLive = ({ id }: ChatSummary): boolean => live.has(id);
  for (const chat of chats.filter(isLive)) add(t("Running now"), chat);
  for (const chat of chats) if (chat.pinned && !isLive(chat)) add(t("Pinned"), chat);
  for (const chat of chats) {
    if (!chat.pinned && !isLive(chat)) add(dayName(chat.updatedAt, now, locale), chat);
  }
  return [...groups].map(([title, rows]) => ({ title, rows }));
}

/** Chats with the query in their title first, then those that the index has found. The detail of a row is the line with the match. */
export function foundRows(input: HistoryInput, query: string, hits: readonly ChatHit[]): readonly HistoryRow[] {
  const typed = query.trim().toLowerCase();
  const found = new Map(hits.map((hit) => [hit.id, hit]));
  const byTitle = input.chats.filter(({ title }) => title.toLowerCase().includes(typed));
  const named = new Set(byTitle.map(({ id }) => id));
  const known = new Map(input.chats.map((chat) => [chat.id, chat]));
  const byText = hits.flatMap(({ id }) => (named.has(id) ? [] : (known.get(id) ?? [])));
  return [...byTitle, ...byText].map((chat) => {
    const { entry: hit, line } = found.get(chat.id) ?? {};
    const row = { ...rowOf(chat, input), ...definedFields({ hit }) };
    return line === undefined || line === chat.title ? row : { ...row, detail: line };
  });
}

function rowOf(chat: ChatSummary, { live, shown, now, locale }: HistoryInput): HistoryRow {
  const { id, title, model, tokens, updatedAt, pinned } = chat;
  const state = live.get(id);
  const icon = state === "running" ? "loading~spin" : state === "waiting" ? "bell" : pinned ? "pinned" : undefined;
  const time = formatTime(locale, startOfDay(updatedAt) === startOfDay(now) ? "time" : "day", updatedAt);
  const facts = [
    state === "waiting" ? t("waits for your approval") : "",
    id === shown ? t("shown") : "",
    time,
    model,
    tokens === 0 ? "" : plural(tokens, { one: "1 token", other: "{0} tokens" }, tokens.toLocaleString(locale)),
  ];
  const description = facts.filter((fact) => fact !== "").join(" · ");
  return {
    id,
    label: title === "" ? t("Chat without a prompt") : title,
    description,
    pinned,
    ...(icon ? { icon } : {}),
  };
}

function dayName(at: number, now: number, locale: string): string {
  const today = startOfDay(now);
  if (at >= today) return t("Today");
  // Half a day before midnight is yesterday, even where the clocks changed that night.
  if (at >= startOfDay(today - 43_200_000)) return t("Yesterday");
  return formatTime(locale, "date", at);
}
