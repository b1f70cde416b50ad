/** A chat with tasks and pictures, and what the host says of the tasks. */
import type { SessionEvent } from "../../../src/domain/chat/chat";
import type { TaskCardState, TaskCardView } from "../../../src/chat/contract/chatPageContract";
import { finished, noon, prompt, said, started, text } from "./scenes";

export const job = (id: string, words: string, ...tasks: readonly string[]): SessionEvent => ({
  type: "task-added",
  id,
  text: words,
  at: noon,
  tasks: [...tasks],
});

/** Tasks of `jobStates`, and a picture of the model. */
export const withJobs: readonly SessionEvent[] = [
  ...prompt("p1", "Draw a lighthouse"),
  started("a1"),
  text("a1", 0, "Here is a picture."),
  ...said("a1", { type: "media", block: 1, mimeType: "image/png", data: "" }),
  ...said("a1", { type: "media", block: 2, mimeType: "audio/wav", data: "" }),
  ...finished("a1"),
  job("j1", "A lighthouse at dusk, seen from the sea, with a small boat in front of it", "t1", "t2", "t3", "t4", "t5"),
];

const jobViewOf = (id: string, change: Partial<TaskCardView>): TaskCardState => ({
  id,
  view: {
    id,
    state: { name: "processing", tone: "running" },
    prompt: "A lighthouse at dusk, seen from the sea, with a small…",
    facts: ["video", "demo-video", "stale since 12:01 PM"],
    money: "Reserved at 12:00 PM",
    actions: ["cancel", "open-task"],
    spoken: "Video, processing, submitted 12:00 PM, reserved: A lighthouse at dusk",
    ...change,
  },
});

export const jobStates: readonly TaskCardState[] = [
  jobViewOf("t1", {}),
  jobViewOf("t2", {
    state: { name: "succeeded", tone: "succeeded" },
    facts: ["image", "demo-image"],
    money: "Charged at 12:00 PM",
    file: { kind: "image", url: "/picture.svg" },
    actions: ["open-result", "save-into-workspace", "insert-link", "open-task", "more"],
  }),
  jobViewOf("t3", {
    state: { name: "outcome unknown", tone: "attention" },
    facts: ["image", "demo-image"],
    problem: "The gateway did not answer in 15 s. The task may exist; nothing is paid twice if you reconcile.",
    money: "Not known whether the gateway has made the task",
    actions: ["reconcile", "open-task"],
  }),
  jobViewOf("t4", {
    state: { name: "not accepted", tone: "failed" },
    facts: ["image", "demo-image"],
    problem: "The gateway refused the request: no such model. Nothing is paid.",
    money: "Not charged",
    actions: ["send-again", "open-task"],
  }),
  { id: "t5" },
];
