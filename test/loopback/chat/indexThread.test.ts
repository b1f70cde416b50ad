/** The chat index on its own thread: the bundle that is shipped, called from here. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { WorkerChatIndex } from "../../../src/chat/storage/index/workerChatIndex";
import { writeRecord } from "../../../src/chat/storage/records";
import { AppFailure } from "../../../src/domain/errors/appError";
import { until } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

const program = join(import.meta.dirname, "..", "..", "..", "storage.mjs");

describe("the chat index's thread", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  const running = new Set<Worker>();
  const onWorker = (worker: Worker): void => {
    running.add(worker);
    worker.on("exit", () => running.delete(worker));
  };
  const open = (from: string): WorkerChatIndex =>
    new WorkerChatIndex({
      ...{ program: from, path: join(folder.path, "chats.db"), sessions: join(folder.path, "chats"), clock },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined },
    });
  beforeEach(async () => {
    process.on("worker", onWorker);
    clock = createMovedClock();
    folder = await createTemporaryFolder();
    const sessions = join(folder.path, "chats");
    await mkdir(sessions);
    const id = "0198c0de-0000-7000-8000-000000000001";
    const prompt = { type: "prompt-added", id: "p", text: "a lighthouse at dusk", at: 1 } as const;
    await writeFile(
      join(sessions, `${id}.jsonl`),
      [writeRecord({ type: "session", version: 1, id, createdAt: 1, workspace: "/work" }), writeRecord(prompt)].join(
        "",
      ),
    );
  });
  afterEach(async () => {
    process.off("worker", onWorker);
    await folder.remove();
  });

  it("F6, P4: ends a minute after the last call, and a later one starts it again", async () => {
    const index = open(program);
    assert.equal((await index.list()).length, 1);
    await clock.advance(50_000);
    assert.equal((await index.search("lighthouse")).length, 1);
    await clock.advance(50_000);
    assert.equal(running.size, 1, "a call starts the minute again");
    await clock.advance(10_000);
    await until(() => running.size === 0);
    assert.equal((await index.search("lighthouse")).length, 1);
    await index.close();
    assert.equal(running.size, 0);
    assert.equal(clock.waiting, 0);
  });

  it("P4: a thread that can't start fails each call, and nothing waits", async () => {
    const index = open(join(folder.path, "no-program.js"));
    const isEnded = (failure: unknown): boolean =>
      failure instanceof AppFailure && failure.error.kind === "storage" && failure.error.code === "thread-ended";
    await assert.rejects(index.list(), isEnded);
    await assert.rejects(index.search("a"), isEnded);
    await index.close().catch(() => undefined);
    assert.equal(clock.waiting, 0);
  });
});
