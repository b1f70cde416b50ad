// Makes one measurement of the task store in a process of its own, and prints one line of JSON:
// `subject.cjs <what> <file> <tasks> [<thread's program> [<folder of chats>]]`.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../src/base/async/systemClock";
import { TaskBoard } from "../../src/tasks/board/board";
import { openSqliteTaskStore } from "../../src/tasks/store/sqliteTaskStore";
import { readTasksEarly } from "../../src/tasks/store/taskRows";
import { openWorkerTaskStore } from "../../src/tasks/store/workerTaskStore";
import { fillChats, memoryNow, openHistory, openLongChat } from "./memory.mjs";

const [, , what = "", file = "", count = "0", program = "", chats = ""] = process.argv;
const tasks = Number(count);
const steps = 300;

/** @typedef {import("../../src/domain/task/taskRecord").TaskRecord} TaskRecord */

const idOf = (/** @type {number} */ number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Returns the records that one finished task has left on disk, which are 1.3 KB as a row. @param {number} number @returns {TaskRecord[]} */
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
  // One task in a thousand still runs.
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

/** Returns a step that must be on disk: a cancel that is asked for. @param {number} turn @returns {TaskRecord} */
function stepOf(turn) {
  const id = idOf((turn * 7919) % tasks);
  return { type: "task-cancel", id, cancel: { state: "requested", reason: `${process.pid} ${turn}`, at: turn } };
}

/** Measures how long the thread was held between two turns of its loop, while `work` ran. @param {() => Promise<void>} work */
async function held(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  // Work that has just held the thread counts with the next tick.
  await systemClock.delay(5);
  delay.disable();
  // The histogram counts from one tick of its own timer to the next.
  return { p99: Math.max(0, delay.percentile(99) / 1e6 - 1), max: Math.max(0, delay.max / 1e6 - 1) };
}

/** Measures the board over the store's thread until the first page is there, while all are read, and while steps are taken. */
async function measureBoard() {
  const start = performance.now();
  let opened = 0;
  /** @type {TaskBoard | undefined} */
  let board;
  const openStore = () => openWorkerTaskStore(program, file);
  const loading = await held(async () => {
    board = await TaskBoard.open({
      openStore,
      clock: systemClock,
      readEarly: (newest) => readTasksEarly(file, newest),
    });
    opened = performance.now() - start;
    while (board.listed.size !== tasks) await systemClock.delay(5);
  });
  const stepping = await held(async () => {
    for (let turn = 0; turn < steps; turn += 1) {
      await board?.writeThenApply(stepOf(turn));
      await systemClock.delay(5);
    }
  });
  process.stdout.write(`${JSON.stringify({ opened, loading: loading.max, stepping: stepping.p99 })}\n`);
  await board?.close();
}

/** Measures heap and resident memory over those of the idle host, with all tasks, after the history was listed, and with a long chat. */
async function measureMemory() {
  const idle = await memoryNow();
  const board = await TaskBoard.open({
    openStore: () => openWorkerTaskStore(program, file),
    clock: systemClock,
    readEarly: (newest) => readTasksEarly(file, newest),
  });
  await board.loaded();
  if (board.listed.size !== tasks) throw new Error(`${board.listed.size} tasks are there`);
  await openHistory(program, chats);
  const chat = await openLongChat(chats);
  const { heap, rss } = await memoryNow();
  process.stdout.write(`${JSON.stringify({ heap: heap - idle.heap, rss: rss - idle.rss })}\n`);
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
  case "fill": {
    const store = await openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false });
    for (let number = 0; number < tasks; number += 1000) {
      const lives = Array.from({ length: Math.min(1000, tasks - number) }, (_, index) => lifeOf(number + index));
      await store.apply(lives.flat().map((record) => ({ record })));
    }
    await store.close();
    break;
  }
  case "board":
    await measureBoard();
    break;
  case "writer": {
    // This is another window, which takes a step about every 20 ms until it is killed.
    const store = await openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false });
    process.stdout.write("writing\n");
    for (let turn = 1; ; turn += 1) {
      await store.apply([{ record: stepOf(turn * 31) }]).catch(() => undefined);
      await systemClock.delay(20);
    }
  }
}
