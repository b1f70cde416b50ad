/** The lines of `sluice.lock`: what is written, and what is read of files that others wrote. */
import assert from "node:assert/strict";
import {
  emptyLock,
  isLockPath,
  type LockEntry,
  readLock,
  readPromptPlace,
  writeLock,
  writePromptPlace,
} from "../../../../src/domain/lock/lockFile";
import { assertLinear } from "../../../support/growth";

const entryOf = (path: string, more: Partial<LockEntry> = {}): LockEntry => ({
  path,
  sha256: "0".repeat(64),
  ...more,
});

const lockWith = (...entries: readonly LockEntry[]): string =>
  writeLock(emptyLock, new Map(entries.map((entry) => [entry.path, entry])));

describe("the lines of sluice.lock", () => {
  it("T20: one line a file, in the order of the paths, read back as it was written", () => {
    const hero = entryOf("assets/hero.png", {
      bytes: 12,
      size: "768x512",
      prompt: "hero.prompts.md#Hero",
      model: "a",
      seed: 7,
      task: "task-1",
      marks: ["xmp"],
      at: "2026-11-29T10:00:00.000Z",
    });
    const text = lockWith(hero, entryOf("a.png", { rehearsed: true }));
    const lines = text.trimEnd().split("\n");
    assert.equal(lines.length, 3);
    assert.ok(lines[1]?.includes('"a.png"') && lines[2]?.includes("hero.png"));
    assert.deepEqual(readLock(text).entries.get("assets/hero.png"), [hero]);
    assert.equal(writeLock(readLock(text), new Map()), text);
  });

  it("T20: a path that leads out of the folder, or that a system takes for a device, names nothing", () => {
    for (const path of [
      ...["", "/etc/passwd", "../a.png", "a/../b.png", "./a.png", "a//b.png", "C:/a.png", "a\\b.png", "a.png/"],
      ...[
        "nul",
        "a/CON.png",
        "com1",
        "a. ",
        "a/.",
        ".git/config",
        "x/.GIT/hooks/a",
        "a\u0000.png",
        "a\n.png",
        "\ud800.png",
      ],
      "a".repeat(2000),
    ]) {
      assert.equal(isLockPath(path), false, JSON.stringify(path));
      const { entries, problems } = readLock(JSON.stringify({ path, sha256: "0".repeat(64) }));
      assert.deepEqual([entries.size, problems.length], [0, 1], JSON.stringify(path));
    }
    for (const path of ["a.png", "assets/a b.png", "图/灯塔.png", ".github/a.png", "a..b/c.png"])
      assert.ok(isLockPath(path), path);
  });

  it("T20: duplicates, CRLF, a BOM, both sides of a conflict and strange lines are read; what is no line is kept and said", () => {
    const old = entryOf("a.png", { sha256: "1".repeat(64), at: "2026-01-01T00:00:00.000Z" });
    const newer = entryOf("a.png", { sha256: "2".repeat(64), at: "2026-02-01T00:00:00.000Z" });
    const text = [
      "\uFEFF# sluice.lock 1: x",
      "<<<<<<< ours",
      JSON.stringify(old),
      "=======",
      JSON.stringify(newer),
      ">>>>>>> theirs",
      JSON.stringify(newer),
      "not json",
      '{"path":"b.png"}',
      "[]",
      "x".repeat(9000),
      "",
    ].join("\r\n");
    const lock = readLock(text);
    assert.deepEqual(
      lock.entries.get("a.png")?.map(({ sha256 }) => sha256[0]),
      ["2", "1"],
    );
    assert.deepEqual(
      lock.problems.map(({ line, reason }) => `${line} ${reason}`),
      ["2 conflict", "4 conflict", "6 conflict", "8 unreadable", "9 bad-value", "10 unreadable", "11 too-long"],
    );
    const written = writeLock(lock, new Map());
    assert.ok(written.includes("not json\r\n") && !written.includes("<<<<"));
    assert.deepEqual(readLock(written).entries, lock.entries);
  });

  it("T20: a change leaves all lines of another path, whose file may have the bytes of the older one, and one of its own", () => {
    const [old, newer] = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"].map((at) => [
      entryOf("a.png", { at }),
      entryOf("b.png", { at }),
    ]) as [LockEntry[], LockEntry[]];
    const merged = readLock([...old, ...newer].map((entry) => JSON.stringify(entry)).join("\n"));
    const own = entryOf("b.png", { sha256: "1".repeat(64) });
    const changed = readLock(writeLock(merged, new Map([["b.png", own]])));
    assert.deepEqual([...changed.entries.values()], [[newer[0], old[0]], [own]]);
    const removed = readLock(writeLock(merged, new Map([["b.png", undefined]])));
    assert.deepEqual([...removed.entries.values()], [[newer[0], old[0]]]);
  });

  it("T20: a lock that has all its lines for one path takes time in proportion to them", async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, seed) => JSON.stringify(entryOf("a.png", { seed }))).join("\n");
    assert.equal(readLock(`${lines(50)}\n${lines(60)}`).entries.get("a.png")?.length, 60);
    await assertLinear(500, (count) => {
      const text = lines(count);
      return () => readLock(text);
    });
  });

  it("T20: a lock of a later version is told apart", () => {
    assert.equal(readLock("# sluice.lock 2: x\n").isNewer, true);
    assert.equal(readLock("# sluice.lock 1: x\n").isNewer, false);
  });

  it("T20: the place of a prompt goes into one text and back", () => {
    for (const [file, heading] of [
      ["a.prompts.md", "Hero"],
      ["a#b%23.prompts.md", "#1 of # many"],
    ] as const)
      assert.deepEqual(readPromptPlace(writePromptPlace(file, heading)), { file, heading });
    assert.equal(readPromptPlace("../x#y"), undefined);
  });
});
