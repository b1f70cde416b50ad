/** The placer where the task file can't be written, and which names it looks for in the document. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { Task, TaskDestination } from "../../../../src/domain/task/task";
import { reduceTask, type TaskRecord } from "../../../../src/domain/task/taskRecord";
import type { TaskBoard } from "../../../../src/tasks/board/board";
import { placedFiles } from "../../../../src/tasks/results/placedTasks";
import { type ProjectFiles, ResultPlacer } from "../../../../src/tasks/results/resultPlacer";
import { accepted, keptLog, makeIntent, makeTask, savedAt } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";

describe("the placer of results", () => {
  it("T8, R8: on a full disk it tries again after a while, not at once", async () => {
    const intent = makeIntent({ destination: { file: "file:///project/assets/pier.png" } });
    const tasks = new Map([
      [
        intent.id,
        makeTask({
          intent,
          submission: accepted({ state: "succeeded" }, { saved: savedAt("/results/pier.png") }),
        }),
      ],
    ]);
    let writes = 0;
    const board = {
      ...{ listed: tasks, all: tasks, onDidChange: new Emitter<ReadonlySet<string>>().event },
      writeThenApply() {
        writes += 1;
        return Promise.reject(new AppFailure({ kind: "storage", code: "ENOSPC", message: "full" }));
      },
    } as unknown as TaskBoard;
    const clock = createMovedClock();
    const project = {
      holds: () => true,
      onDidChangeFolders: new Emitter<void>().event,
      makeExact: () => assert.fail("nothing is converted"),
      place: () => assert.fail("nothing is placed before it is written"),
      removeCopy: () => assert.fail("nothing is placed"),
      correctReferences: () => assert.fail("nothing is placed"),
    };
    const saveResult = (): Promise<string> => Promise.resolve("/results/pier.png");
    const placer = new ResultPlacer({ board, project, clock, log: keptLog(), saveResult });
    void placer.run();
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
    };
    await settled();
    assert.equal(writes, 1);
    await clock.advance(10_000);
    await settled();
    assert.equal(writes, 2);
    await placer.close();
  });

  it("T17, T20: what is placed after the clock was set back still has the file, and its line in the lock", async () => {
    const clock = createMovedClock();
    const file = "file:///project/assets/pier.png";
    const placed = { state: "placed", file, at: clock.now() + 24 * 3_600_000 } as const;
    const before = makeTask({ intent: { id: "before" }, submission: accepted({}, { placement: placed }) });
    const later = makeTask({ intent: { id: "later" }, submission: accepted({ state: "succeeded" }) });
    const tasks = new Map([before, later].map((task) => [task.intent.id, task]));
    const board = {
      ...{ listed: tasks, all: tasks, onDidChange: new Emitter<ReadonlySet<string>>().event },
      applyThenWrite: (record: TaskRecord) =>
        Promise.resolve(void tasks.set("later", reduceTask(later, record) ?? later)),
    } as unknown as TaskBoard;
    const project = { place: () => Promise.resolve("placed") } as unknown as ProjectFiles;
    const saveResult = (): Promise<string> => Promise.resolve("/results/pier.png");
    const placer = new ResultPlacer({ board, project, clock, log: keptLog(), saveResult });
    assert.equal(await placer.placeAt("later", file, true), "placed");
    const { task, at: placedTime } = placedFiles(tasks.values()).get(file)!;
    assert.equal(task.intent.id, "later");
    assert.ok(placedTime > placed.at, "the line of the one before is older");
  });

  /** Resolves with what was corrected in the document, after the result was placed. */
  const correctedFor = async (
    destination: TaskDestination,
    { result = "/results/pier.png", type = "async-image", rehearsed = [] as readonly Task[] } = {},
  ): Promise<readonly (readonly [document: string, expected: readonly string[], actual: string])[]> => {
    const makesReal = rehearsed[0]?.intent.id;
    const intent = makeIntent({ id: "real", type, destination, ...(makesReal === undefined ? {} : { makesReal }) });
    const submission = accepted({ state: "succeeded" }, { saved: savedAt(result) });
    const tasks = new Map([...rehearsed, makeTask({ intent, submission })].map((task) => [task.intent.id, task]));
    const corrected: (readonly [string, readonly string[], string])[] = [];
    const placed = Promise.withResolvers<undefined>();
    const board = {
      ...{ listed: tasks, all: tasks, onDidChange: new Emitter<ReadonlySet<string>>().event },
      writeThenApply: () => Promise.resolve(true),
      applyThenWrite({ placement }: { placement?: { state: string } }) {
        assert.equal(placement?.state, "placed");
        placed.resolve(undefined);
        return Promise.resolve();
      },
    } as unknown as TaskBoard;
    const project: ProjectFiles = {
      holds: () => true,
      onDidChangeFolders: new Emitter<void>().event,
      makeExact: (source) => Promise.resolve({ paths: [source], remove: () => Promise.resolve() }),
      place: () => Promise.resolve("placed"),
      removeCopy: () => Promise.resolve(false),
      correctReferences: (...names) => Promise.resolve(void corrected.push(names)),
    };
    const saveResult = (): Promise<string> => Promise.resolve(result);
    const placer = new ResultPlacer({ board, project, clock: createMovedClock(), log: keptLog(), saveResult });
    void placer.run();
    await placed.promise;
    await placer.close();
    return corrected;
  };
  const document = "file:///project/page.md";
  const at = (name: string): string => `file:///project/${name}`;

  it("T8, T20: a file under its exact name changes nothing in the document that names it", async () => {
    const exact = [{ file: at("logo.png") }];
    assert.deepEqual(await correctedFor({ file: at("logo.png"), document, exact }), []);
    assert.deepEqual(await correctedFor({ file: at("hero"), document }), []);
  });

  it("T8: the reference is looked for as it was written: with the ending of its kind, or with none where that is not known", async () => {
    const destination = { file: at("hero"), document };
    assert.deepEqual(await correctedFor(destination, { result: "/results/pier.webp" }), [
      [document, [at("hero.png")], at("hero.webp")],
    ]);
    assert.deepEqual(await correctedFor(destination, { type: "later" as "video" }), [
      [document, [at("hero")], at("hero.png")],
    ]);
  });

  it("T8, T20: where a rehearsal was placed under another name, the reference has that one", async () => {
    const destination = { file: at("hero"), document };
    const placement = { state: "placed", file: at("hero.webp"), at: 1 } as const;
    const intent = makeIntent({ id: "rehearsal", isRehearsal: true, destination });
    const rehearsed = [
      makeTask({
        intent,
        submission: accepted({ state: "succeeded" }, { saved: savedAt("/results/a.webp"), placement }),
      }),
    ];
    assert.deepEqual(await correctedFor(destination, { result: "/results/pier.jpg", rehearsed }), [
      [document, [at("hero.png"), at("hero.webp")], at("hero.jpg")],
    ]);
  });
});
