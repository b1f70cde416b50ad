/** The row of a task in the tree: its label and description, its group, and what its menu offers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { definedFields } from "../../../../src/base/definedFields";
import type { AppError } from "../../../../src/domain/errors/appError";
import { type ReconcileAttempt, type Task, type TaskState, taskStates } from "../../../../src/domain/task/task";
import { withdrawn } from "../../../../src/domain/task/submission";
import { startOfDay } from "../../../../src/base/localDay";
import { stateGroupOf } from "../../../../src/tasks/view/taskGroups";
import { isRemovable } from "../../../../src/tasks/view/taskActions";
import { taskRow } from "../../../../src/tasks/view/taskRow";
import { cutLabel } from "../../../../src/domain/words/label";
import { accepted, makeTask } from "../../../support/builders";

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 0, 15, 12, 0, 0);
const lost: AppError = { kind: "unreachable", message: "The connection broke." };

const rowOf = (submission: Task["submission"], intent: Partial<Task["intent"]> = {}) =>
  taskRow(makeTask({ intent: { createdAt: now - minute, ...intent }, submission }), now, "en");
const unknown = (reconcile?: ReconcileAttempt): Task["submission"] => ({
  state: "outcome-unknown",
  at: now,
  error: lost,
  ...definedFields({ reconcile }),
});
const underWay = unknown({ state: "under-way", at: now });
const notAccepted: Task["submission"] = { state: "not-accepted", at: now, error: { ...lost, notSent: true } };
const ended = (state: TaskState, completedAt: number) => accepted({ state, completedAt }, { checkedAt: now });

describe("taskRow", () => {
  it("T6, T9: a task that was called back before it was sent is cancelled, and nobody has to attend to it", () => {
    const submission: Task["submission"] = { state: "not-accepted", at: now - minute, error: withdrawn };
    assert.equal(stateGroupOf(makeTask({ submission }), startOfDay(now)), "today");
    const { description, icon, spoken, contextValue } = rowOf(submission);
    assert.match(description, /^not sent · /);
    assert.equal(icon.id, "circle-slash");
    assert.match(spoken, /cancelled, not sent,/);
    // As before it can be sent after all.
    assert.match(contextValue, /\bresendable\b/);
  });

  it("T6 (finding 35): the group says whether a person is needed, and what ended when", () => {
    const group = (submission: Task["submission"]) => stateGroupOf(makeTask({ submission }), startOfDay(now));
    assert.equal(group({ state: "prepared" }), "running");
    assert.equal(group({ state: "sending" }), "running");
    assert.equal(group(unknown()), "attention");
    assert.equal(group(notAccepted), "attention");
    assert.equal(group(accepted({ state: "processing" })), "running");
    assert.equal(group(accepted({ state: "unknown", rawStatus: "9" })), "running");
    assert.equal(group(ended("succeeded", now - minute)), "today");
    assert.equal(group(ended("expired", now - 2 * day)), "earlier");
    // Without a time of its own, an end is when it was read.
    assert.equal(group(accepted({ state: "succeeded" }, { checkedAt: now - 2 * day })), "earlier");
  });

  it("T1, T6 (finding 35): the menu of a row offers only what its state allows", () => {
    const flags = (submission: Task["submission"]) => rowOf(submission).contextValue;
    assert.equal(flags({ state: "sending" }), "task");
    assert.equal(flags(unknown()), "task reconcilable removable");
    assert.equal(flags(unknown({ state: "failed", at: now, error: lost })), "task reconcilable removable");
    assert.equal(flags(underWay), "task");
    assert.equal(flags(notAccepted), "task resendable removable");
    for (const state of ["created", "queued", "processing"] as const)
      assert.equal(flags(accepted({ state })), "task cancelable accepted", state);
    assert.equal(flags(accepted({ state: "unknown" })), "task checkable cancelable accepted");
    assert.equal(flags(accepted({ state: "succeeded" })), "task openable accepted removable");
    for (const state of ["cancelled", "expired", "refunded"] as const)
      assert.equal(flags(accepted({ state })), "task accepted removable", state);
    assert.equal(flags(accepted({ state: "failed" })), "task accepted unseen removable");
    assert.equal(flags(accepted({ state: "failed" }, { seenAt: now })), "task accepted removable");
  });

  it("T1 (finding 35): nothing is removable while a request of it is under way", () => {
    const removable = (submission: Task["submission"]) => isRemovable(makeTask({ submission }));
    assert.deepEqual([{ state: "prepared" } as const, { state: "sending" } as const].map(removable), [false, false]);
    assert.deepEqual([unknown(), underWay].map(removable), [true, false]);
    assert.deepEqual([notAccepted, accepted({ state: "processing" })].map(removable), [true, false]);
    assert.deepEqual([accepted({ state: "refunded" })].map(removable), [true]);
  });

  it("T6 (finding 18): what the icon does not say comes first, then type and time", () => {
    assert.match(rowOf(accepted({ state: "processing" })).description, /^video · \d/);
    const { description } = rowOf(accepted({ state: "unknown", rawStatus: "9" }));
    assert.match(description, /^status “9” · video · .+$/);
    assert.match(rowOf(unknown()).description, /^outcome unknown · video · /);
    assert.match(rowOf(underWay).description, /^outcome unknown · reconciling · /);
    const failed = unknown({ state: "failed", at: now, error: lost });
    assert.match(rowOf(failed).description, /^outcome unknown · reconcile failed at .+ · video · /);
    assert.match(rowOf(notAccepted).description, /^not accepted · video · /);
    const stale = accepted({ state: "processing" }, { stale: { since: now - minute, error: lost } });
    assert.match(rowOf(stale).description, /^stale since .+ · video · /);
    const cancel = (state: "requested" | "too-late") =>
      rowOf(accepted({ state: "processing" }, { cancel: { state, reason: "", at: now } })).description;
    assert.match(cancel("requested"), /^cancel requested · video · /);
    assert.match(cancel("too-late"), /^finished before the cancel · video · /);
  });

  it("T6 (finding 18): a label is short enough to leave room for what follows it at 300 pixels", () => {
    const { label, description } = rowOf(accepted({}), { prompt: "a paper lantern on black water, seen from above" });
    // A wide view shows the rest of the prompt too.
    assert.match(description, /^video · .+ · …black water, seen from above$/);
    assert.equal(label, "a paper lantern on…");
    assert.equal(cutLabel("a lighthouse at dusk, wide", 20), "a lighthouse at dusk…");
  });

  it("T6, T12: a task that runs longer than usual says so; the usual time is read out", () => {
    const usual = { p50: 60_000, p90: 120_000, samples: 3 };
    const row = (at: number) =>
      taskRow(
        makeTask({ intent: { createdAt: at }, submission: accepted({ state: "processing" }, { at }) }),
        now,
        "en",
        usual,
      );
    assert.doesNotMatch(row(now - minute).description, /longer/);
    assert.match(row(now - 3 * minute).description, /^longer than usual · video/);
    assert.match(row(now - minute).spoken, /, Usually 1 to 2 min, /);
    const short = taskRow(makeTask({ submission: accepted({}) }), now, "en", { p50: 40_400, p90: 39_600, samples: 3 });
    assert.equal(short.usual, "Usually 40 s");
  });

  it("T6 (finding 35): each state has an icon, a success the icon of its type", () => {
    const icon = (state: TaskState, type: Task["intent"]["type"] = "video") =>
      rowOf(accepted({ state }), { type }).icon;
    const ids = taskStates.map((state) => icon(state).id);
    assert.ok(ids.length >= 8 && ids.every((id) => id !== ""));
    assert.equal(icon("succeeded").id, "device-camera-video");
    assert.equal(icon("succeeded", "async-image").id, "file-media");
    assert.equal(rowOf(unknown()).icon.id, "question");
    assert.equal(rowOf(notAccepted).icon.id, "error");
  });

  it("T6, P6 (finding 35): a screen reader hears type, state, time, money and prompt", () => {
    const row = rowOf(accepted({ state: "processing" }, { holdId: "hold-1" }));
    assert.match(row.spoken, /^Video, processing, submitted .+, hold open: a lighthouse at dusk$/);
    const ended = rowOf(accepted({ state: "succeeded" }, { holdId: "hold-1" }));
    assert.ok(ended.spoken.includes(ended.money));
  });

  it("T6 (finding 35): a label is the first line with words, cut between words near 60 characters", () => {
    assert.equal(cutLabel("\n  \n a harbour \nsecond line"), "a harbour");
    assert.equal(cutLabel(" \n"), "(no prompt)");
    assert.equal(cutLabel(`${"word ".repeat(11)}wonder`), `${"word ".repeat(11).trimEnd()}…`);
    assert.equal(cutLabel("x".repeat(61)), `${"x".repeat(60)}…`);
    assert.equal(cutLabel("🙂".repeat(70)), `${"🙂".repeat(60)}…`);
  });
});

describe("the menus of a task", () => {
  const { contributes } = z
    .object({
      contributes: z.object({
        menus: z.record(
          z.string(),
          z.array(z.object({ command: z._default(z.string(), ""), when: z.optional(z.string()) })),
        ),
      }),
    })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));

  /** The commands whose `viewItem =~ /…/` fits, as VS Code evaluates it. */
  const offered = (contextValue: string): string[] =>
    (contributes.menus["view/item/context"] ?? [])
      .filter(({ when = "" }) => {
        const pattern = /viewItem =~ \/(.+?)\//.exec(when)?.[1];
        return pattern !== undefined && new RegExp(pattern).test(contextValue);
      })
      .map(({ command }) => command);

  it("T1, V4 (finding 35): Reconcile is offered for an unknown outcome, and for nothing else", () => {
    const reconcile = "sluice.task.reconcile";
    assert.ok(offered(rowOf(unknown()).contextValue).includes(reconcile));
    for (const other of [
      underWay,
      notAccepted,
      { state: "sending" } as const,
      accepted({ state: "processing" }),
      accepted({ state: "succeeded" }),
    ])
      assert.ok(!offered(rowOf(other).contextValue).includes(reconcile), other.state);
  });

  it("L3: Top Up is offered where the local gateway's balance is too low, and not for another gateway", () => {
    const error = { kind: "insufficient-balance", message: "x" } as const;
    const offers = (origin: string): boolean => {
      const home = { origin, baseUrl: "http://127.0.0.1:1", account: "a" };
      const task = makeTask({ intent: { home }, submission: { ...notAccepted, error } });
      return offered(taskRow(task, 0, "en").contextValue).includes("sluice.gateway.topUp");
    };
    assert.deepEqual([offers("local"), offers("https://gateway.example")], [true, false]);
  });

  it("T1, V4 (finding 35): every menu of a row fits a row that there is", () => {
    const occupied = { state: "occupied", file: "file:///w/hero.png", at: 0 } as const;
    const rows = [
      ...[
        unknown(),
        notAccepted,
        accepted({ state: "processing" }),
        accepted({ state: "failed" }, { holdId: "hold-1" }),
        accepted({ state: "succeeded" }, { placement: occupied }),
      ].map((submission) => rowOf(submission).contextValue),
      // Of the rows that are no tasks, as taskTreeItems.ts makes them.
      ...["group attention", "group running", "group finished", "event", "filtered"],
    ];
    const commands = new Set((contributes.menus["view/item/context"] ?? []).map(({ command }) => command));
    const batched = makeTask({ intent: { batch: "b1" } });
    const home = { origin: "local", baseUrl: "http://127.0.0.1:1", account: "a" };
    const error = { kind: "insufficient-balance", message: "x" } as const;
    const short = makeTask({ intent: { home }, submission: { ...notAccepted, error } });
    const own = [batched, short].map((task) => taskRow(task, 0, "en").contextValue);
    const found = new Set([...rows, ...own].flatMap(offered));
    assert.deepEqual(
      [...commands].filter((command) => !found.has(command)),
      [],
    );
  });
});
