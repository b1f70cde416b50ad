/** The words for errors: each has a title, a meaning and one action, and its sentence about the money is true. */
import assert from "node:assert/strict";
import { describeError, type FailedOperation, offeredButtons } from "../../../../src/domain/words/describeError";
import { appErrorKinds } from "../../../../src/domain/errors/errorKinds";
import { mayHaveMadeTask } from "../../../../src/domain/task/submission";

const doings: readonly FailedOperation[] = ["submit", "read", "cancel", "result", "chat", "answer", "models"];

describe("describeError", () => {
  for (const kind of appErrorKinds) {
    it(`S4: ${kind} has words and one action wherever it happens`, () => {
      for (const doing of doings) {
        const { title, meaning, action, details } = describeError({ kind, message: "said", status: 418 }, doing);
        for (const text of [title, meaning, action.label]) assert.match(text, /^[A-Z].*[^!]$/);
        assert.match(details, new RegExp(`kind: ${kind}\\nstatus: 418`));
      }
    });

    it(`S4: ${kind} in the middle of an answer never says that nothing arrived or is paid`, () => {
      assert.match(describeError({ kind, message: "said" }, "answer").meaning, /^What arrived is kept/);
      assert.match(describeError({ kind, message: "said" }, "chat").meaning, /^No|^Nothing/);
    });

    it(`T1: for a submission, ${kind} offers to reconcile exactly when the task may exist`, () => {
      const error = { kind, message: "said" };
      const { action, meaning } = describeError(error, "submit");
      assert.equal(action.id === "reconcile", mayHaveMadeTask(error));
      assert.equal(meaning.includes("may exist"), mayHaveMadeTask(error));
      const unsent = describeError({ ...error, notSent: true }, "submit");
      assert.notEqual(unsent.action.id, "reconcile");
      assert.match(unsent.meaning, /[Nn]othing/);
    });
  }

  it("S4 (finding N14): what a gateway says of the balance is quoted where it says more than that it is too low", () => {
    const titleOf = (message: string): string => describeError({ kind: "insufficient-balance", message }, "chat").title;
    assert.equal(titleOf("The balance is too low for this request."), "The balance is too low.");
    assert.equal(titleOf("Insufficient account balance"), "The balance is too low.");
    assert.equal(titleOf("Balance 0.12, needed 0.30"), "The balance is too low: “Balance 0.12, needed 0.30”.");
    assert.equal(titleOf("Ask your admin"), "The balance is too low: “Ask your admin”.");
  });

  for (const kind of appErrorKinds) {
    it(`T1 (finding 1): a Reconcile that ends with ${kind} never says that nothing is paid or that there is no task`, () => {
      for (const error of [
        { kind, message: "said" },
        { kind, message: "said", notSent: true as const },
      ]) {
        const { title, meaning, action } = describeError(error, "reconcile");
        assert.doesNotMatch(`${title} ${meaning}`, /nothing is paid\.|no task|nothing was sent|was refused/i);
        assert.match(meaning, /does not show whether the task exists/);
        assert.ok(action.id === "reconcile" || action.id === "set-key");
      }
    });
  }

  it("T1 (finding 38): a full disk is told as what it is, never as the gateway's doing", () => {
    const error = { kind: "storage", message: "ENOSPC: no space left", code: "ENOSPC", notSent: true } as const;
    const { title, meaning, action } = describeError(error, "submit");
    assert.match(title, /disk of this machine is full/);
    assert.match(meaning, /Nothing was sent/);
    assert.equal(action.id, "retry");
  });

  it("C2: a key that can't be sent is told from one that was refused", () => {
    const refused = { kind: "unauthorized", message: "no" } as const;
    assert.match(describeError(refused, "chat").title, /did not accept/);
    assert.match(describeError({ ...refused, notSent: true }, "chat").title, /Copy it again/);
  });

  it("S4: says how long a rate limit lasts", () => {
    const { title } = describeError({ kind: "rate-limited", message: "slow down", retryAfterMs: 7000 }, "chat");
    assert.match(title, /wait 7 s/);
  });

  it("T2 (finding 22): before anything was asked, no task is said to be kept", () => {
    const error = { kind: "signed-out", message: "", notSent: true } as const;
    assert.equal(describeError(error, "new-task").meaning, "Nothing was sent, so nothing is paid.");
    assert.equal(
      describeError(error, "submit").meaning,
      "Nothing was sent, so nothing is paid. The task is kept here.",
    );
  });

  it("S4: without anything that trying again would do, no button offers it", () => {
    const labels = (doing: FailedOperation, canRetry: boolean): readonly string[] =>
      offeredButtons(describeError({ kind: "unavailable", message: "down" }, doing), canRetry, false).map(
        ({ id }) => id,
      );
    assert.deepEqual([labels("read", true), labels("read", false)], [["retry"], []]);
    assert.ok(labels("submit", true).includes("reconcile"));
    assert.ok(!labels("submit", false).includes("reconcile"));
  });
});
