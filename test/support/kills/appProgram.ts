/** One window of the product without VS Code as a process of its own, for runs that kill it: it reports how far its tasks are. */
import { readFile } from "node:fs/promises";
import type { App as ProductApp } from "../createApp";
import { definedFields } from "../../../src/base/definedFields";
import { AppFailure } from "../../../src/domain/errors/appError";
import { isFinal, type Task, type TaskOrder } from "../../../src/domain/task/task";
import type { Outbox } from "../../../src/tasks/submit/outbox";
import { imageReference, writeInputAssets } from "../../../src/tasks/submit/references";
import { taskRow } from "../../../src/tasks/view/taskRow";
import { limitFileRoom } from "../fullDisk";
import { createFaultyDatabase, resultCodes } from "../faultyDatabase";
import { createFastClock } from "../fastClock";
import { videoOf } from "./judgeRows";
import { openProgramApp } from "./programApp";
import type { FromProgram, ProgramOptions, SettledRow, Step, ToApp } from "./protocol";

const say = (message: FromProgram): void => void process.send?.(message);
const fail = (failure: unknown): void =>
  say({ type: "failed", message: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) });
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

const { folder, epoch, factor, gateway, cap = 0 } = JSON.parse(process.argv[2] ?? "{}") as ProgramOptions;
const fast = createFastClock(epoch, factor);
let ahead = 0;
const clock = { ...fast, now: () => fast.now() + ahead };
const disk = createFaultyDatabase({ unsynced: true });

function stepOf({ submission }: Task): Step {
  if (submission.state === "prepared") return "prepared";
  if (submission.state !== "accepted") return "sending";
  if (submission.saved !== undefined) return "saved";
  if (isFinal(submission.remote.state)) return "ended";
  return submission.remote.state === "created" ? "accepted" : "reading";
}

function settledRow(task: Task, tasks: ReadonlyMap<string, Task>): SettledRow {
  const { submission, intent } = task;
  const { prompt, batch, variant, duplicatedFrom } = intent;
  const row = taskRow(task, clock.now(), "en");
  const madeFrom = duplicatedFrom === undefined ? undefined : (tasks.get(duplicatedFrom)?.intent.prompt ?? "");
  const shown = {
    ...{ prompt, submission: submission.state, money: row.money, sentence: row.state },
    ...definedFields({ batch, variant, madeFrom }),
  };
  if (submission.state !== "accepted") return "error" in submission ? { ...shown, error: submission.error } : shown;
  const { taskId, holdId, saved, remote } = submission;
  return {
    ...shown,
    taskId,
    state: remote.state,
    ...(holdId === undefined ? {} : { holdId }),
    ...(saved === undefined ? {} : { savedAs: saved.path }),
  };
}

type App = ProductApp & { readonly outbox: Outbox };

/** Whether nothing more will change without an action. A task whose key is old waits for a person. */
async function isSettled({ board, outbox }: App, { intent, submission }: Task): Promise<boolean> {
  if (submission.state === "not-accepted" || (await outbox.isKeyOld(intent.id))) return true;
  // A row that is off the list is not asked for any more, unless its task was accepted: that goes on.
  if (submission.state !== "accepted" && !board.listed.has(intent.id)) return true;
  if (submission.state !== "accepted" || !isFinal(submission.remote.state)) return false;
  return submission.remote.state !== "succeeded" || submission.saved !== undefined;
}

/** Sends the tasks in these states again. */
async function sendAgain({ board, outbox }: App, ...states: readonly string[]): Promise<void> {
  const found = [...board.listed.values()].filter(({ submission }) => states.includes(submission.state));
  await outbox.sendAgain(board.see(...found.map(({ intent }) => intent.id)));
}

async function remove({ board }: App): Promise<void> {
  const at = clock.now();
  for (const id of [...board.listed.keys()]) await board.writeThenApply({ type: "task-removed", id, at });
}

/** A submission may fail on a full disk, or over the cap, where nothing of it was sent. */
function failUnlessUnsent(failure: unknown): void {
  if (!(failure instanceof AppFailure && failure.error.notSent)) fail(failure);
}

/** Windows that could not share the polling each count an attempt on a full disk, so the next one may be an hour away: a person who has made room fetches at once. */
async function fetchAfterFullDisk(app: App, tasks: readonly Task[]): Promise<void> {
  for (const { intent, submission } of tasks) {
    if (submission.state !== "accepted" || submission.saved !== undefined) continue;
    // Where it fails again, the loop comes back to it.
    if (submission.fetchFailure?.error.kind === "storage") await app.saveResult(intent.id).catch(() => undefined);
  }
}

async function settle(app: App): Promise<void> {
  const { board } = app;
  for (;;) {
    await sendAgain(app, "outcome-unknown");
    await board.loaded();
    const tasks = [...board.all.values()];
    if (!(await Promise.all(tasks.map((task) => isSettled(app, task)))).includes(false)) break;
    await fetchAfterFullDisk(app, tasks);
    await clock.delay(500);
  }
  say({ type: "settled", rows: [...board.all.values()].map((task) => settledRow(task, board.all)) });
}

async function submitAll({ poller, outbox }: App, tasks: readonly TaskOrder[]): Promise<void> {
  if (tasks.length === 0) return;
  try {
    const { home } = await poller.connections.ready();
    const intents = await outbox.prepare(tasks, home);
    const sent = outbox.send(intents);
    say({ type: "intended", prompts: tasks.map(({ prompt }) => prompt) });
    await sent;
  } catch (failure) {
    failUnlessUnsent(failure);
  }
}

function pictureOf(prompt: string, more: Partial<TaskOrder> = {}): TaskOrder {
  return { type: "async-image", model: "demo-image", prompt, ...more };
}

/** The prompts differ, too, because a prompt identifies its intent in a run. */
function matrixOf(prompt: string, count: number): readonly TaskOrder[] {
  return Array.from({ length: count }, (_, index) =>
    pictureOf(`${prompt} ${index}`, { variant: `seed: ${index}`, metadata: JSON.stringify({ seed: index }) }),
  );
}

async function chainsOf({ board }: App): Promise<readonly TaskOrder[]> {
  const chained: TaskOrder[] = [];
  for (const { intent, submission } of board.all.values()) {
    if (intent.type !== "async-image" || submission.state !== "accepted" || submission.saved === undefined) continue;
    const image = imageReference("picture", await readFile(submission.saved.path), 10_000_000);
    if (typeof image === "string") throw new Error(`The result of ${intent.prompt} is ${image}.`);
    const inputAssets = writeInputAssets([image]);
    const video = { type: "video", model: "demo-video", prompt: videoOf(intent.prompt) } as const;
    chained.push({ ...video, duplicatedFrom: intent.id, ...definedFields({ inputAssets }) });
  }
  return chained;
}

async function run(): Promise<void> {
  if (!gateway) throw new Error("no gateway");
  const room = await limitFileRoom();
  const opened = await openProgramApp({ folder, gateway, clock, disk, tasksPerDay: () => cap });
  const app: App = { ...opened, outbox: await opened.openOutbox() };
  const { board } = app;
  const said = new Set<Step>();
  const tell = (step: Step): void => {
    if (said.has(step)) return;
    said.add(step);
    say({ type: "step", step });
  };
  board.onDidChange((ids) => {
    for (const id of ids) {
      const task = board.listed.get(id);
      if (task) tell(stepOf(task));
    }
  });
  void app.poller.run();
  void app.fetcher.run();
  process.on("message", (message: ToApp) => {
    switch (message.type) {
      case "submit":
        void submitAll(
          app,
          message.prompts.map((prompt) => pictureOf(prompt)),
        );
        return;
      case "matrix":
        void submitAll(app, matrixOf(message.prompt, message.count));
        return;
      case "chain":
        void chainsOf(app)
          .then((tasks) => submitAll(app, tasks))
          .catch(fail);
        return;
      case "cancel": {
        const [running] = [...board.listed.values()].filter(
          ({ submission }) => submission.state === "accepted" && !isFinal(submission.remote.state),
        );
        if (running) void app.cancel(running.intent.id, "no longer needed").catch(fail);
        return;
      }
      case "reconcile":
        void sendAgain(app, "outcome-unknown").catch(fail);
        return;
      case "send-again":
        void sendAgain(app, "outcome-unknown", "not-accepted").catch(fail);
        return;
      case "remove":
        void remove(app).catch(fail);
        return;
      case "clock":
        ({ ahead } = message);
        return;
      case "disk":
        room.bytes = message.room;
        disk.commits = message.room === undefined ? undefined : resultCodes.full;
        return;
      case "settle":
        void settle(app).catch(fail);
    }
  });
  tell("started");
}

run().catch(fail);
