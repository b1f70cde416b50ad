// One measurement of polling in a process of its own: `subject.mjs <sluice|naive> <folder> <url> <tasks> <seconds>`, or `hour <folder>`; prints one line of JSON.
import path from "node:path";
import { startOfDay } from "../../src/base/localDay";
import { systemClock } from "../../src/base/async/systemClock";
import { Store } from "../../src/base/store";
import { connectGateway } from "../../src/gateway/httpGateway";
import { TaskBoard } from "../../src/tasks/board/board";
import { TaskPoller } from "../../src/tasks/polling/poller";
import { openSqliteTaskStore } from "../../src/tasks/store/sqliteTaskStore";
import { stateGroupOf } from "../../src/tasks/view/taskGroups";
import { createMovedClock } from "../../test/support/movedClock";
import { plainEndpoint } from "../../test/support/plainPorts";

const [, , what = "", folder = "", url = "", count = "0", seconds = "0"] = process.argv;
const tasks = Number(count);
const home = { origin: url, baseUrl: `${url}/v1`, account: "a" };
const log = { debug() {}, info() {}, warn() {}, error() {} };
const attention = { focused: true, onDidChange: () => ({ dispose() {} }) };
const idOf = (/** @type {number} */ n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** @param {import("../../src/base/clock").Clock} clock */
async function openBoard(clock) {
  const file = path.join(folder, "tasks.db");
  const board = await TaskBoard.open({
    openStore: () => openSqliteTaskStore({ path: file, clock: systemClock, marksAttempts: false }),
    readEarly: () => undefined,
    clock,
  });
  const remote = /** @type {const} */ ({ state: "created", rawStatus: "1" });
  for (let n = 0; n < tasks; n += 1) {
    const id = idOf(n);
    const at = clock.now();
    const asked = /** @type {const} */ ({ type: "video", model: "m", prompt: `a lighthouse, ${n}`, body: "{}" });
    const intent = { ...asked, id, idempotencyKey: id, home, createdAt: at };
    await board.writeThenApply({ type: "task-intended", intent });
    await board.applyThenWrite({
      type: "task-accepted",
      id,
      at,
      created: { taskId: `t${n}`, remote, replayed: false },
    });
  }
  return board;
}

/** @param {import("../../src/domain/ports").Gateway} gateway */
function connect(gateway) {
  const ready = /** @type {const} */ ({ state: "ready", home, gateway, local: false });
  return { current: new Store(ready), ready: () => Promise.resolve(ready), find: () => Promise.resolve(gateway) };
}

/** What a tree does for a row that it draws again. @param {TaskBoard} board @param {Iterable<string>} ids */
function draw(board, ids) {
  let drawn = 0;
  for (const id of ids) {
    const task = board.tasks.get(id);
    if (task && `${stateGroupOf(task, startOfDay(Date.now()))} ${task.intent.prompt.slice(0, 60)}`) drawn += 1;
  }
  return drawn;
}

/** @param {(events: (ids: Iterable<string>) => void, board: TaskBoard) => Promise<() => Promise<void>>} start */
async function measure(start) {
  const board = await openBoard(systemClock);
  let events = 0;
  let rows = 0;
  const stop = await start((ids) => {
    events += 1;
    rows += draw(board, ids);
  }, board);
  const cpu = process.cpuUsage();
  await systemClock.delay(Number(seconds) * 1000);
  const { user, system } = process.cpuUsage(cpu);
  await stop();
  await board.close();
  const share = (user + system) / 1000 / (Number(seconds) * 1000);
  process.stdout.write(`${JSON.stringify({ events, rows, cpu: share * 100 })}\n`);
}

if (what === "sluice") {
  await measure(async (onEvent, board) => {
    board.onDidChange(onEvent);
    const connections = connect(connectGateway({ ...plainEndpoint, baseUrl: home.baseUrl, key: "k" }));
    const poller = new TaskPoller({ board, connections, attention, clock: systemClock, random: Math.random, log });
    void poller.run();
    return () => poller.close();
  });
} else if (what === "naive") {
  // Every 5 s each task is read, and each response draws the whole list again.
  await measure(async (onEvent, board) => {
    const gateway = connectGateway({ ...plainEndpoint, baseUrl: home.baseUrl, key: "k" });
    const ids = [...board.tasks.keys()];
    const timer = setInterval(() => {
      for (let n = 0; n < tasks; n += 1)
        void gateway.getTask(`t${n}`).then(
          () => onEvent(ids),
          () => undefined,
        );
    }, 5000);
    return async () => {
      clearInterval(timer);
      await gateway.close();
    };
  });
} else {
  // An hour on a moved clock: how old the oldest row gets, and how many requests a second are sent at most.
  const clock = createMovedClock();
  const board = await openBoard(clock);
  /** @type {number[]} */
  const starts = [];
  const lastRead = new Map();
  let longest = 0;
  const missing = () => Promise.reject(new Error("not asked for"));
  const gateway = /** @type {import("../../src/domain/ports").Gateway} */ (
    /** @type {unknown} */ ({
      createTask: missing,
      cancelTask: missing,
      listTaskEvents: missing,
      getTask(/** @type {string} */ id) {
        const now = clock.monotonic();
        longest = Math.max(longest, now - (lastRead.get(id) ?? 0));
        lastRead.set(id, now);
        starts.push(now);
        return Promise.resolve({ state: "created", rawStatus: "1" });
      },
    })
  );
  const ports = { board, connections: connect(gateway), attention, clock, random: Math.random, log };
  const poller = new TaskPoller(ports);
  let events = 0;
  board.onDidChange(() => (events += 1));
  void poller.run();
  await clock.advance(3_600_000);
  await poller.close();
  await board.close();
  let most = 0;
  for (let first = 0, last = 0; last < starts.length; last += 1) {
    while ((starts[last] ?? 0) - (starts[first] ?? 0) >= 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  process.stdout.write(
    `${JSON.stringify({ requests: starts.length / 3600, most, longest: longest / 1000, events })}\n`,
  );
}
