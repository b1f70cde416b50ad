/** Plans, questions and modes. */
import type { SessionEvent } from "../../../src/domain/chat/chat";
import type { PlanStep } from "../../../src/domain/chat/plan";
import { ended, finished, noon, progress, prompt, said, started } from "./scenes";

const planSteps: readonly PlanStep[] = [
  { id: "s1", text: "Read the parser and its tests", state: "done" },
  { id: "s2", text: "Write a test that fails for an empty prompt", state: "done" },
  {
    id: "s3",
    text: "Mend the parser where it reads the front matter, in src/tasks/prompts/parsePrompts.ts",
    state: "doing",
  },
  { id: "s4", text: "Run the tests", state: "pending" },
];

const calling = (id: string, call: string, name: string, input: Readonly<Record<string, unknown>>): SessionEvent[] => [
  started(id),
  ...said(
    id,
    { type: "tool-call-start", block: 0, call, name },
    { type: "tool-call-end", call, input },
    { type: "message-end", finish: "tool-calls", cut: false },
  ),
  ...ended(id),
];

/** The model works by a plan. */
export const planned: readonly SessionEvent[] = [
  ...prompt("p1", "Mend the parser for an empty prompt."),
  ...calling("a1", "c1", "update_plan", {}),
  progress("a1", "c1", {
    state: "done",
    input: {},
    action: { type: "update-plan", steps: planSteps },
    result: "The person sees the plan: 2 of 4 done.",
  }),
  started("a2"),
];

const question = {
  text: "Which database do you want for the drafts?",
  choices: [
    { label: "SQLite", description: "One file beside the chats; needs no server, and is what the tasks use." },
    { label: "Postgres", description: "A server of your own." },
    { label: "Only memory" },
  ],
};

/** The model waits for an answer. */
export const asking: readonly SessionEvent[] = [
  ...prompt("p1", "Keep the drafts somewhere."),
  ...calling("a1", "c1", "ask_person", {}),
  progress("a1", "c1", {
    state: "asking",
    input: {},
    action: { type: "ask-person", question: question.text },
    id: "q1",
    question,
  }),
];

export const planMarkdown = `The parser loses the front matter of an empty prompt.

1. Write a test in \`test/unit/prompts\` that fails
2. Mend \`src/tasks/prompts/parsePrompts.ts\`
   - keep what follows an empty line
3. Run \`npm test -- unit\`

Risks: **none** known.`;

/** A plan that waits for its start. */
export const presented: readonly SessionEvent[] = [
  { type: "mode-set", mode: "plan" },
  { type: "prompt-added", id: "p1", text: "Plan the repair.", at: noon },
  { type: "turn-started" },
  ...calling("a1", "c1", "present_plan", {}),
  progress("a1", "c1", {
    state: "done",
    input: {},
    action: { type: "present-plan", title: "Mend the parser", text: planMarkdown },
    result: "The person sees the plan.",
  }),
  started("a2"),
  ...said("a2", { type: "text-delta", block: 0, text: "The plan is ready: edit it, comment on it, or start it." }),
  ...finished("a2"),
];
