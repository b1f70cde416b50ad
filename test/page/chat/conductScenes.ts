/** Turns that wait, are steered or broke off. */
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { ended, progress, prompt, queue, said, started, text } from "./scenes";

const overloaded = { kind: "unavailable", message: "Overloaded", status: 529 } as const;
const retry = (delayMs: number): SessionEvent => ({
  type: "answer-retry",
  id: "a9",
  retry: { error: overloaded, delayMs, at: Date.now() },
});

const input = { command: "npm test" };
const action = { type: "run-command", command: "npm test" } as const;

/** A message went to the model in the middle of the turn, and another one will; the gateway is waited for. */
export const steered: readonly SessionEvent[] = [
  ...prompt("p1", "Rename it, in all of its callers."),
  started("a1"),
  ...said(
    "a1",
    { type: "tool-call-start", block: 0, call: "c1", name: "run_command" },
    { type: "tool-call-end", call: "c1", input },
  ),
  ...ended("a1"),
  progress("a1", "c1", { state: "done", input, action, allowed: "call", result: "exit code: 0" }),
  { type: "prompt-added", id: "p2", text: "Leave the tests as they are.", at: 0, steers: true },
  started("a9"),
  retry(2000),
  retry(4000),
  retry(60_000),
  { ...queue("q1", "And name the file after it"), now: true } as SessionEvent,
  queue("q2", "Then run the tests"),
];

/** A call and then the answer were cut at the output limit: it can be gone on with. */
export const unfinished: readonly SessionEvent[] = [
  ...prompt("p1", "Write the whole file."),
  started("a1"),
  ...said(
    "a1",
    { type: "tool-call-start", block: 0, call: "c1", name: "create_file" },
    { type: "tool-call-invalid", call: "c1", text: '{"path":"a.ts"', reason: "It was cut.", atLimit: true },
    { type: "message-end", finish: "tool-calls", cut: false },
  ),
  ...ended("a1"),
  started("a2"),
  text("a2", 0, "In parts, then. The first one has"),
  ...said("a2", { type: "message-end", finish: "length", cut: false }),
  ...ended("a2"),
  { type: "turn-ended" },
];

/** The connection was lost in the middle of an answer. */
export const brokenOff: readonly SessionEvent[] = [
  ...prompt("p1", "What does src/app.ts do?"),
  started("a1"),
  text("a1", 0, "It reads the settings, and then"),
  ...said("a1", { type: "message-end", finish: "error", cut: true }),
  ...ended("a1", {
    state: "failed",
    failure: { type: "gateway", error: { kind: "unreachable", message: "terminated", code: "UND_ERR_SOCKET" } },
  }),
  { type: "turn-ended" },
];
