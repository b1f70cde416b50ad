/** The steps of a client's life, by name; drawn one after the other for the random outcomes. */
import assert from "node:assert/strict";
import { copyFile, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { startOfNextDay } from "../../../src/base/localDay";
import { backUpDaily } from "../../../src/base/database/recovery";
import { AppFailure } from "../../../src/domain/errors/appError";
import { hasSucceeded, isAccepted, isRunning } from "../../../src/domain/task/phase";
import { resultUrlOf } from "../../../src/domain/task/resultAssets";
import { isFinal, type Task } from "../../../src/domain/task/task";
import { ageRows } from "../../../src/tasks/store/taskRows";
import { until } from "../builders";
import { resultCodes } from "../faultyDatabase";
import { type Named, ways } from "./ways";
import type { Window, World } from "./world";

export interface WorldStep extends Named {
  readonly take: (world: World) => Promise<void> | void;
}

const hour = 3_600_000;
const assetRoute = "GET /_local/assets/{task_id}/{file}";

/** Draws one of the rows of a window; `undefined` where none fits. */
function drawRow(world: World, { board }: Window, fits: (task: Task) => boolean = () => true): Task | undefined {
  const fitting = [...board.listed.values()].filter(fits);
  return fitting.length === 0 ? undefined : world.options.draws.one(fitting);
}

const isResendable = ({ submission: { state } }: Task): boolean =>
  state === "not-accepted" || state === "outcome-unknown";

async function sendAgain(world: World): Promise<void> {
  const { window } = world;
  world.drawWays();
  const task = drawRow(world, window);
  if (task) await world.untilDone([window, window.outbox.sendAgain(window.board.see(task.intent.id))]);
}

/** Both windows show the row as it is before the first click; something else may happen while both wait. */
async function sendAgainTwice(world: World, meanwhile: (one: Window, id: string) => unknown): Promise<void> {
  const [one, other] = await world.two();
  const task = drawRow(world, one, isResendable);
  if (!task || !other.board.listed.has(task.intent.id)) return;
  world.ways = world.options.draws.list(2, ways);
  const { creates } = world;
  const paused = Promise.withResolvers<undefined>();
  world.pause = paused.promise;
  world.paused = 0;
  let ended = 0;
  const sendings = [one, other].map((window) => {
    const sending = window.outbox.sendAgain(window.board.see(task.intent.id));
    void sending.finally(() => (ended += 1));
    return [window, sending] as const;
  });
  await until(() => world.paused + ended >= 2);
  await meanwhile(one, task.intent.id);
  paused.resolve(undefined);
  world.pause = Promise.resolve();
  await world.untilDone(...sendings);
  assert.ok(world.creates - creates <= 1, "one of two windows sends");
}

/** Removes a row from the list in a window that may not know the task's present state. */
async function remove(world: World, { board }: Window, id: string): Promise<void> {
  await board.writeThenApply({ type: "task-removed", id, at: world.clock.now() }).catch(ofFullDisk);
  const task = board.all.get(id);
  if (task && isRunning(task)) assert.ok(board.listed.has(id), "what runs stays on the list");
}

async function removeDrawn(world: World, fits: (task: Task) => boolean): Promise<void> {
  const { window } = world;
  const task = drawRow(world, window, fits);
  if (task) await remove(world, window, task.intent.id);
}

function ofFullDisk(failure: unknown): void {
  assert.ok(failure instanceof AppFailure && failure.error.kind === "storage", String(failure));
}

/** An older file takes the place of the one that windows have open; each notices it with its next write. */
async function restoreUnderWindows(world: World, copy: string): Promise<void> {
  world.fill(undefined);
  for (const { board } of world.windows) await board.flush();
  for (const { board } of world.windows) await board.loaded();
  await world.submit(2);
  world.fill(undefined);
  for (const { board } of world.windows) await board.flush();
  // A window that was killed meanwhile left its rows in the file: they are known where another window has read them.
  for (const { board } of world.windows) await board.loaded();
  await rename(copy, world.file);
  for (const { board } of world.windows) {
    // The pause is later than any before it, so that it is written.
    const length = world.creates * hour;
    await board.keepPause({ account: "", until: Date.now() + length, length });
    await board.flush();
    await board.loaded();
  }
}

/** The backup of the day takes the place of the file while all windows are closed: what came after it is on no machine. */
async function restoreWhileClosed(world: World): Promise<void> {
  world.fill(undefined);
  const backup = await makeBackup(world);
  if (backup === undefined) return;
  const before = new Set(world.known);
  await world.submit(1 + world.options.draws.number(3));
  for (let row = 0; row < 3; row += 1) await sendAgain(world);
  world.killAll();
  await rename(backup, world.file);
  const window = await world.open();
  for (const id of before) assert.ok(window.board.all.has(id), "a row of the backup was lost");
  world.forget(window);
}

async function makeBackup({ file, clock, windows }: World): Promise<string | undefined> {
  for (const { board } of windows) await board.flush();
  const { signal } = new AbortController();
  return await backUpDaily({ path: file, now: clock.now(), signal, age: ageRows });
}

async function copyOf({ file, windows }: World): Promise<string> {
  for (const { board } of windows) await board.flush();
  await copyFile(file, `${file}.old`);
  return `${file}.old`;
}

/** Reads a task that has not ended where it was read last. */
async function readOne(world: World): Promise<void> {
  const { window } = world;
  const task = drawRow(world, window, (one) => isAccepted(one) && !isFinal(one.submission.remote.state));
  if (task) await world.read(window, task);
}

async function readAsAnother(world: World): Promise<void> {
  const { window, options } = world;
  const task = drawRow(world, window, isAccepted);
  if (!task || world.made.size < 2) return;
  options.gateway.faults.arm({ name: "task.other-task", route: "GET /v1/tasks/{task_id}", times: 1 });
  const before = window.board.all.get(task.intent.id);
  await assert.rejects(world.read(window, task), AppFailure);
  assert.equal(window.board.all.get(task.intent.id), before);
}

/** Fetches a result, with these forms of its responses in turn; it is fetched once more where that failed. */
async function fetchOver(world: World, ...forms: readonly string[]): Promise<void> {
  const { window, options } = world;
  const task = drawRow(world, window, hasSucceeded);
  if (!task) return;
  for (const value of forms)
    options.gateway.faults.arm({ name: "task.asset-form", route: assetRoute, value, times: 1 });
  await window.downloads.get(task.intent.id, { anew: true }).catch(() => undefined);
  options.gateway.faults.clear();
  await fetchWhole(world, window, task);
}

/** Fetches the result, and asserts that the file on the disk is that of the gateway, byte for byte. */
export async function fetchWhole(world: World, { downloads }: Window, task: Task): Promise<void> {
  if (!isAccepted(task)) return;
  world.asked.add(task.intent.id);
  const { real } = world.options;
  const { assets } = await real.getTask(task.submission.taskId);
  const chunks: Uint8Array[] = [];
  const url = assets?.kind === "assets" ? resultUrlOf(assets, task.intent.type) : undefined;
  for await (const chunk of (await real.downloadAsset(url ?? "")).body) chunks.push(chunk);
  const path = await downloads.get(task.intent.id);
  assert.ok(Buffer.concat(chunks).equals(await readFile(path)), "the result on the disk is another file");
}

/** The download fills the disk, which also holds the rows: nothing more can be stored, and nothing that was stored is lost. */
async function fetchOntoFullDisk(world: World): Promise<void> {
  const { window, options } = world;
  const task = drawRow(world, window, hasSucceeded);
  if (!task) return;
  options.room.bytes = options.draws.number(20_000);
  world.fill(resultCodes.full);
  const failure: unknown = await window.downloads.get(task.intent.id, { anew: true }).catch((error: unknown) => error);
  assert.equal((failure as { readonly code?: string }).code, "ENOSPC", String(failure));
  const left = await readdir(join(options.folder, "results"));
  assert.ok(!left.some((name) => name.endsWith(".part")), "half of a result keeps the disk full");
  await world.check();
  const { creates } = world;
  await world.submit(2, window);
  assert.equal(world.creates, creates, "nothing is sent that could not be stored");
  await world.check();
  options.room.bytes = undefined;
  world.fill(undefined);
  for (const { board } of world.windows) await board.flush();
  await fetchWhole(world, window, task);
}

/** Sets a cap on the tasks of a day, and moves the clock over midnight and back. */
async function capOverMidnight(world: World): Promise<void> {
  const { clock, draws } = world.options;
  const now = world.clock.now();
  await clock.advance(startOfNextDay(now) - now - 60_000);
  world.hasKey = true;
  world.fill(undefined);
  world.cap = (world.sentOn.get(new Date(now).setHours(0, 0, 0, 0))?.size ?? 0) + 1 + draws.number(3);
  await world.submit(1 + draws.number(3));
  world.skew = 120_000;
  await world.submit(1 + draws.number(3));
  await sendAgain(world);
  world.skew = 0;
  await world.submit(1 + draws.number(3));
  await sendAgain(world);
  world.cap = 0;
}

export const steps: readonly WorldStep[] = [
  { name: "submit", weight: 8, take: (world) => world.submit(1 + world.options.draws.number(6)) },
  { name: "send again", weight: 12, take: sendAgain },
  {
    name: "try the last batch again",
    weight: 4,
    async take(world) {
      const { window } = world;
      world.drawWays();
      await world.untilDone([window, window.outbox.send(world.intents)]);
    },
  },
  { name: "disk full", weight: 2, take: (world) => world.fill(resultCodes.full) },
  {
    name: "disk has room",
    weight: 4,
    async take(world) {
      world.fill(undefined);
      for (const { board } of world.windows) await board.flush();
    },
  },
  {
    name: "kill all windows",
    weight: 2,
    async take(world) {
      world.killAll();
      await world.open();
    },
  },
  { name: "open a second window", weight: 2, take: async (world) => void (await world.two()) },
  { name: "key is gone", weight: 2, take: (world) => void (world.hasKey = false) },
  { name: "key is back", weight: 3, take: (world) => void (world.hasKey = true) },
  { name: "hours pass", take: (world) => world.options.clock.advance((1 + world.options.draws.number(9)) * hour) },
  { name: "a minute passes", weight: 4, take: (world) => world.options.clock.advance(60_000) },
  { name: "read", weight: 8, take: readOne },
  { name: "read answered with another task", weight: 3, take: readAsAnother },
  {
    name: "row removed: running",
    weight: 2,
    take: (world) => removeDrawn(world, isRunning),
  },
  {
    name: "row removed: outcome unknown or refused",
    weight: 2,
    take: (world) => removeDrawn(world, isResendable),
  },
  {
    name: "Send Again in two windows in a pause",
    weight: 3,
    take: (world) => sendAgainTwice(world, () => undefined),
  },
  {
    name: "Send Again in two windows, one killed in the pause",
    weight: 2,
    take: (world) => sendAgainTwice(world, ({ disk }) => disk.kill()),
  },
  {
    name: "Send Again in two windows, row removed in the pause",
    weight: 2,
    take: (world) => sendAgainTwice(world, (one, id) => remove(world, one, id)),
  },
  {
    name: "older copy restored under windows",
    weight: 2,
    take: async (world) => restoreUnderWindows(world, await copyOf(world)),
  },
  {
    name: "backup restored under windows",
    async take(world) {
      const backup = await makeBackup(world);
      if (backup !== undefined) await restoreUnderWindows(world, backup);
    },
  },
  { name: "backup restored while closed", weight: 2, take: restoreWhileClosed },
  // The weight lets a few worlds find a cap that counts wrongly.
  { name: "cap over midnight and back", weight: 4, take: capOverMidnight },
  { name: "fetch", take: (world) => fetchOver(world) },
  { name: "fetch continued by a part of another file", take: (world) => fetchOver(world, "truncated", "other-part") },
  { name: "fetch continued by half of another file", take: (world) => fetchOver(world, "truncated", "other-half") },
  { name: "fetch onto a full disk", weight: 2, take: fetchOntoFullDisk },
];
