/** The row of a task in the tree: what is said of it, where it stands, and what its menu offers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { definedFields } from "../../../src/base/definedFields";
import type { GatewayError } from "../../../src/domain/errors";
import { type ReconcileAttempt, type Task, type TaskState, taskStates } from "../../../src/domain/task";
import { cutLabel, groupOf, isRemovable, taskRow } from "../../../src/tasks/taskRow";
import { accepted, makeTask } from "../../support/builders";

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 0, 15, 12, 0, 0);
const lost: GatewayError = { kind: "unreachable", message: "The connection broke." };

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
  it("T6 (finding 35): the group says whether a person is needed, and what ended when", () => {
    const group = (submission: Task["submission"]) => groupOf(makeTask({ submission }), now);
    assert.equal(group({ state: "prepared" }), "running");
    assert.equal(group({ state: "sending" }), "running");
    assert.equal(group(unknown()), "attention");
    assert.equal(group(notAccepted), "attention");
    assert.equal(group(accepted({ state: "processing" })), "running");
    assert.equal(group(accepted({ state: "unknown", rawStatus: "9" })), "running");
    assert.equal(group(ended("succeeded", now - minute)), "today");
    assert.equal(group(ended("failed", now - 2 * day)), "earlier");
    // Without a time of its own, an end is when it was read.
    assert.equal(group(accepted({ state: "succeeded" }, { checkedAt: now - 2 * day })), "earlier");
  });

  it("T1, T6 (finding 35): the menu of a row offers only what its state allows", () => {
    const flags = (submission: Task["submission"]) => rowOf(submission).contextValue;
    assert.equal(flags({ state: "sending" }), "task sending");
    assert.equal(flags(unknown()), "task reconcilable removable");
    assert.equal(flags(unknown({ state: "failed", at: now, error: lost })), "task reconcilable removable");
    assert.equal(flags(underWay), "task sending");
    assert.equal(flags(notAccepted), "task resendable removable");
    for (const state of ["created", "queued", "processing", "unknown"] as const)
      assert.equal(flags(accepted({ state })), "task accepted cancelable", state);
    assert.equal(flags(accepted({ state: "succeeded" })), "task accepted openable removable");
    for (const state of ["failed", "cancelled", "expired", "refunded"] as const)
      assert.equal(flags(accepted({ state })), "task accepted removable", state);
  });

  it("T1 (finding 35): nothing is removable while a request of it is under way", () => {
    const removable = (submission: Task["submission"]) => isRemovable(makeTask({ submission }));
    assert.deepEqual([{ state: "prepared" } as const, { state: "sending" } as const].map(removable), [false, false]);
    assert.deepEqual([unknown(), underWay].map(removable), [true, false]);
    assert.deepEqual([notAccepted, accepted({ state: "processing" })].map(removable), [true, false]);
    assert.deepEqual([accepted({ state: "refunded" })].map(removable), [true]);
  });

  it("T6 (finding 35): the description has type and time, and what needs the person comes first", () => {
    const { description } = rowOf(accepted({ state: "unknown", rawStatus: "9" }));
    assert.match(description, /^video · .+ · status “9”$/);
    assert.match(rowOf(unknown()).description, /^outcome unknown · video · /);
    assert.match(rowOf(underWay).description, /^outcome unknown · reconciling · /);
    const failed = unknown({ state: "failed", at: now, error: lost });
    assert.match(rowOf(failed).description, /^outcome unknown · reconcile failed at .+ · video · /);
    const stale = accepted({ state: "processing" }, { stale: { since: now - minute, error: lost } });
    assert.match(rowOf(stale).description, / · stale since /);
    const cancel = (state: "requested" | "too-late") =>
      rowOf(accepted({ state: "processing" }, { cancel: { state, reason: "", at: now } })).description;
    assert.match(cancel("requested"), / · cancel requested$/);
    assert.match(cancel("too-late"), / · finished before the cancel$/);
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
    const row = rowOf(accepted({ state: "processing" }));
    assert.match(row.spoken, /^video, .+, created .+, .+: a lighthouse at dusk$/);
    assert.ok(row.spoken.includes(row.money));
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
        menus: z.record(z.string(), z.array(z.object({ command: z.string(), when: z.optional(z.string()) }))),
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

  it("T1, V4 (finding 35): every menu of a row fits a row that there is", () => {
    const rows = [unknown(), notAccepted, accepted({ state: "processing" }), accepted({ state: "succeeded" })].map(
      (submission) => rowOf(submission).contextValue,
    );
    const commands = new Set((contributes.menus["view/item/context"] ?? []).map(({ command }) => command));
    const found = new Set(rows.flatMap(offered));
    assert.deepEqual(
      [...commands].filter((command) => !found.has(command)),
      [],
    );
  });
});
