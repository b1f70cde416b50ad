/** The states that a sheet shows, each on the page that draws it: the chat, or a page in an editor tab. */
import type { SessionEvent } from "../../src/domain/chat/chat";
import type { ChatPageStatus } from "../../src/chat/contract/chatPageContract";
import { asking, groupedEdits, offeredEdit } from "../page/chat/approvalScenes";
import { attach, choosePromptFile, typeSlash } from "../page/chat/attachingScenes";
import { doneCommand, shellCommand } from "../page/chat/commandScenes";
import { brokenOff, steered } from "../page/chat/conductScenes";
import { jobStates, withJobs } from "../page/chat/jobScenes";
import * as modes from "../page/chat/modeScenes";
import type { PanelPage } from "../page/support/panelPage";
import { outsideAsked, processes, sandboxed } from "../page/chat/sandboxScenes";
import { answered, failed, finished, prompt, queuedAfterStop, started, streaming, text } from "../page/chat/scenes";
import type { TabBundle } from "../page/support/tabPage";
import { batchScenes, moneyScene, moneyTasks, taskScenes, usageScene, usageTasks } from "../page/tasks/tabScenes";

export interface ChatState {
  readonly name: string;
  readonly events: readonly SessionEvent[];
  readonly status?: Partial<ChatPageStatus>;
  readonly posted?: readonly unknown[];
  readonly act?: (panel: PanelPage) => Promise<void>;
}

export interface TabState {
  readonly name: string;
  readonly bundle: TabBundle;
  readonly snapshot: unknown;
}

const taskInput = {
  task_type: "image",
  model: "vendor/image-fast",
  prompt: "A lighthouse at dusk, seen from the sea, with a small boat in front of it",
  destination: "assets/lighthouse.png",
};

/** Questions of a person that were answered, so that the view is full. */
const long: readonly SessionEvent[] = [
  ...answered,
  ...prompt("p2", "And where is it **called**? Look in `src` and in `test`."),
  ...doneCommand.slice(2),
  started("a9"),
  text("a9", 0, "Twice: in `src/app.ts`, and in its test."),
  ...finished("a9"),
];

const recent = [
  "Rename greet to welcome in all callers",
  "A poster for the harbour festival",
  "Why does the test fail",
];

export const chatStates: readonly ChatState[] = [
  {
    name: "empty",
    events: [],
    status: { recent: recent.map((title, index) => ({ id: `c${index}`, title, at: Date.now() - index * 7_200_000 })) },
  },
  { name: "empty, no folder", events: [], status: { noFolder: true, local: true, suggestions: [] } },
  {
    name: "empty, no key",
    events: [],
    status: { connection: "signed-out", gateway: "gateway.example.com", model: "", demoModel: false },
  },
  { name: "first answer, streaming", events: streaming },
  { name: "long answer with tools", events: long },
  { name: "edit asked", events: offeredEdit },
  { name: "command asked", events: shellCommand },
  {
    name: "task asked",
    events: asking(
      {
        action: { type: "submit-task", taskType: "async-image", model: "vendor/image-fast" },
        approval: { id: "approval-1", reasons: ["submits-task"] },
      },
      taskInput,
    ),
  },
  { name: "several edits asked", events: groupedEdits },
  { name: "error", events: failed },
  { name: "broken off, go on", events: brokenOff },
  { name: "retry, steered, queued", events: steered },
  { name: "queue held", events: queuedAfterStop },
  {
    name: "message replaced",
    events: [
      ...answered,
      { type: "prompt-added", id: "p2", text: "What does src/app.ts do?", at: 0, replaces: "p1" },
      { type: "turn-started" },
      started("a5"),
      text("a5", 0, "It greets one person."),
      ...finished("a5"),
    ],
  },
  {
    name: "find",
    events: answered,
    act: async ({ page }) => {
      await page.locator(".composer textarea").press("ControlOrMeta+f");
      await page.keyboard.type("greet");
    },
  },
  { name: "# list, attachments", events: answered, act: attach },
  { name: "/ list", events: answered, act: typeSlash },
  { name: "prompt file asks", events: answered, act: choosePromptFile },
  {
    name: "plan of the work",
    events: modes.planned,
    act: async ({ page }) => page.locator(".plan-line").click(),
  },
  { name: "plan to start", events: modes.presented },
  { name: "question", events: modes.asking },
  { name: "sandbox, background", events: sandboxed, status: { processes } },
  { name: "outside asked", events: outsideAsked, status: { effort: "high" } },
  {
    name: "tasks in the chat",
    events: withJobs,
    posted: [
      { type: "task-cards", cards: jobStates },
      { type: "media", answer: "a1", block: 2 },
    ],
  },
];

export async function tabStates(): Promise<readonly TabState[]> {
  const task = (name: string, scene: string): TabState => ({ name, bundle: "task", snapshot: taskScenes()[scene] });
  const tasks = [...usageTasks(6), ...Object.values(moneyTasks)];
  return [
    task("task, succeeded", "succeeded-picture"),
    task("task, failed", "failed"),
    task("task, outcome unknown", "unknown"),
    { name: "batch", bundle: "batch", snapshot: batchScenes()["twelve"] },
    { name: "money", bundle: "money", snapshot: await moneyScene(tasks, "toCheck") },
    { name: "usage", bundle: "usage", snapshot: await usageScene(usageTasks(30), 30, -1) },
  ];
}
