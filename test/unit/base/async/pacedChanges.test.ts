import assert from "node:assert/strict";
import { PacedChanges } from "../../../../src/base/async/pacedChanges";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";

describe("changes at a pace", () => {
  let clock: MovedClock;
  let flushed: (readonly [number, string])[];
  let isSame: boolean;
  let changes: PacedChanges<string>;
  beforeEach(() => {
    clock = createMovedClock();
    flushed = [];
    isSame = false;
    changes = new PacedChanges<string>({
      clock,
      delay: 250,
      pace: 1000,
      flush(keys) {
        flushed.push([clock.monotonic(), [...keys].join(" ")]);
        return isSame ? [] : keys;
      },
    });
  });

  it("T6: a row is redrawn soon after its first change, and then once a second at most", async () => {
    for (let change = 0; change < 30; change += 1) {
      changes.add(["a"]);
      await clock.advance(100);
    }
    await clock.advance(2000);
    assert.deepEqual(flushed, [
      [250, "a"],
      [1250, "a"],
      [2250, "a"],
      [3250, "a"],
    ]);
  });

  it("T6: another row does not wait for it, and rows that change together are redrawn together", async () => {
    changes.add(["a"]);
    await clock.advance(300);
    changes.add(["a"]);
    await clock.advance(100);
    changes.add(["b"]);
    await clock.advance(100);
    changes.add(["c"]);
    await clock.advance(2000);
    assert.deepEqual(flushed, [
      [250, "a"],
      [650, "b c"],
      [1250, "a"],
    ]);
  });

  it("T6: a row that looked the same does not wait for its next change", async () => {
    isSame = true;
    changes.add(["a"]);
    await clock.advance(300);
    changes.add(["a"]);
    await clock.advance(300);
    assert.deepEqual(flushed, [
      [250, "a"],
      [550, "a"],
    ]);
  });

  it("T6, T11: while changes are held nothing is redrawn, and what was due then is redrawn at the end", async () => {
    changes.add(["a"]);
    const [first, second] = [changes.hold(), changes.hold()];
    changes.flush();
    await clock.advance(1000);
    changes.add(["b"]);
    await clock.advance(1000);
    first.dispose();
    first.dispose();
    await clock.advance(1000);
    assert.deepEqual(flushed, []);
    second.dispose();
    await clock.advance(0);
    assert.deepEqual(flushed, [[3000, "a b"]]);
  });

  it("T6: what must be there at once is, and nothing comes after the end", async () => {
    changes.add(["a"]);
    await clock.advance(250);
    changes.add(["a"]);
    changes.flush();
    assert.deepEqual(flushed, [
      [250, "a"],
      [250, "a"],
    ]);
    changes.add(["a"]);
    changes.dispose();
    await clock.advance(5000);
    assert.equal(flushed.length, 2);
    assert.equal(clock.waiting, 0);
  });
});
