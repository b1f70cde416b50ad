/** Commands in the sandbox and in the background. */
import type { SessionEvent, ToolAction } from "../../../src/domain/chat/chat";
import { ended, progress, prompt, said, started } from "./scenes";

type CommandAction = Extract<ToolAction, { type: "run-command" }>;

function calls(...commands: readonly string[]): readonly SessionEvent[] {
  return [
    ...prompt("p1", "Install what is missing, test it and start the server"),
    started("a1"),
    ...said(
      "a1",
      ...commands.flatMap((command, at) => [
        { type: "tool-call-start", block: at, call: `c${at}`, name: "run_command" } as const,
        { type: "tool-call-end", call: `c${at}`, input: { command } } as const,
      ]),
      { type: "message-end", finish: "tool-calls", cut: false },
    ),
    ...ended("a1"),
  ];
}

const action = (command: string, more: Partial<CommandAction> = {}): CommandAction => ({
  type: "run-command",
  command,
  ...more,
});
const done = (call: string, command: string, more: Partial<CommandAction> = {}): SessionEvent =>
  progress("a1", call, {
    // In the background it works in the workspace itself, after a question.
    ...{ state: "done", input: { command } },
    ...(more.isBackground === true ? {} : { allowed: "sandbox" }),
    action: action(command, more),
    result: "Exit code 0 after 2.4 s.\nfine",
  });

/** What the sandbox held, held back, and has in the background: one of two still runs. */
export const sandboxed: readonly SessionEvent[] = [
  ...calls("npm install", "npm test", "npm run dev", "npm run watch"),
  progress("a1", "c0", {
    ...{ state: "failed", input: { command: "npm install" }, allowed: "sandbox", heldBack: true },
    action: action("npm install"),
    result: "Exit code 1 after 0.4 s.\nnpm error getaddrinfo EAI_AGAIN registry.npmjs.org",
  }),
  done("c1", "npm test"),
  done("c2", "npm run dev", { isBackground: true, process: "p-1" }),
  done("c3", "npm run watch", { isBackground: true, process: "p-2" }),
];
export const processes = [
  { id: "p-1", line: "npm run dev", lastLine: "ready in 312 ms, watching src/app.ts for changes" },
];

/** The model asks to leave the sandbox, with a reason. */
export const outsideAsked: readonly SessionEvent[] = [
  ...calls("npm install"),
  progress("a1", "c0", {
    ...{ state: "waiting", input: { command: "npm install" } },
    action: action("npm install", { outside: "It downloads the packages of the project." }),
    approval: { id: "approval-1", reasons: ["outside-sandbox", "runs-command"] },
  }),
];

/** What a command has made on its copy, and something would obey. */
export const copyAsked: readonly SessionEvent[] = [
  ...calls("npm run generate"),
  progress("a1", "c0", {
    ...{ state: "waiting", input: { command: "npm run generate" } },
    action: { type: "change-files", parts: [{ type: "create-file", path: "AGENTS.md" }] },
    changes: [{ action: { type: "create-file", path: "AGENTS.md" } }],
    approval: { id: "approval-1", reasons: ["from-copy", "executed"] },
  }),
];
