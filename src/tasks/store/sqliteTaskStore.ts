/**
 * The task store in SQLite, and the program of the worker thread that runs it: a commit waits for the disk, which must not hold up the extension
 * host.
 */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { isAbort } from "../../base/async/abort";
import { once } from "../../base/async/serialQueue";
import type { Clock, MonotonicClock } from "../../base/clock";
import { backUpDaily } from "../../base/database/recovery";
import { ChangeFeed } from "../../base/database/changeFeed";
import { Database } from "../../base/database/database";
import type { OpenNative } from "../../base/database/runtime";
import { definedFields } from "../../base/definedFields";
import { Emitter } from "../../base/event";
import { type AppError, storageError } from "../../domain/errors/appError";
import { ClockWatch, isMadeBeforeSetBack } from "./clockNote";
import { storePause, PollNotes, readPauses } from "./pollNotes";
import {
  senderStateOf,
  WindowMark,
  withAttempts,
  ageRows,
  applyRecord,
  checkCap,
  countTaskRows,
  readBody,
  readChanges,
  readLastChange,
  readPage,
  readSnapshot,
  taskMigrations,
} from "./taskRows";
import type { TaskSnapshot, TaskStore, StoreCall, StoreMessage } from "./taskStore";
import { systemClock } from "../../base/async/systemClock";
import { answerCall } from "../../base/async/threadCalls";

interface TaskStoreOptions {
  /** The database's file. */
  readonly path: string;
  readonly clock: MonotonicClock;
  /** Whether this store is a window's: its attempts are marked with a name by which the other windows see whether it lives. */
  readonly marksAttempts: boolean;
  readonly openNative?: OpenNative;
}

/** Rows that `changesSince` returns at once: a few milliseconds to read. */
const changesAtOnce = 500;
const backupDelay = 60_000;
const backupInterval = 3_600_000;

/** Rejects with an `AppFailure` of kind `storage`. */
export async function openSqliteTaskStore(options: TaskStoreOptions): Promise<TaskStore> {
  const { path, clock } = options;
  const database = await stored(Database.open({ ...options, migrations: taskMigrations }));
  const changed = new Emitter<"written" | "replaced">();
  const feed = await ChangeFeed.start({ database, clock });
  /** The last change that was seen in the file. When a copy overwrites the file it stays the same file, but with fewer changes. */
  let lastSeen = 0;
  feed.onDidChange(() => {
    void database.read(readLastChange).then(
      (last) => {
        changed.fire(last < lastSeen ? "replaced" : "written");
        lastSeen = last;
      },
      () => changed.fire("written"),
    );
  });
  database.onDidReplace(() => {
    lastSeen = 0;
    changed.fire("replaced");
  });
  const ended = new AbortController();
  const mark = options.marksAttempts ? new WindowMark(path) : undefined;
  let notes: PollNotes | undefined;
  const openNotes = once(async () => {
    const place = { path: join(dirname(path), "polling.db"), owner: randomUUID() };
    return (notes = await PollNotes.open({ ...options, ...place }));
  });
  const watch = new ClockWatch(clock);
  /** Never rejects: where the file can't be written, nothing can be sent. */
  const lookAtClock = async (): Promise<void> => {
    try {
      if (await database.read((connection) => watch.isSetBack(connection)))
        await watch.note((note) => database.write(note));
    } catch {
      // The next look finds the same.
    }
  };
  const loops = [feed.ended, backUp(path, clock, ended.signal, lookAtClock)];
  return {
    onDidChange: changed.event,
    async apply(records) {
      const window = mark?.nameFor(records.map(({ record }) => record));
      const { applied, last } = await stored(
        watch.note((note) =>
          database.write((connection) => {
            note(connection);
            const write = { taskFile: path, written: new Map<string, number>(), window };
            const applied = records.map((record) => applyRecord(connection, record, write));
            return { applied, last: readLastChange(connection) };
          }),
        ),
      );
      lastSeen = Math.max(lastSeen, last);
      return applied;
    },
    snapshot: async (newest) => {
      const { counts, ...snapshot } = await stored(
        database.read((connection) => ({
          ...readSnapshot(connection, newest),
          change: readLastChange(connection),
          counts: countTaskRows(connection),
        })),
      );
      lastSeen = Math.max(lastSeen, snapshot.change);
      const obstacle = obstacleOf(database);
      const replacedFile = replacedBy(database, counts);
      const tasks = withAttempts(path, snapshot.tasks);
      return { ...snapshot, tasks, total: counts.tasks, ...definedFields({ obstacle, replacedFile }) };
    },
    page: (after, limit) => stored(database.read((connection) => readPage(connection, after, limit))),
    checkCap: (cap) => stored(database.read((connection) => checkCap(connection, cap, path))),
    readBody: (id) => stored(database.read((connection) => readBody(connection, id))),
    async isAgeUnknown(id) {
      await lookAtClock();
      // The clock still counts as set back where that could not be noted.
      return stored(database.read((connection) => watch.isSetBack(connection) || isMadeBeforeSetBack(connection, id)));
    },
    changesSince: (change) => stored(database.read((connection) => readChanges(connection, change, changesAtOnce))),
    senderState: (sender) => Promise.resolve(senderStateOf(path, sender)),
    stepPollLease: (step) => stored(openNotes().then((opened) => opened.step(step))),
    releasePollLease: () => stored(openNotes().then((opened) => opened.release())),
    keepPause: (pause) => stored(database.write((connection) => storePause(connection, pause, clock.now()))),
    pauses: () => stored(database.read((connection) => readPauses(connection, clock.now()))),
    async close() {
      // Where this fails, the others notice the end by the silence.
      await notes?.close().catch(() => undefined);
      feed.dispose();
      ended.abort();
      changed.dispose();
      await Promise.all(loops);
      await lookAtClock();
      await stored(database.close());
      mark?.release();
    },
  };
}

async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    throw storageError(failure);
  }
}

function replacedBy(
  { replacement }: Database,
  counts: ReturnType<typeof countTaskRows>,
): TaskSnapshot["replacedFile"] | undefined {
  return replacement && { ...counts, setAside: replacement.setAside, fromBackup: replacement.fromBackup };
}

function obstacleOf({ access, path }: Database): AppError | undefined {
  switch (access.state) {
    case "read-write":
      return undefined;
    case "read-only":
      return { kind: "storage", code: "EROFS", message: path };
    case "newer":
      return {
        kind: "storage",
        code: "newer",
        message: `${path} has version ${access.version}; ${access.supported} is supported.`,
      };
  }
}

/** Looks every hour at the clock and whether the day has its backup; never rejects. */
async function backUp(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  lookAtClock: () => Promise<void>,
): Promise<void> {
  try {
    await clock.delay(backupDelay, signal);
    while (!signal.aborted) {
      await lookAtClock();
      await backUpDaily({ path, now: clock.now(), signal, age: ageRows }).catch((error: unknown) => {
        // The disk may be full, or the file may be written all the time: the next hour may do.
        if (isAbort(error)) throw error;
      });
      await clock.delay(backupInterval, signal);
    }
  } catch {
    // Only the signal ends it.
  }
}

// Runs the store on its own thread, because a commit may wait a hundred milliseconds for the disk.

function send(message: StoreMessage): void {
  parentPort?.postMessage(message);
}

/** Opens the file that the thread was given and answers its calls. */
export function serveTaskStore(): void {
  const { path } = workerData as { readonly path: string };
  const describe = (failure: unknown): AppError => storageError(failure).error;
  openSqliteTaskStore({ path, clock: systemClock, marksAttempts: true }).then(
    (store) => {
      store.onDidChange((change) => send({ type: "changed", change }));
      parentPort?.on("message", (call: StoreCall) => {
        void answerCall(store, call, describe).then((answer) => send({ type: "answered", answer }));
      });
      send({ type: "opened" });
    },
    (failure: unknown) => send({ type: "failed", error: describe(failure) }),
  );
}
