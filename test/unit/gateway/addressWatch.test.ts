/** An address is asked while it is typed, once typing pauses, and never twice. */
import assert from "node:assert/strict";
import type { AddressAnswer } from "../../../src/domain/gateway/connectionCheck";
import { AddressWatch, pauseBeforeProbe } from "../../../src/gateway/connecting";
import { createMovedClock } from "../../support/movedClock";

describe("address that is typed", () => {
  const open = (answer: AddressAnswer | Error = "answers") => {
    const clock = createMovedClock();
    const asked: string[] = [];
    let found = 0;
    const watch = new AddressWatch(
      async (address, signal) => {
        asked.push(address);
        await clock.delay(100, signal);
        if (answer instanceof Error) throw answer;
        return answer;
      },
      clock,
      () => (found += 1),
    );
    return { clock, watch, asked, found: () => found };
  };

  it("C1: it is asked once typing pauses, and what it answered is told", async () => {
    const { clock, watch, asked, found } = open();
    for (const text of ["h", "http", "https://a.example", "https://a.example/v"]) {
      watch.look(text);
      await clock.advance(pauseBeforeProbe - 1);
    }
    watch.look(" https://a.example/v1 ");
    await clock.advance(pauseBeforeProbe - 1);
    assert.deepEqual(asked, []);
    await clock.advance(1);
    assert.deepEqual(
      [asked, found(), watch.answerOf("https://a.example/v1")],
      [["https://a.example/v1"], 0, undefined],
    );
    await clock.advance(100);
    assert.deepEqual([found(), watch.answerOf("https://a.example/v1")], [1, "answers"]);
    watch.look("https://a.example/v");
    watch.look("https://a.example/v1");
    await clock.advance(10_000);
    assert.equal(asked.length, 1);
  });

  it("C1: only an address that a key may be sent to is asked", async () => {
    const { clock, watch, asked } = open();
    for (const text of [
      "gateway",
      "http://gateway.example",
      "https://a:b@gateway.example",
      "https://gateway.example?key=1",
      "ftp://gateway.example",
    ]) {
      watch.look(text);
      await clock.advance(10_000);
    }
    assert.deepEqual(asked, []);
  });

  it("C1: an answer that comes after the text was changed, or after the end, changes nothing", async () => {
    const { clock, watch, found } = open("silent");
    watch.look("https://a.example");
    await clock.advance(pauseBeforeProbe);
    watch.look("https://b.example");
    await clock.advance(pauseBeforeProbe);
    watch.dispose();
    await clock.advance(10_000);
    assert.deepEqual([found(), watch.answerOf("https://a.example"), clock.waiting], [0, undefined, 0]);
    const failing = open(new Error("not loaded"));
    failing.watch.look("https://a.example");
    await failing.clock.advance(10_000);
    assert.equal(failing.found(), 0);
  });
});
