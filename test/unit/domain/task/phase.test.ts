import assert from "node:assert/strict";
import {
  conditionOf,
  hasSucceeded,
  isCancelable,
  isEnded,
  isOver,
  isReconcilable,
  isRefused,
  isRunning,
  isUnsettled,
  isWaitingToSend,
  phaseOf,
} from "../../../../src/domain/task/phase";
import { type Task, taskStates } from "../../../../src/domain/task/task";
import { accepted, makeTask } from "../../../support/builders";

const error = { kind: "unreachable", message: "lost" } as const;
const under = { state: "under-way", at: 0 } as const;
const failed = { state: "failed", at: 0, error } as const;

const submissions: readonly Task["submission"][] = [
  { state: "prepared" },
  { state: "sending" },
  { state: "outcome-unknown", error, at: 0 },
  { state: "outcome-unknown", error, at: 0, reconcile: under },
  { state: "outcome-unknown", error, at: 0, reconcile: { ...under, waits: true } },
  { state: "outcome-unknown", error, at: 0, reconcile: failed },
  { state: "not-accepted", error, at: 0 },
  ...taskStates.map((state) => accepted({ state })),
  accepted({ state: "failed" }, { seenAt: 0 }),
];

const ofService = { isRunning, isEnded, hasSucceeded, isRefused, isOver };
const predicates = { ...ofService, isUnsettled, isReconcilable, isWaitingToSend, isCancelable };

describe("the phase of a task", () => {
  it("T6: every submission and every state of the service is one phase, from which follows what is said of the task", () => {
    const said = submissions.map((submission) => {
      const task = makeTask({ submission });
      const holding = Object.entries(predicates).filter(([, holds]) => holds(task));
      return [phaseOf(task), conditionOf(task), ...holding.map(([name]) => name)].join(" ");
    });
    assert.deepEqual(said, [
      "prepared running isWaitingToSend isCancelable",
      "sending running",
      "outcome-unknown needs-attention isUnsettled isReconcilable",
      "outcome-unknown needs-attention isUnsettled",
      "outcome-unknown needs-attention isUnsettled isWaitingToSend isCancelable",
      "outcome-unknown needs-attention isUnsettled isReconcilable",
      "not-accepted needs-attention isRefused isOver isUnsettled",
      "created running isRunning isCancelable",
      "queued running isRunning isCancelable",
      "processing running isRunning isCancelable",
      "succeeded finished isEnded hasSucceeded isOver",
      "failed needs-attention isEnded isOver",
      "cancelled finished isEnded isOver",
      "expired finished isEnded isOver",
      "refunded finished isEnded isOver",
      "unknown running isRunning isCancelable",
      "failed finished isEnded isOver",
    ]);
  });
});
