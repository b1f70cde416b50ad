/** The chats and states in which the whole panel is looked at, by name. */
import { attach, typeSlash } from "./attachingScenes";
import { runningCommand, shellCommand } from "./commandScenes";
import { brokenOff, steered, unfinished } from "./conductScenes";
import { jobStates, withJobs } from "./jobScenes";
import type { PanelScene } from "../support/panelPage";
import { paused, summarized, summaryUndone } from "./summaryScenes";
import { answered, approval, attached, failed, queued, queuedAfterStop, streaming, troubled } from "./scenes";

export const panelScenes: Readonly<Record<string, PanelScene>> = {
  empty: {
    events: [],
    status: {
      recent: [{ id: "c", title: "A chat with a title that is longer than any panel is wide", at: Date.now() }],
    },
  },
  "signed-out": {
    events: [],
    status: {
      connection: "signed-out",
      gateway: "gateway.example.com",
      model: "",
      demoModel: false,
      trusted: false,
      suggestions: [],
    },
  },
  unreachable: {
    events: answered,
    status: {
      connection: "failed",
      problem: {
        title: "The gateway can't be reached: connection refused",
        meaning: "Nothing was sent, so nothing is paid.",
        action: { id: "choose-gateway", label: "Choose Gateway" },
        details: "",
      },
    },
  },
  answered: { events: answered },
  "answered, opened": { events: answered, opened: true },
  "to review": { events: answered, status: { undecided: 5, edits: "review" } },
  streaming: { events: streaming },
  attached: {
    events: attached,
    status: { context: { used: 118_000, size: 128_000, messages: 20, answers: 30, tools: 100_000, rest: 17_950 } },
    opened: true,
  },
  queued: { events: queued },
  "queued, stopped": { events: queuedAfterStop },
  steered: { events: steered },
  unfinished: { events: unfinished },
  "broken off": { events: brokenOff },
  approval: { events: approval },
  command: { events: shellCommand },
  "command, running": { events: runningCommand, opened: true },
  failed: { events: failed, opened: true },
  troubled: { events: troubled },
  "pinned, summarized": { events: summarized, opened: true },
  "summary undone, failed, running": { events: summaryUndone },
  paused: { events: paused },
  tasks: {
    events: withJobs,
    posted: [
      { type: "task-cards", cards: jobStates },
      { type: "media", answer: "a1", block: 2 },
    ],
  },
  attaching: { events: answered, status: { imagesRefused: true }, act: attach },
  commands: { events: answered, act: typeSlash },
};
