/** The loop's pause: ends in time, early when ended, and only an abort rejects. */
import assert from "node:assert/strict";
import { LoopPause } from "../../../../src/base/async/loopPause";
import { createMovedClock } from "../../../support/movedClock";

describe("LoopPause", () => {
  const signal = new AbortController().signal;

  it("T4: ends after the time", async () => {
    const clock = createMovedClock();
    const loop = new LoopPause();
    let ended = false;
    const pause = loop.wait(1000, clock, signal).then(() => (ended = true));
    await clock.advance(999);
    assert.equal(ended, false);
    await clock.advance(1);
    await pause;
  });

  it("T4: ends at once when another part ends it, also when just before", async () => {
    const clock = createMovedClock();
    const loop = new LoopPause();
    const pause = loop.wait(Infinity, clock, signal);
    loop.end();
    await pause;
    loop.end();
    await loop.wait(Infinity, clock, signal);
    assert.equal(clock.waiting, 0);
  });

  it("T4: rejects when the signal aborts", async () => {
    const ending = new AbortController();
    const pause = new LoopPause().wait(1000, createMovedClock(), ending.signal);
    ending.abort();
    await assert.rejects(pause, { name: "AbortError" });
  });
});
