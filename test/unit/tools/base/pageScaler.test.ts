/** Images that a chat page scales for the host: by the page that is shown, in time, or not at all. */
import assert from "node:assert/strict";
import type { ScaleMessage } from "../../../../src/domain/tools/toolPorts";
import { PageScaler } from "../../../../src/tools/base/pageScaler";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";

const never = new AbortController().signal;
const bytes = Buffer.from("large");

describe("a chat page that scales images", () => {
  let clock: MovedClock;
  let scaler: PageScaler;
  let posted: ScaleMessage[];
  beforeEach(() => {
    clock = createMovedClock();
    scaler = new PageScaler(clock);
    posted = [];
  });
  const page = (isShown: boolean) => ({ isShown, showMedia: (message: ScaleMessage) => void posted.push(message) });

  it("A12: the page that is shown gets the image, and its answer is the one of that key", async () => {
    scaler.add(page(false));
    scaler.add(page(true));
    const [first, second] = [scaler.scale(bytes, 100, never), scaler.scale(bytes, 200, never)];
    assert.deepEqual(
      posted.map(({ side, data }) => [side, Buffer.from(data, "base64").toString()]),
      [
        [100, "large"],
        [200, "large"],
      ],
    );
    scaler.receive(posted[1]!.key, Buffer.from("two").toString("base64"));
    scaler.receive(posted[0]!.key, undefined);
    scaler.receive(99, "AAAA");
    assert.deepEqual([await first, Buffer.from((await second)!).toString()], [undefined, "two"]);
    assert.equal(clock.waiting, 0);
  });

  it("A12: without a page, with one that was closed, or with one that does not answer, there is none", async () => {
    assert.equal(await scaler.scale(bytes, 100, never), undefined);
    scaler.add(page(true)).dispose();
    assert.equal(await scaler.scale(bytes, 100, never), undefined);
    scaler.add(page(true));
    const late = scaler.scale(bytes, 100, never);
    await clock.advance(20_000);
    assert.equal(await late, undefined);
    scaler.receive(posted[0]!.key, "AAAA");
  });

  it("A12, S5: Stop ends the wait for it", async () => {
    scaler.add(page(true));
    const stopped = new AbortController();
    const scaled = scaler.scale(bytes, 100, stopped.signal);
    stopped.abort();
    await assert.rejects(scaled, { name: "AbortError" });
    assert.equal(clock.waiting, 0);
  });
});
