import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { pauseBeforePaidStep, waitForQuiet } from "../../../../src/vscode/interface/pickRules";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";

describe("the pause before a paid step", () => {
  let clock: MovedClock;
  let pressed: Emitter<void>;
  let left: Emitter<void>;
  /** Milliseconds that the window takes for its answers; the last one counts for all that follow. */
  let answers: number[];
  let asked: number;
  let isOver: boolean;
  const begin = (): void => {
    void waitForQuiet({
      clock,
      onDidPress: pressed.event,
      onDidLeave: left.event,
      async askWindow() {
        asked += 1;
        const time = answers.length > 1 ? answers.shift() : answers[0];
        if (time !== undefined && time > 0) await clock.delay(time);
      },
    }).then(() => (isOver = true));
  };
  beforeEach(() => {
    clock = createMovedClock();
    pressed = new Emitter();
    left = new Emitter();
    answers = [0];
    asked = 0;
    isOver = false;
  });

  it("T2: it ends after its time, once the window has answered", async () => {
    begin();
    await clock.advance(pauseBeforePaidStep - 1);
    assert.equal(isOver, false);
    await clock.advance(1);
    assert.equal(isOver, true);
    assert.equal(asked, 1);
  });

  it("T2: a press begins it again", async () => {
    begin();
    for (let press = 0; press < 20; press += 1) {
      await clock.advance(pauseBeforePaidStep - 1);
      pressed.fire();
    }
    await clock.advance(1);
    assert.equal(isOver, false);
    await clock.advance(pauseBeforePaidStep);
    assert.equal(isOver, true);
  });

  it("T2: a window that was busy is asked once more, without another pause", async () => {
    answers = [2000, 20];
    begin();
    await clock.advance(pauseBeforePaidStep + 2000 + 20);
    assert.equal(isOver, true);
    assert.equal(asked, 2);
  });

  it("T2: what a busy window reports late begins the pause again", async () => {
    answers = [2000, 20, 0];
    begin();
    await clock.advance(pauseBeforePaidStep + 2000 + 10);
    pressed.fire();
    await clock.advance(pauseBeforePaidStep - 1);
    assert.equal(isOver, false);
    await clock.advance(11);
    assert.equal(isOver, true);
  });

  it("T2: a window that is always late does not keep the step away", async () => {
    answers = [150];
    begin();
    await clock.advance(pauseBeforePaidStep + 10 * 150);
    assert.equal(isOver, true);
  });

  it("T2: who leaves does not wait", async () => {
    begin();
    left.fire();
    await clock.advance(0);
    assert.equal(isOver, true);
    assert.equal(asked, 0);
  });
});
