/** What a chat near the limit shows: a pinned message, summaries in each of their states, and a turn that waits. */
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { ended, finished, noon, prompt, rateLimited, said, started, text } from "./scenes";

const summary = (id: string, words: string, ...end: readonly SessionEvent[]): readonly SessionEvent[] => [
  { type: "summary-started", id, model: "demo-chat", family: "chat-completions", at: noon, until: "p1" },
  ...said(id, { type: "text-delta", block: 0, text: words }),
  ...end,
];
const counted = (id: string): readonly SessionEvent[] => [
  ...said(
    id,
    { type: "usage", input: 12_040, output: 356, raw: {} },
    { type: "message-end", finish: "stop", cut: false },
  ),
  ...ended(id),
];
const words = "The person works on **src/app.ts**:\n\n- greets one person\n- is not tested yet";

export const summarized: readonly SessionEvent[] = [
  ...prompt("p1", "What does src/app.ts do?"),
  started("a1"),
  text("a1", 0, "It greets one person."),
  ...finished("a1"),
  { type: "message-pinned", id: "p1", pinned: true },
  ...summary("s1", words, ...counted("s1")),
  ...summary("s2", words, ...counted("s2")),
];

export const summaryUndone: readonly SessionEvent[] = [
  ...summarized,
  { type: "summary-switched", id: "s2", undone: true },
  ...summary("s3", "", ...ended("s3", { state: "failed", failure: { type: "gateway", error: rateLimited } })),
  ...summary("s4", "The person wor"),
];

/** Over the cap twice: the first card is of an earlier turn. */
export const paused: readonly SessionEvent[] = ["1", "2"].flatMap((number) => [
  ...prompt(`p${number}`, "And is it tested?"),
  started(`a${number}`),
  ...ended(`a${number}`, { state: "failed", failure: { type: "token-cap", used: 48_200, next: 3025, cap: 50_000 } }),
  { type: "turn-ended" },
]);
