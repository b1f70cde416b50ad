/** The states of the chat page that a person meets. */
import type { SessionEvent } from "../../../src/domain/chat/chat";
import { allowedByRule, distrustedCommand, groupedEdits } from "./approvalScenes";
import type { PanelScene } from "../support/panelPage";
import { asking, planned, presented } from "./modeScenes";
import {
  answered,
  approval,
  attached,
  ended,
  failed,
  finished,
  progress,
  prompt,
  queued,
  said,
  started,
  streaming,
  text,
  troubled,
} from "./scenes";

const problem = {
  title: "gateway.example.com needs an API key.",
  meaning: "Nothing was sent, so nothing is paid.",
  action: { id: "set-key", label: "Set API Key" },
  details: "",
} as const;

const thinking: readonly SessionEvent[] = [
  ...prompt("p1", "Which of these two is faster, and why?"),
  started("a1"),
  ...said("a1", {
    type: "reasoning-delta",
    block: 0,
    text: "Both walk the list once. The second one allocates for each item, so it is slower for long lists.\n\nIt has to be measured:",
  }),
];

const stopped: readonly SessionEvent[] = [
  ...streaming,
  ...said("a2", { type: "message-end", finish: "unknown", cut: true }),
  ...ended("a2", { state: "stopped" }),
  { type: "turn-ended" },
];

const interrupted: readonly SessionEvent[] = [...streaming, { type: "turn-interrupted" }];

const cells = (row: number): string =>
  `| src/module${row}/index.ts | ${row * 137} | a note that is rather long for its column, number ${row} |`;
const long = `Here is the whole table:

| file | lines | note |
|:-----|------:|:-----|
${Array.from({ length: 30 }, (_, row) => cells(row + 1)).join("\n")}

\`\`\`json src/config/a/deep/folder/settings.json
${JSON.stringify(
  Object.fromEntries(Array.from({ length: 24 }, (_, row) => [`setting${row}`, `value ${"x".repeat(row * 4)}`])),
  undefined,
  2,
)}
\`\`\`
`;

const calls: readonly SessionEvent[] = [
  ...troubled.slice(0, -9),
  progress("a1", "c4", {
    state: "running",
    input: { pattern: "TODO" },
    action: { type: "find-text", text: "TODO" },
  }),
];

export const stateScenes: Readonly<Record<string, PanelScene>> = {
  "01-empty": { events: [] },
  "02-signed-out": {
    events: [],
    status: { connection: "signed-out", gateway: "gateway.example.com", model: "", demoModel: false, problem },
  },
  "03-starting": { events: [], status: { connection: "starting", gateway: "", model: "", demoModel: false } },
  "04-streaming": { events: streaming },
  "05-thinking": { events: thinking, opened: true },
  "06-tool-calls": { events: calls },
  "07-approval": { events: approval },
  "08-error": { events: failed, opened: true },
  "09-stopped": { events: stopped },
  "10-interrupted": { events: interrupted },
  "11-queue": { events: queued },
  "12-attachments": {
    events: attached,
    posted: ["src/app.ts", "a/folder/with/a/rather/long/name/in/it/notes.md"].map((path) => ({
      type: "reference-add",
      reference: { path },
    })),
  },
  "13-long": { events: [...prompt("p1", "List everything."), started("a1"), text("a1", 0, long), ...finished("a1")] },
  "15-grouped-approval": { events: groupedEdits },
  "16-allowed-by-rule": { events: allowedByRule, opened: true },
  "17-distrusted": { events: distrustedCommand },
  "18-plan": { events: planned, opened: true },
  "19-question": { events: asking },
  "20-presented": { events: presented },
  "14-followed": {
    events: answered,
    status: {
      chatNotice: { text: "Another window writes this chat. It is shown here as it arrives.", canTakeOver: false },
      context: { used: 118_000, size: 128_000, messages: 20, answers: 30, tools: 100_000, rest: 17_950 },
    },
  },
};
