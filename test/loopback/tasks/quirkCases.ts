/** What a deviation of the task endpoints may not change, for the cases of `taskQuirks.test.ts`. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { AppFailure } from "../../../src/domain/errors/appError";
import { isFinal, type Submission } from "../../../src/domain/task/task";
import type { ConductRule } from "../../../src/localGateway/requestWatch";
import type { Accepted, TaskBench } from "./taskBench";

/** Arms the fault for so many requests, without an end when left out. */
export type Arm = (times?: number) => void;
export interface QuirkCase {
  readonly value?: unknown;
  /** Added to the title of the test where one value has two cases. */
  readonly title?: string;
  /** The request that meets the fault gets no answer: milliseconds until the client's limit ends it. */
  readonly firstByte?: number;
  readonly provokes?: readonly ConductRule[];
  readonly shows: (bench: TaskBench, arm: Arm) => Promise<void>;
}

export const goesOn: QuirkCase["shows"] = async (bench, arm) => {
  const id = await bench.submit();
  arm();
  await bench.ends(id, "succeeded");
};
/** A read that failed leaves the row with its state, marked, and the next ones go on. */
export const staleMeanwhile: QuirkCase["shows"] = async (bench, arm) => {
  const id = await bench.running();
  const before = bench.accepted(id).remote;
  arm(1);
  const { remote } = await bench.reaches(id, ({ stale }) => stale !== undefined);
  assert.deepEqual(remote, before);
  assert.equal((await bench.ends(id, "succeeded")).stale, undefined);
};
export const refusedWith =
  (kind: string): QuirkCase["shows"] =>
  async (bench, arm) => {
    arm(1);
    const { submission } = bench.task(await bench.submit());
    assert.ok(submission.state === "not-accepted", submission.state);
    assert.equal(submission.error.kind, kind);
    assert.equal(bench.over.gateway.openHolds, 0);
  };
/** The outcome of the first create is lost, so that the second meets a key that is known. */
export const reconciledAs =
  (state: Submission["state"]): QuirkCase["shows"] =>
  async (bench, arm) => {
    bench.over.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    const id = await bench.submit();
    assert.equal(bench.task(id).submission.state, "outcome-unknown");
    arm(1);
    await bench.over.app.outbox.sendAgain(bench.over.app.board.see(id));
    assert.equal(bench.task(id).submission.state, state);
  };
/** Where there is one task only, there is no other to be answered with. */
export const besideAnother =
  (shows: QuirkCase["shows"]): QuirkCase["shows"] =>
  async (bench, arm) => {
    await bench.done("a lake");
    await shows(bench, arm);
  };
export const cancelledAs =
  (outcome: string, becomes: Accepted["remote"]["state"]): QuirkCase["shows"] =>
  async (bench, arm) => {
    const id = await bench.running("[slow] a hill");
    arm(1);
    assert.equal((await bench.during(bench.over.app.cancel(id, "wrong"))).state, outcome);
    await bench.ends(id, becomes);
  };
/** (finding 16) What the row says when the task has run to its end all the same. */
export const goesOnAfterCancel =
  (outcome: string, row: string): QuirkCase["shows"] =>
  async (bench, arm) => {
    const id = await bench.running("[slow] a hill");
    arm(1);
    assert.equal((await bench.during(bench.over.app.cancel(id, "wrong"))).state, outcome);
    const meanwhile = await bench.reaches(id, ({ cancel }) => cancel?.state !== "requested" || outcome !== "refused");
    assert.ok(!isFinal(meanwhile.remote.state));
    assert.equal((await bench.ends(id, "succeeded")).cancel?.state, row);
  };
export const saved: QuirkCase["shows"] = async (bench, arm) => {
  const id = await bench.done();
  arm(1);
  const picture = await readFile(await bench.during(bench.over.app.saveResult(id)));
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
};
/** The download is cut in the middle, and what it goes on with is not of its file. */
export const continuedOver: QuirkCase["shows"] = async (bench, arm) => {
  const id = await bench.done();
  const whole = await readFile(await bench.during(bench.over.app.saveResult(id)));
  bench.over.gateway.faults.arm({ name: "task.asset-form", value: "truncated", times: 1 });
  arm(1);
  // The download itself may give up: a person asks once more.
  await bench.during(bench.over.app.saveResult(id, { anew: true })).catch(() => undefined);
  assert.deepEqual(await readFile(await bench.during(bench.over.app.saveResult(id, { anew: true }))), whole);
};
/** It has succeeded, and nothing is kept in the result's place. */
export const unreadableResult: QuirkCase["shows"] = async (bench, arm) => {
  arm();
  const id = await bench.done();
  await assert.rejects(bench.during(bench.over.app.saveResult(id)), AppFailure);
  const { remote, saved: kept } = bench.accepted(id);
  assert.deepEqual([remote.state, kept], ["succeeded", undefined]);
};
