/** The loop's pause: ends in time, early when woken, and only an abort rejects. */
import assert from "node:assert/strict";
import { Wake } from "../../../../src/base/async/wake";
import { createMovedClock } from "../../../support/movedClock";

describe("Wake", () => {
  const signal = new AbortController().signal;

  it("T4: ends after the time", async () => {
    const clock = createMovedClock();
    const wake = new Wake();
    let ended = false;
    const pause = wake.pause(1000, clock, signal).then(() => (ended = true));
    await clock.advance(999);
    assert.equal(ended, false);
    await clock.advance(1);
    await pause;
  });

  it("T4: ends at once when woken, also when woken just before", async () => {
    const clock = createMovedClock();
    const wake = new Wake();
    const pause = wake.pause(Infinity, clock, signal);
    wake.wake();
    await pause;
    wake.wake();
    await wake.pause(Infinity, clock, signal);
    assert.equal(clock.waiting, 0);
  });

  it("T4: rejects when the signal aborts", async () => {
    const ending = new AbortController();
    const pause = new Wake().pause(1000, createMovedClock(), ending.signal);
    ending.abort();
    await assert.rejects(pause, { name: "AbortError" });
  });
});
