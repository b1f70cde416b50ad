/** The writer of a session: deltas are joined, the disk has what a request depends on, and a full disk loses nothing. */
import assert from "node:assert/strict";
import { SessionWriter } from "../../../../src/chat/storage/storedSession";
import type { SessionEvent } from "../../../../src/domain/chat/chat";
import { createMovedClock } from "../../../support/movedClock";

const delta = (text: string): SessionEvent => ({
  type: "answer-event",
  id: "a",
  event: { type: "text-delta", block: 0, text },
});

/** A file in memory whose disk may be full: then it takes only the first bytes of a write. */
function makeDisk() {
  const disk = {
    text: "",
    synced: "",
    room: Infinity,
    open: () =>
      Promise.resolve({
        append: (text: string) => {
          if (disk.room < text.length) return Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
          disk.text += text;
          return Promise.resolve();
        },
        sync: () => Promise.resolve(void (disk.synced = disk.text)),
        close: () => Promise.resolve(),
      }),
  };
  return disk;
}

describe("SessionWriter", () => {
  it("P4, P3: deltas of a block within a third of a second are one line, on the disk within a second", async () => {
    const clock = createMovedClock();
    const disk = makeDisk();
    const writer = new SessionWriter({ path: "", clock, open: disk.open });
    for (const text of ["one ", "two ", "three"]) writer.add(delta(text));
    assert.equal(disk.text, "");
    await clock.advance(1000);
    assert.equal(disk.text, `${JSON.stringify(delta("one two three"))}\n`);
  });

  it("P4: what a request depends on is synced before it is sent", async () => {
    const disk = makeDisk();
    const writer = new SessionWriter({ path: "", clock: createMovedClock(), open: disk.open });
    writer.add({ type: "prompt-added", id: "p", text: "hi", at: 1 });
    await writer.flushBriefly(new AbortController().signal);
    assert.match(disk.synced, /prompt-added/);
  });

  it("P4: a full disk is reported, the chat does not wait for it, and everything is written when there is space", async () => {
    const clock = createMovedClock();
    const disk = makeDisk();
    const writer = new SessionWriter({ path: "", clock, open: disk.open });
    disk.room = 0;
    writer.add(delta("lost?"));
    await writer.flushBriefly(new AbortController().signal);
    assert.equal(writer.writeError.current?.code, "ENOSPC");
    writer.add(delta(" no"));
    disk.room = Infinity;
    await clock.advance(5000);
    assert.equal(writer.writeError.current, undefined);
    // The first line may be on the disk in part, so it is written again as it was.
    assert.equal(disk.text, [delta("lost?"), delta(" no")].map((event) => `${JSON.stringify(event)}\n`).join(""));
  });

  it("P4, S5: a disk that does not respond delays a request by seconds at most, and a stop by nothing", async () => {
    const clock = createMovedClock();
    const writer = new SessionWriter({ path: "", clock, open: () => new Promise(() => undefined) });
    writer.add(delta("text"));
    const stopped = new AbortController();
    const aborted = writer.flushBriefly(stopped.signal);
    stopped.abort();
    await assert.rejects(aborted, { name: "AbortError" });
    const waiting = writer.flushBriefly(new AbortController().signal);
    await clock.advance(10_000);
    await waiting;
  });
});
