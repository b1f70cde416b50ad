/** A command on its way: asked for, running, ended. */
import { capText } from "../../../src/domain/chat/cappedText";
import type { AskReason, SessionEvent, ToolProgress } from "../../../src/domain/chat/chat";
import { ended, progress, prompt, said, started } from "./scenes";

const runs: AskReason = "runs-command";

function command(
  line: string,
  now: (action: { type: "run-command"; command: string }) => ToolProgress,
): SessionEvent[] {
  const input = { command: line };
  return [
    ...prompt("p1", "Are the tests fine?"),
    started("a1"),
    ...said(
      "a1",
      { type: "text-delta", block: 0, text: "I run them." },
      { type: "tool-call-start", block: 1, call: "c1", name: "run_command" },
      { type: "tool-call-end", call: "c1", input },
      { type: "message-end", finish: "tool-calls", cut: false },
    ),
    ...ended("a1"),
    progress("a1", "c1", now({ type: "run-command", command: line })),
  ];
}

const asking = (line: string, reasons: AskReason[]): readonly SessionEvent[] =>
  command(line, (action) => ({
    state: "waiting",
    input: { command: line },
    action,
    approval: { id: "approval-1", reasons },
  }));

export const plainCommand = asking("npm test -- --grep greet", [runs]);
const piped = `cat package.json | grep '"test"' && npm test > out.txt 2>&1`;
export const shellCommand = asking(piped, [runs, "shell"]);
export const hiddenInCommand = asking(piped.replace(" &&", "\u202e &&"), [runs, "shell"]);
export const backgroundCommand = command("npm start", (action) => ({
  state: "waiting",
  input: { command: "npm start" },
  action: { ...action, isBackground: true },
  approval: { id: "approval-1", reasons: [runs] },
}));
export const endingProcess = command("npm start", () => ({
  state: "waiting",
  input: {},
  action: { type: "end-process", command: "npm start" },
  approval: { id: "approval-1", reasons: [runs] },
}));
export const readProcess = command("npm start", () => ({
  state: "done",
  input: {},
  action: { type: "read-process", command: "npm start" },
  result: "It runs.",
}));
export const longScript = asking(
  [...Array.from({ length: 59 }, (_, index) => `echo "step ${index + 1}"`), "rm -rf build"].join("\n"),
  [runs, "shell"],
);

export const runningCommand: readonly SessionEvent[] = [
  ...command("npm test", (action) => ({ state: "running", input: { command: "npm test" }, action })),
  { type: "tool-activity", id: "a1", call: "c1", activity: { type: "command-running", id: "move-1" } },
  {
    type: "tool-output",
    id: "a1",
    call: "c1",
    output: capText(
      "> sluice-sample@1.0.0 test\n> node --test\n\n✔ greets a person (0.8 ms)\n✔ greets the world (0.1 ms)\n",
    ),
  },
];

const report = (first: string): string =>
  `${first}\n> sluice-sample@1.0.0 test\n> node --test\n\n✔ greets a person (0.8 ms)\n✖ greets the world (1.1 ms)\n  expected 'Hello, world!', got 'Hello, !'\n`;

export const doneCommand: readonly SessionEvent[] = [
  ...runningCommand,
  progress("a1", "c1", {
    state: "done",
    input: { command: "npm test" },
    action: { type: "run-command", command: "npm test" },
    result: report("Exit code 0 after 2.4 s."),
  }),
];
export const failedCommand: readonly SessionEvent[] = [
  ...runningCommand,
  progress("a1", "c1", {
    state: "failed",
    input: { command: "npm test" },
    action: { type: "run-command", command: "npm test", folder: "packages/a-folder-with-a-long-name" },
    result: report("Exit code 1 after 2.4 s."),
  }),
];
