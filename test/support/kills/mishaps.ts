/** What else happens in a run that kills, by name; one is drawn for each run. */
import { link, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { backUpDaily, backupPath, dayOf } from "../../../src/base/database/recovery";
import { startOfNextDay } from "../../../src/base/localDay";
import { openNative } from "../../../src/base/database/runtime";
import { SqlConnection } from "../../../src/base/database/sqlConnection";
import type { ClientRule } from "../../../src/localGateway/requestWatch";
import type { Fault } from "../../faults/faultSwitches";
import { ageRows } from "../../../src/tasks/store/taskRows";
import type { FromProgram, ToApp } from "./protocol";

interface Window {
  post(message: ToApp): void;
  until(fits: (message: FromProgram) => boolean): Promise<FromProgram>;
}

/** A run, as far as a mishap sees it. */
export interface Scene {
  readonly folder: string;
  readonly windows: readonly Window[];
  readonly random: (bound: number) => number;
  readonly submit: (...prompts: readonly string[]) => void;
  readonly fault: (text: string) => void;
}

type Act = (scene: Scene) => unknown;

export interface Mishap {
  readonly name: string;
  /** The fewest windows; 1 where it is missing. */
  readonly windows?: number;
  /** The most tasks of the first batch; 3 where it is missing. */
  readonly tasks?: number;
  /** Tasks a day. */
  readonly cap?: number;
  /** The faults that the gateway is started with. */
  readonly faults?: readonly Fault[];
  /** Rules of the service that it makes the client break, or the gateway misjudge. */
  readonly provokes?: readonly ClientRule[];
  /** Set where the tasks are lost that came after the file that is put in the place of another: no window has them. */
  readonly forgets?: true;
  /** These run before the first batch is submitted, after that, before the kill, and while no window is open. */
  readonly before?: Act;
  readonly submitted?: Act;
  readonly meanwhile?: Act;
  readonly closed?: Act;
}

const create = "POST /v1/tasks";
const read = "GET /v1/tasks/{task_id}";
const asset = "GET /_local/assets/{task_id}/{file}";
/** Milliseconds to wait for what has to come, also on a busy machine, and for a step that may not come. */
const patience = 120_000;
const patienceForStep = 20_000;

const fileIn = (folder: string): string => join(folder, "tasks.db");

/** Runs while no window writes into the file. */
function readAlone<T>(file: string, work: (connection: SqlConnection) => T): T {
  const connection = new SqlConnection(openNative(file, { readOnly: false }));
  try {
    connection.exec("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE");
    return work(connection);
  } finally {
    connection.rollback();
    connection.close();
  }
}

/** Copies the file as it is, or as a backup of the product. */
const copyFile =
  (age: typeof ageRows): Act =>
  async ({ folder, random, fault }) => {
    await systemClock.delay(random(300));
    const { signal } = new AbortController();
    const [path, now] = [fileIn(folder), Date.now()];
    let made: string | undefined;
    for (const giveUp = now + patience; made === undefined && Date.now() < giveUp;) {
      // The windows make the backup of the day too.
      await rm(backupPath(path, dayOf(now)), { force: true });
      // Node rejects with "not an error" where a window writes at the moment of the first step.
      made = await backUpDaily({ path, now, signal, age }).catch(() => undefined);
    }
    if (made === undefined) fault("there was no copy of the file");
    else await rename(made, `${path}.old`);
  };

/** Puts the copy in the place of the file, and resolves when the windows have written into it what they have in memory. */
const restoreFile: Act = async ({ folder, fault }) => {
  const replaced = `${fileIn(folder)}.replaced`;
  await link(fileIn(folder), replaced);
  await rename(`${fileIn(folder)}.old`, fileIn(folder));
  // This waits for a write that had begun before the file was replaced; later ones go into the other file.
  const known = readAlone(replaced, rowsIn);
  const giveUp = Date.now() + patience;
  const lacks = (): boolean => {
    const found = readAlone(fileIn(folder), rowsIn);
    return [...known].some(([id, before]) => isLess(found.get(id), before));
  };
  while (lacks() && Date.now() < giveUp) await systemClock.delay(20);
  if (lacks()) fault("the windows did not write what they have in memory into the file that was restored");
};

interface FoundRow {
  readonly submission: string;
  readonly hasBody: boolean;
}

function rowsIn(connection: SqlConnection): ReadonlyMap<string, FoundRow> {
  const rows = connection.all("SELECT id, submission, id IN (SELECT id FROM task_body) AS body FROM task");
  return new Map(
    rows.map(({ id, submission, body }) => [String(id), { submission: String(submission), hasBody: body === 1 }]),
  );
}

/** Whether the row is missing, counts as unsent though it was sent, or has lost a request that may have to be sent again. */
function isLess(found: FoundRow | undefined, before: FoundRow): boolean {
  if (!found) return true;
  if (found.submission === "prepared" && before.submission !== "prepared") return true;
  return before.hasBody && !found.hasBody && found.submission !== "accepted";
}

const removeRows: Act = ({ windows }) => windows.at(-1)?.post({ type: "remove" });

export const mishaps: readonly Mishap[] = [
  { name: "nothing else" },
  { name: "rows removed", meanwhile: removeRows },
  { name: "rows removed in another window", windows: 2, submitted: removeRows, meanwhile: removeRows },
  { name: "older copy restored under windows", submitted: copyFile(() => undefined), meanwhile: restoreFile },
  { name: "backup restored under windows", before: copyFile(ageRows), meanwhile: restoreFile },
  {
    name: "backup restored while closed",
    forgets: true,
    submitted: copyFile(ageRows),
    closed: ({ folder }) => rename(`${fileIn(folder)}.old`, fileIn(folder)),
  },
  {
    name: "Send Again in two windows in a pause",
    windows: 2,
    tasks: 1,
    faults: [
      { name: "http.status", route: create, times: 1, value: { status: 429, headers: { "retry-after": "20" } } },
    ],
    submitted: async ({ windows, random }) => {
      await systemClock.delay(200 + random(300));
      for (const window of windows) window.post({ type: "send-again" });
    },
  },
  {
    name: "cap over midnight and back",
    cap: 2,
    submitted: async ({ windows, random, submit }) => {
      const overMidnight = startOfNextDay(Date.now()) - Date.now() + 600_000;
      for (const ahead of [overMidnight, 0]) {
        await systemClock.delay(200 + random(200));
        for (const window of windows) window.post({ type: "clock", ahead });
        submit("a lake", "a river");
      }
    },
  },
  {
    name: "another task's id in an answer",
    tasks: 1,
    provokes: ["read-after-end", "polled-too-fast"],
    faults: [
      { name: "task.lost-202", route: create, nth: 2, times: 1 },
      { name: "task.other-task", route: create, times: 1 },
      { name: "task.other-task", route: read, times: 2 },
    ],
    before: async ({ windows, submit }) => {
      submit("a lake");
      const accepted = windows[0]?.until(
        ({ type, ...more }) => type === "step" && "step" in more && more.step === "accepted",
      );
      const done = new AbortController();
      await Promise.race([accepted, systemClock.delay(patienceForStep, done.signal).catch(() => undefined)]);
      done.abort();
    },
  },
  {
    name: "a matrix, and a video of each result",
    windows: 2,
    tasks: 1,
    submitted: ({ windows }) => windows[0]?.post({ type: "matrix", prompt: "a pier", count: 4 }),
    meanwhile: async ({ windows, random }) => {
      const window = windows[random(windows.length)];
      const saved = window?.until((message) => message.type === "step" && message.step === "saved");
      const done = new AbortController();
      await Promise.race([saved, systemClock.delay(patienceForStep, done.signal).catch(() => undefined)]);
      done.abort();
      window?.post({ type: "chain" });
      await systemClock.delay(random(400));
    },
  },
  {
    name: "download continued by a part of another file",
    faults: ["truncated", "other-part"].map((value) => ({ name: "task.asset-form", route: asset, times: 1, value })),
  },
  {
    name: "download continued by half of another file",
    faults: ["truncated", "other-half"].map((value) => ({ name: "task.asset-form", route: asset, times: 1, value })),
  },
  {
    name: "download onto a full disk",
    // Windows that can't write which of them polls each read the end, and once more for a fresh link.
    provokes: ["read-after-end"],
    submitted: async ({ windows, random }) => {
      await windows[0]?.until(({ type }) => type === "intended");
      await systemClock.delay(random(1500));
      for (const window of windows) window.post({ type: "disk", room: random(20_000) });
    },
    meanwhile: async ({ windows, random }) => {
      await systemClock.delay(random(500));
      if (random(2) === 0) for (const window of windows) window.post({ type: "disk" });
    },
  },
];
