// One measurement of the task store in a process of its own: `subject.cjs <what> <file> <tasks> [<thread's program> [<folder of chats>]]`; prints one line of JSON.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../src/base/async/systemClock";
import { openNative } from "../../src/base/database/runtime";
import { TaskBoard } from "../../src/tasks/board/board";
import { openSqliteTaskStore } from "../../src/tasks/store/sqliteTaskStore";
import { readTasksEarly } from "../../src/tasks/store/readTasksEarly";
import { openWorkerTaskStore } from "../../src/tasks/store/workerTaskStore";
import { openLog } from "./logOfLines.mjs";
import { fillChats, memoryNow, openHistory, openLongChat } from "./memory.mjs";

const [, , what = "", file = "", count = "0", program = "", chats = ""] = process.argv;
const tasks = Number(count);
const steps = 300;

/** @typedef {import("../../src/domain/task/taskRecord").TaskRecord} TaskRecord */

const idOf = (/** @type {number} */ number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** What one finished task has left on disk: 1.3 KB as a row. @param {number} number @returns {TaskRecord[]} */
function lifeOf(number) {
  const id = idOf(number);
  const idempotencyKey = id.replaceAll("0", "a");
  const prompt = `a lighthouse at dusk, number ${number}, ${"long exposure, fog over the water, ".repeat(6)}`;
  const body = JSON.stringify({
    task_type: "video",
    prompt,
    public_model: "video-large",
    idempotency_key: idempotencyKey,
  });
  const home = { origin: "https://gateway.example", baseUrl: "https://gateway.example/v1", account: "4f1b" };
  const remote = (/** @type {"created" | "processing" | "succeeded"} */ state) => ({
    state,
    rawStatus: "1",
    model: "video-large",
    createdAt: 1,
  });
  const assets = /** @type {const} */ ({
    kind: "assets",
    videoUrl: `https://assets.example/${id}.mp4?signature=${"x".repeat(80)}`,
  });
  // One in a thousand still runs.
  const last = number % 1000 === 0 ? remote("processing") : { ...remote("succeeded"), assets, completedAt: 2 };
  return [
    {
      type: "task-intended",
      intent: { id, idempotencyKey, home, type: "video", model: "video-large", prompt, body, createdAt: number },
    },
    { type: "task-sending", id, at: 1 },
    {
      type: "task-accepted",
      id,
      at: 1,
      created: {
        taskId: `task-${number}`,
        holdId: `hold-${number}`,
        requestId: "r",
        remote: remote("created"),
        replayed: false,
      },
    },
    { type: "task-read", id, at: 2, remote: remote("processing") },
    { type: "task-read", id, at: 3, remote: last },
  ];
}

/** A step that must be on disk: a cancel that is asked for. @param {number} turn @returns {TaskRecord} */
function stepOf(turn) {
  const id = idOf((turn * 7919) % tasks);
  return { type: "task-cancel", id, cancel: { state: "requested", reason: `${process.pid} ${turn}`, at: turn } };
}

/** @param {readonly number[]} values @param {number} share */
function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** How long the thread was held between two turns of its loop, while `work` ran. @param {() => Promise<void>} work */
async function held(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  // What has just held it counts with the next tick.
  await systemClock.delay(5);
  delay.disable();
  // The histogram counts from one tick of its own timer to the next.
  return { p99: Math.max(0, delay.percentile(99) / 1e6 - 1), max: Math.max(0, delay.max / 1e6 - 1) };
}

/**
 * @param {() => Promise<unknown>} open
 * @param {() => boolean} isWhole
 * @param {(turn: number) => Promise<unknown>} step
 * @param {number[]} [calls] how long the synchronous calls took
 */
async function measure(open, isWhole, step, calls) {
  const before = await memoryNow();
  const idle = await held(() => systemClock.delay(1000));
  const start = performance.now();
  let opened = 0;
  let whole = 0;
  const loading = await held(async () => {
    await open();
    opened = performance.now() - start;
    while (!isWhole()) await systemClock.delay(5);
    whole = performance.now() - start;
  });
  const after = await memoryNow();
  /** @type {number[]} */
  const times = [];
  if (calls) calls.length = 0;
  const stepping = await held(async () => {
    for (let turn = 0; turn < steps; turn += 1) {
      const begun = performance.now();
      await step(turn);
      times.push(performance.now() - begun);
      await systemClock.delay(5);
    }
  });
  const result = {
    opened,
    whole,
    rss: after.rss - before.rss,
    heap: after.heap - before.heap,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    idle: idle.p99,
    loading: loading.max,
    stepping: stepping.p99,
    ...(calls ? { calls: percentile(calls, 0.99), longest: Math.max(...calls) } : {}),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/**
 * @param {import("../../src/tasks/store/taskStore").OpenTaskStore} openStore
 * @param {number[]} [calls]
 * @param {import("../../src/tasks/board/boardPorts").TaskBoardPorts["readEarly"]} [readEarly]
 */
async function measureBoard(openStore, calls, readEarly = () => undefined) {
  /** @type {TaskBoard | undefined} */
  let board;
  await measure(
    async () => (board = await TaskBoard.open({ openStore, clock: systemClock, readEarly })),
    () => board?.tasks.size === tasks,
    (turn) => board?.writeThenApply(stepOf(turn)) ?? Promise.resolve(),
    calls,
  );
  await board?.close();
}

/** Heap and resident memory over those of the idle host: with all tasks, after the history, and with a long chat. */
async function measureMemory() {
  const idle = await memoryNow();
  const over = async () => {
    const { heap, rss } = await memoryNow();
    return { heap: heap - idle.heap, rss: rss - idle.rss };
  };
  const openStore = () => openWorkerTaskStore(program, file);
  const board = await TaskBoard.open({
    openStore,
    clock: systemClock,
    readEarly: (newest) => readTasksEarly(file, newest),
  });
  await board.loaded();
  if (board.tasks.size !== tasks) throw new Error(`${board.tasks.size} tasks are there`);
  const withTasks = await over();
  await openHistory(program, chats);
  const afterHistory = await over();
  const chat = await openLongChat(chats);
  const withChat = await over();
  process.stdout.write(`${JSON.stringify({ withTasks, afterHistory, withChat })}\n`);
  await board.close();
  return chat;
}

switch (what) {
  case "fill-chats":
    await fillChats(chats);
    break;
  case "memory":
    await measureMemory();
    break;
  case "fill-log": {
    const log = await openLog(file);
    for (let number = 0; number < tasks; number += 1000)
      await log.fill(
        Array.from({ length: Math.min(1000, tasks - number) }, (_, index) => lifeOf(number + index)).flat(),
      );
    await log.close();
    break;
  }
  case "fill-database": {
    const store = await openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false });
    for (let number = 0; number < tasks; number += 1000) {
      const lives = Array.from({ length: Math.min(1000, tasks - number) }, (_, index) => lifeOf(number + index));
      await store.apply(lives.flat().map((record) => ({ record })));
    }
    await store.close();
    break;
  }
  case "log": {
    /** @type {Awaited<ReturnType<typeof openLog>> | undefined} */
    let log;
    await measure(
      async () => (log = await openLog(file)),
      () => log?.tasks.size === tasks,
      (turn) => log?.record(stepOf(turn)) ?? Promise.resolve(),
    );
    await log?.close();
    break;
  }
  case "database-on-thread":
    await measureBoard(
      () => openWorkerTaskStore(program, file),
      undefined,
      (newest) => readTasksEarly(file, newest),
    );
    break;
  case "database-in-host": {
    /** @type {number[]} */
    const calls = [];
    const timed = (/** @type {string} */ path, /** @type {{ readOnly: boolean }} */ options) => {
      const native = openNative(path, options);
      let begun = 0;
      return {
        exec(/** @type {string} */ sql) {
          if (sql.startsWith("BEGIN")) begun = performance.now();
          try {
            native.exec(sql);
          } finally {
            if (sql === "COMMIT" || sql === "ROLLBACK") calls.push(performance.now() - begun);
          }
        },
        prepare: (/** @type {string} */ sql) => native.prepare(sql),
        close: () => native.close(),
      };
    };
    await measureBoard(
      () => openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false, openNative: timed }),
      calls,
    );
    break;
  }
  case "writer": {
    // Another window: a step about every 20 ms, until it is killed.
    const store = await openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false });
    process.stdout.write("writing\n");
    for (let turn = 1; ; turn += 1) {
      await store.apply([{ record: stepOf(turn * 31) }]).catch(() => undefined);
      await systemClock.delay(20);
    }
  }
}
