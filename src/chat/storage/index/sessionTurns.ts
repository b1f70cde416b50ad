/** Splits a session file into turns for the search index: the text of prompts, answers, tool calls and results. */
import { reduceChat } from "../../../domain/chat/reduceChat";
import {
  type AnswerEntry,
  type Chat,
  emptyChat,
  type Entry,
  type SessionEvent,
  type SummaryEntry,
  toolCalls,
} from "../../../domain/chat/chat";
import { definedFields } from "../../../base/definedFields";
import { changesBranch } from "../firstPrompt";
import type { TokenUsage } from "../../../domain/prices/tokenDays";
import { readRecords, isEvent, type MetaRecord, type SessionHeader, type SessionRecord } from "../records";

/** A prompt and what followed it. `entries` is empty if all of them were rewound. */
export interface IndexedTurn {
  /** The offset of its first record. */
  readonly start: number;
  readonly entries: readonly IndexedEntry[];
  readonly prompt: string;
  /** The model of the last answer; if all answers were rewound, of the last of these. */
  readonly model: string;
  readonly tokens: number;
  /** The tokens that each model took in the turn, as far as the gateway has reported them. */
  readonly usages: readonly TokenUsage[];
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export interface IndexedEntry {
  readonly id: string;
  readonly text: string;
}

export interface TakeTurns {
  /** Called when the turns so far were imported, so that their usage is that of others. */
  readonly imported?: () => void;
  /** Called when the chat may have another first prompt. */
  readonly branched?: () => void;
  readonly meta: (record: SessionHeader | MetaRecord) => void;
  /** False ends the reading. */
  readonly turn: (turn: IndexedTurn) => boolean;
}

/** `from`: 0 or the start of a turn. Returns the offset after the last record that was taken. Rejects as `readRecords` does. */
export async function readTurns(path: string, from: number, signal: AbortSignal, take: TakeTurns): Promise<number> {
  let start = from;
  let chat: Chat = emptyChat("");
  let spent: SpentBeside[] = [];
  /** All entries that the turn has or had before it was regenerated or rewound, by id. */
  const all = new Map<string, Entry>();
  const keepEntries = (): void => chat.entries.forEach((entry) => all.set(entry.id, entry));
  const finish = (): boolean => {
    keepEntries();
    const turn = all.size === 0 && spent.length === 0 ? undefined : turnOf(chat, [...all.values()], start, spent);
    chat = emptyChat("");
    spent = [];
    all.clear();
    return turn === undefined || take.turn(turn);
  };
  let goesOn = true;
  const isOpen = (): boolean => goesOn;
  const takeRecord = (record: SessionRecord | undefined, at: number): boolean => {
    if (record === undefined) return true;
    if (!isEvent(record)) {
      take.meta(record);
      return true;
    }
    if (record.type === "prompt-added") {
      goesOn = finish();
      start = at;
    }
    if (record.type === "chat-imported") {
      take.imported?.();
      spent = spent.map(({ of: _theirs, cost: _cost, ...rest }) => rest);
      all.clear();
    }
    if (record.type === "tokens-spent") spent.push(record);
    if (changesBranch(record)) {
      take.branched?.();
      keepEntries();
    }
    chat = isIndexed(record) ? reduceChat(chat, record) : chat;
    return goesOn;
  };
  const end = await readRecords(path, from, signal, takeRecord);
  if (isOpen()) finish();
  return end;
}

/** Whether the event may have words. Pictures and data for the gateway are large and have none. */
function isIndexed(event: SessionEvent): boolean {
  if (event.type !== "answer-event") return true;
  const { type } = event.event;
  return type !== "media" && type !== "opaque" && type !== "reasoning-delta";
}

/** The tokens of a request that is no answer of the chat, such as one for its title. */
type SpentBeside = Extract<SessionEvent, { readonly type: "tokens-spent" }>;

/** `all`: the entries of the chat and those that were replaced, because replaced answers are paid too. */
function turnOf({ entries }: Chat, all: readonly Entry[], start: number, spent: readonly SpentBeside[]): IndexedTurn {
  const answers = all.filter((entry) => "blocks" in entry);
  const beside = spent.reduce((sum, { tokens }) => sum + tokenCount(tokens), 0);
  const [first] = entries;
  return {
    start,
    entries: entries.map((entry) => ({ id: entry.id, text: textOf(entry) })).filter(({ text }) => text !== ""),
    prompt: first === undefined || "blocks" in first ? "" : first.text,
    model: [...all, ...entries].flatMap((entry) => ("blocks" in entry ? entry.model || [] : [])).at(-1) ?? "",
    tokens: tokenCount(answers.reduce((sum, { usage }) => sum + (usage?.input ?? 0) + (usage?.output ?? 0), beside)),
    usages: usagesOf(answers, spent),
    updatedAt: all.reduce((latest, entry) => Math.max(latest, timeOf(entry)), 0),
  };
}

/** The usage of the answers, without those of an imported chat. */
function usagesOf(
  answers: readonly (AnswerEntry | SummaryEntry)[],
  beside: readonly SpentBeside[],
): readonly TokenUsage[] {
  const own = answers.flatMap(({ type, model, usage, startedAt, untrusted, isFree }) =>
    usage === undefined || (type === "answer" && untrusted !== undefined)
      ? []
      : [{ model, usage, at: startedAt, isFree, stated: isFree ? undefined : usage.cost }],
  );
  const others = beside.flatMap(({ of, at, isFree, cost }) =>
    of === undefined ? [] : [{ model: of.model, usage: of, at, isFree, stated: isFree ? undefined : cost }],
  );
  // Costs of different sources or currencies are not added up.
  const byModel = new Map<string, TokenUsage>();
  for (const { model, usage, at: first, stated, isFree } of [...own, ...others]) {
    const key = JSON.stringify([model, isFree, stated?.source, stated?.currency]);
    const { at = first, input = 0, output = 0, cached = 0, cost: before } = byModel.get(key) ?? {};
    const inputOf = tokenCount(usage.input ?? 0);
    const cost = stated && { ...stated, amount: (before?.amount ?? 0) + stated.amount };
    byModel.set(key, {
      at,
      model,
      input: tokenCount(input + inputOf),
      output: tokenCount(output + tokenCount(usage.output ?? 0)),
      cached: tokenCount(cached + Math.min(inputOf, tokenCount(usage.cacheRead ?? 0))),
      ...definedFields({ cost, isFree }),
    });
  }
  return [...byModel.values()];
}

/** A whole number from 0 to the largest safe integer: SQLite's INTEGER loses no digit of it, whatever usage a gateway reports. */
export function tokenCount(sum: number): number {
  return Math.round(Math.min(Math.max(sum, 0), Number.MAX_SAFE_INTEGER));
}

function timeOf(entry: Entry): number {
  return "at" in entry ? entry.at : (entry.endedAt ?? entry.startedAt);
}

function textOf(entry: Entry): string {
  return "blocks" in entry ? textOfAnswer(entry) : entry.text;
}

/** The text of an answer, with the arguments and results of its calls, because the prompt of a task is an argument. */
function textOfAnswer(answer: Pick<AnswerEntry, "blocks">): string {
  const texts = answer.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  for (const { progress, name } of toolCalls(answer)) {
    texts.push(name);
    if ("input" in progress) addStrings(progress.input, texts);
    if ("result" in progress) texts.push(progress.result);
    if (progress.state === "denied" && progress.note !== undefined) texts.push(progress.note);
  }
  return texts.join("\n");
}

function addStrings(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) addStrings(each, texts);
}
