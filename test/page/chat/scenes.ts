/** Chats to look at: each the events that lead to it. */
import type { ChatEvent } from "../../../src/domain/chat/chatEvent";
import { describeError } from "../../../src/domain/words/describeError";
import type { AppError } from "../../../src/domain/errors/appError";
import type { SessionEvent, ToolAction, ToolProgress } from "../../../src/domain/chat/chat";

export const noon = Date.UTC(2026, 0, 2, 12, 0, 0);

export const prompt = (id: string, text: string): SessionEvent[] => [
  { type: "prompt-added", id, text, at: noon },
  { type: "turn-started" },
];
export const queue = (id: string, words: string): SessionEvent => ({
  type: "prompt-queued",
  id,
  text: words,
  at: noon,
});
export const started = (id: string): SessionEvent => ({
  type: "answer-started",
  id,
  model: "demo-chat",
  family: "chat-completions",
  at: noon,
});
export const said = (id: string, ...events: readonly ChatEvent[]): SessionEvent[] =>
  events.map((event) => ({ type: "answer-event", id, event }));
export const text = (id: string, block: number, part: string): SessionEvent => ({
  type: "answer-event",
  id,
  event: { type: "text-delta", block, text: part },
});
export const ended = (
  id: string,
  rest: Partial<Extract<SessionEvent, { type: "answer-ended" }>> = {},
): SessionEvent[] => [{ type: "answer-ended", id, at: noon + 4200, state: "complete", ...rest }];
export const finished = (id: string): SessionEvent[] => [
  ...said(
    id,
    { type: "usage", input: 1204, output: 356, raw: {} },
    { type: "message-end", finish: "stop", cut: false },
  ),
  ...ended(id),
  { type: "turn-ended" },
];
export const called = (
  id: string,
  call: string,
  block: number,
  name: string,
  input: Record<string, unknown>,
): SessionEvent[] =>
  said(
    id,
    { type: "tool-call-start", block, call, name },
    { type: "tool-call-delta", call, text: JSON.stringify(input) },
    { type: "tool-call-end", call, input },
  );
export const progress = (id: string, call: string, now: ToolProgress): SessionEvent => ({
  type: "tool-progress",
  id,
  call,
  progress: now,
});

export const answerText = `The module **greets** one person. Three things stand out:

1. \`greet\` trims the name before it uses it
2. an empty name becomes *world*
3. nothing is awaited, see [the guide](https://example.com/guide)

- [x] reads well
- [ ] has no test yet

\`\`\`ts
/** Greets a person by name. */
export function greet(name: string): string {
  const trimmed = name.trim();
  return \`Hello, \${trimmed === "" ? "world" : trimmed}!\`;
}

for (let index = 0; index < 3; index += 1) console.log(greet("a name that makes this line longer than the panel is wide"));
\`\`\`

| case | result | note |
|:-----|:------:|-----:|
| \`"Ada"\` | Hello, Ada! | 1 |
| \`""\` | Hello, world! | 2 |

> The gateway settles what was produced.
`;

const input = { path: "src/app.ts", start: 1, end: 80 };
const read: ToolAction = { type: "read-file", path: "src/app.ts", lines: { first: 1, last: 80 } };
const edit = { path: "src/app.ts", old: "Hello", new: "Welcome" };

export const answered: readonly SessionEvent[] = [
  ...prompt("p1", "What does src/app.ts do, and is it tested?"),
  started("a1"),
  ...said("a1", { type: "reasoning-delta", block: 0, text: "The file has to be read first.\n\nThen its tests." }),
  ...called("a1", "c1", 1, "read_file", input),
  ...said("a1", { type: "message-end", finish: "tool-calls", cut: false }),
  ...ended("a1"),
  progress("a1", "c1", { state: "running", input, action: read }),
  progress("a1", "c1", { state: "done", input, action: read, result: "export function greet(name: string) {\n…" }),
  started("a2"),
  text("a2", 0, answerText),
  ...finished("a2"),
];

export const streaming: readonly SessionEvent[] = [
  ...prompt("p1", "Show me the code."),
  started("a1"),
  ...called("a1", "c1", 0, "list_files", { path: "src" }),
  ...ended("a1"),
  progress("a1", "c1", {
    state: "done",
    input: { path: "src" },
    action: { type: "list-files", folder: "src" },
    result: "src/app.ts",
  }),
  started("a2"),
  text("a2", 0, answerText.slice(0, 420)),
];

export const attached: readonly SessionEvent[] = [
  {
    type: "prompt-added",
    id: "p1",
    text: "What is wrong in these lines?",
    at: noon,
    references: [{ path: "src/a/folder/with/a/long/name/app.ts", lines: { first: 3, last: 90 } }],
  },
  { type: "turn-started" },
  {
    type: "attachments-read",
    id: "p1",
    attachments: [
      { type: "text", path: "src/a/folder/with/a/long/name/app.ts", lines: { first: 3, last: 90 }, text: "export {};" },
      { type: "unread", path: ".env", reason: "The person did not send .env." },
    ],
  },
  started("a1"),
  text("a1", 0, "Nothing."),
  ...finished("a1"),
  { type: "entries-replaced", from: "a1" },
  { type: "turn-started" },
  started("a2"),
  text("a2", 0, "One thing: `name` may be empty."),
  ...finished("a2"),
];

const waitingMessages = [
  queue("q1", "Then rename it, in all of its callers, and say which of them are not tested"),
  queue("q2", "Run the tests"),
];
export const queued: readonly SessionEvent[] = [...streaming, ...waitingMessages];
export const queuedAfterStop: readonly SessionEvent[] = [
  ...queued,
  ...ended("a2", { state: "stopped" }),
  { type: "turn-ended" },
];

export const approval: readonly SessionEvent[] = [
  ...prompt("p1", "Say welcome instead of hello."),
  started("a1"),
  text("a1", 0, "I change the greeting in one place."),
  ...called("a1", "c1", 1, "read_file", input),
  ...called("a1", "c2", 2, "edit_file", edit),
  ...said("a1", { type: "message-end", finish: "tool-calls", cut: false }),
  ...ended("a1"),
  progress("a1", "c1", { state: "done", input, action: read, result: "…" }),
  progress("a1", "c2", {
    state: "waiting",
    input: edit,
    action: { type: "edit-file", path: "src/app.ts", changedLines: 2 },
    approval: { id: "approval-1", reasons: ["writes-file"] },
    change: {
      path: "src/app.ts",
      hunks: [
        {
          oldStart: 3,
          newStart: 3,
          lines: [
            " export function greet(name: string): string {",
            "-  return `Hello, ${name.trim()}`;",
            "+  const trimmed = name.trim();",
            '+  return `Welcome, ${trimmed === "" ? "world" : trimmed}, to a line that is long`;',
            " }",
          ],
        },
        { oldStart: 40, newStart: 41, lines: [" // the end", "-export {};"] },
      ],
    },
  }),
];

export const rateLimited: AppError = {
  kind: "rate-limited",
  message: "too many requests",
  status: 429,
  requestId: "req_0123456789",
  retryAfterMs: 30_000,
};
/** What a person reads of it. */
export const error = describeError(rateLimited, "chat");

export const failed: readonly SessionEvent[] = [
  ...prompt("p1", "What does src/app.ts do?"),
  started("a1"),
  ...said("a1", { type: "message-end", finish: "error", cut: true }),
  ...ended("a1", { state: "failed", failure: { type: "gateway", error: rateLimited } }),
  { type: "turn-ended" },
];

/** Every way in which a call or an answer can end other than well. */
export const troubled: readonly SessionEvent[] = [
  ...prompt("p1", "Try everything."),
  started("a1"),
  ...called("a1", "c1", 0, "edit_file", edit),
  ...called("a1", "c2", 1, "read_file", { path: "../window/outside" }),
  ...said(
    "a1",
    { type: "tool-call-start", block: 2, call: "c3", name: "find_text" },
    { type: "tool-call-invalid", call: "c3", text: '{"patt', reason: "the arguments were cut" },
  ),
  ...called("a1", "c4", 3, "find_text", { pattern: "TODO" }),
  ...ended("a1"),
  progress("a1", "c1", {
    state: "denied",
    input: edit,
    action: { type: "edit-file", path: "src/app.ts", changedLines: 1 },
    note: "not now",
  }),
  progress("a1", "c2", {
    state: "failed",
    input: { path: "../window/outside" },
    action: { type: "read-file", path: "../window/outside" },
    result: "outside the workspace",
  }),
  progress("a1", "c4", {
    state: "stopped",
    input: { pattern: "TODO" },
    action: { type: "find-text", text: "TODO" },
    started: true,
  }),
  started("a2"),
  text("a2", 0, "The stream ends in the mid"),
  ...said("a2", { type: "message-end", finish: "unknown", cut: true }),
  ...ended("a2"),
  { type: "turn-ended" },
  ...prompt("p2", "Go on."),
  started("a3"),
  text("a3", 0, "This was stopp"),
  ...said("a3", { type: "message-end", finish: "unknown", cut: true }),
  ...ended("a3", { state: "stopped" }),
  { type: "turn-ended" },
];
