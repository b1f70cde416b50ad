/** T5: several windows on one task database, some of them in processes of their own that are killed: one polls, the others follow. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createApp, type App } from "../../support/createApp";
import { definedFields } from "../../../src/base/definedFields";
import { systemClock } from "../../../src/base/async/systemClock";
import { Emitter } from "../../../src/base/event";
import { TaskBoard } from "../../../src/tasks/board/board";
import type { OpenTaskStore } from "../../../src/tasks/store/taskStore";
import { openWorkerTaskStore } from "../../../src/tasks/store/workerTaskStore";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { createDiskWorkspace } from "../../support/diskWorkspace";
import { createChildProcesses } from "../../../src/tools/command/childProcesses";
import { noEditor } from "../../support/noEditor";
import { startOwnTime } from "../../support/ownTime";
import { plainAppOptions, plainBoardOptions, settingsWith } from "../../support/plainOptions";
import { openStoreAt } from "../../support/taskBoards";
import { TaskBench } from "./taskBench";

const program = join(import.meta.dirname, "pollingWindow.mjs");
const threadProgram = join(import.meta.dirname, "..", "..", "..", "storage.mjs");

describe("windows on one task database", () => {
  let over: AppOverGateway;
  /** Of the windows in this process and of the gateway, where no other process has a part: only then can the test move it. */
  let moved: MovedClock | undefined;
  let bench: TaskBench;
  let children: ChildProcess[];
  let apps: App[];
  /** How often the store of each window has reported a change by another one. */
  let told: Map<App, () => number>;
  const open = async (clock?: MovedClock): Promise<void> => {
    moved = clock;
    over = await openAppOverGateway({ polls: false, ...definedFields({ clock, pollClock: clock }) });
    if (clock) bench = new TaskBench(over, clock);
  };
  beforeEach(() => {
    children = [];
    apps = [];
    told = new Map();
  });
  afterEach(async () => {
    for (const child of children) await kill(child);
    for (const app of apps) await app.close();
    await over.close();
  });

  const file = (): string => join(over.folder, ".storage", "tasks.db");
  /** The lines that it prints, as they come. */
  const startChild = (what: "polls" | "sends"): { child: ChildProcess; lines: string[]; errors: string[] } => {
    const { url, key } = over.gateway;
    const child = spawn(process.execPath, [program, file(), url, key, what], { stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    const lines: string[] = [];
    const errors: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    child.stderr.on("data", (text: Buffer) => errors.push(text.toString()));
    return { child, lines, errors };
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  /** Another window of this process that does not poll yet; beside other processes with the store on its thread, as it is shipped. */
  const openQuietWindow = async (
    openStore: OpenTaskStore = moved
      ? openStoreAt(file(), undefined, moved)
      : () => openWorkerTaskStore(threadProgram, file()),
  ): Promise<App> => {
    let changes = 0;
    const openTasks: OpenTaskStore = async () => {
      const store = await openStore();
      store.onDidChange(() => (changes += 1));
      return store;
    };
    const app = await createApp({
      ...plainAppOptions,
      connections: over.connections,
      workspace: createDiskWorkspace(over.folder),
      loadProcesses: () => Promise.resolve(createChildProcesses(systemClock)),
      searchProgram: "",
      loadEditor: () => Promise.resolve(noEditor),
      attention: { focused: true, onDidChange: new Emitter<boolean>().event },
      clock: moved ?? systemClock,
      random: Math.random,
      log: keptLog(),
      modelMemory: { read: () => undefined, write: () => undefined },
      settings: settingsWith(() => ({ "results.fetchUpTo": 0 })),
      configuredModels: { read: () => [], onDidChange: new Emitter<void>().event },
      storage: {
        openTasks,
        results: join(over.folder, "results"),
        chats: join(over.folder, "chats"),
        rules: join(over.folder, "rules"),
      },
      shownChat: { read: () => undefined, write: () => undefined },
    });
    apps.push(app);
    told.set(app, () => changes);
    return app;
  };
  const openWindow = async (): Promise<App> => {
    const app = await openQuietWindow();
    void app.poller.run();
    return app;
  };
  const submit = async (prompt: string): Promise<string> => {
    const [id] = await over.app.outbox.submit([{ type: "async-image", model: "demo-image", prompt }]);
    return id!;
  };
  const stateIn = (app: App, id: string): string | undefined => {
    const submission = app.board.listed.get(id)?.submission;
    return submission?.state === "accepted" ? submission.remote.state : submission?.state;
  };
  const reads = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "GET" && /^\/v1\/tasks\/[^/]+$/.test(path)).length;
  const complaints = (): readonly string[] =>
    over.gateway.clientReport.findings.map(({ rule, detail }) => `${rule} ${detail}`);
  /** Resolves with the milliseconds until it holds, of the moved clock or of the time in which this process could run. */
  const soon = async (condition: () => boolean, limit: number): Promise<number> => {
    const own = startOwnTime(2 * limit);
    const began = moved?.monotonic() ?? 0;
    const waited = (): number => (moved ? moved.monotonic() - began : own());
    while (!condition()) {
      if (waited() > limit) throw new Error(`not within ${limit} ms: ${condition.toString()}`);
      await (moved ? bench.advance(100) : systemClock.delay(20));
    }
    return waited();
  };

  it("T5 (finding 5): of three windows one polls, the others show its changes soon; a clean close hands over at once", async () => {
    await open(createMovedClock());
    const windows = [await openWindow(), await openWindow(), await openWindow()];
    const ids = [await submit("[stuck] a hill"), await submit("[stuck] a lake")];
    await soon(() => windows.some(({ poller }) => poller.checks.current.isOurs), 3000);
    await soon(() => windows.every(({ board }) => ids.every((id) => board.listed.has(id))), 3000);
    const polling = windows.find(({ poller }) => poller.checks.current.isOurs)!;
    await soon(() => ids.every((id) => stateIn(polling, id) === "processing"), 15_000);
    const followed = await soon(
      () => windows.every((window) => ids.every((id) => stateIn(window, id) === "processing")),
      15_000,
    );
    assert.ok(followed < 5000, `${followed} ms`);
    assert.equal(windows.filter(({ poller }) => poller.checks.current.isOurs).length, 1);
    const others = windows.filter((window) => window !== polling);
    await soon(() => others.every(({ poller }) => poller.checks.current.checkedAt !== undefined), 5000);
    await polling.close();
    apps.splice(apps.indexOf(polling), 1);
    const handed = await soon(() => others.some(({ poller }) => poller.checks.current.isOurs), 5000);
    assert.ok(handed < 2000, `${handed} ms`);
    const before = reads();
    await soon(() => reads() > before + 1, 8000);
    assert.deepEqual(complaints(), []);
  });

  it("T5, R8: a window that takes over learns of an end from the file, also before it is told of a change, and does not ask for it again", async () => {
    await open(createMovedClock());
    const polling = await openWindow();
    const id = await submit("a hill");
    const openStore = openStoreAt(file(), undefined, moved);
    const next = await openQuietWindow(async () => ({
      ...(await openStore()),
      onDidChange: new Emitter<never>().event,
    }));
    await soon(() => polling.poller.checks.current.isOurs, 5000);
    void next.poller.run();
    await soon(() => stateIn(polling, id) === "succeeded", 30_000);
    assert.notEqual(stateIn(next, id), "succeeded");
    const before = reads();
    await polling.close();
    apps.splice(apps.indexOf(polling), 1);
    await soon(() => stateIn(next, id) === "succeeded", 15_000);
    assert.equal(reads(), before);
  });

  it("T5 (finding P5): while tasks run and nothing changes, no window is told of a change, though one polls and renews its lease", async () => {
    await open(createMovedClock());
    const windows = [await openWindow(), await openWindow()];
    const ids = [await submit("[stuck] a hill"), await submit("[stuck] a lake")];
    const arrived = (): boolean =>
      windows.every((window) => ids.every((id) => stateIn(window, id) === "processing")) &&
      windows.some(({ poller }) => poller.checks.current.isOurs);
    await soon(arrived, 20_000);
    const following = windows.find(({ poller }) => !poller.checks.current.isOurs)!;
    /** Until it has the next note of the window that polls, which comes with the renewal. */
    const renewal = async (): Promise<void> => {
      const before = following.poller.checks.current.checkedAt;
      await soon(() => following.poller.checks.current.checkedAt !== before, 15_000);
    };
    // What was written last may be noticed a moment after it was read.
    await renewal();
    const before = windows.map((window) => told.get(window)!());
    const readsBefore = reads();
    await renewal();
    await renewal();
    assert.ok(reads() > readsBefore);
    assert.deepEqual(
      windows.map((window) => told.get(window)!()),
      before,
    );
  });

  it("T5, R8: the window that polls is killed: another one polls within 15 s, and the gateway has nothing to complain of", async () => {
    await open();
    const id = await submit("[stuck] a hill");
    const { child, lines, errors } = startChild("polls");
    await soon(() => lines.some((line) => line.includes('"isOurs":true')), 20_000);
    const window = await openWindow();
    await soon(() => reads() > 1, 15_000);
    assert.equal(window.poller.checks.current.isOurs, false);
    await kill(child);
    const before = reads();
    const taken = await soon(() => window.poller.checks.current.isOurs && reads() > before, 20_000);
    assert.ok(taken < 15_000, `${taken} ms`);
    assert.deepEqual([complaints(), errors, stateIn(window, id)], [[], [], "processing"]);
  });

  it("T5, T1 (finding 5): a window opened while another one sends shows the task as being sent, and what is known once that one was killed", async () => {
    await open();
    over.gateway.faults.arm({ name: "http.hang", times: 1 });
    const { child, lines, errors } = startChild("sends");
    await soon(() => lines.includes('"sending"') && over.gateway.faults.armed.length === 0, 20_000);
    const board = await TaskBoard.open({
      ...plainBoardOptions,
      openStore: () => openWorkerTaskStore(threadProgram, file()),
      clock: systemClock,
    });
    try {
      const state = (): string | undefined => [...board.listed.values()][0]?.submission.state;
      assert.equal(state(), "sending");
      await kill(child);
      await soon(() => state() === "outcome-unknown", 10_000);
      const again = await TaskBoard.open({
        ...plainBoardOptions,
        openStore: () => openWorkerTaskStore(threadProgram, file()),
        clock: systemClock,
      });
      assert.equal([...again.listed.values()][0]?.submission.state, "outcome-unknown");
      await again.close();
      assert.deepEqual(errors, []);
    } finally {
      await board.close();
    }
  });
});
