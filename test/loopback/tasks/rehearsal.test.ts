/** Rehearsed for nothing, then made real: placeholders where the files will be, one yes, and each file exchanged in place, whatever is killed meanwhile. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { systemClock } from "../../../src/base/async/systemClock";
import { Emitter } from "../../../src/base/event";
import { pictureSizeOf } from "../../../src/domain/media/pictureBounds";
import type { Task, TaskOrder } from "../../../src/domain/task/task";
import { runCheck } from "../../../src/tasks/lock/check";
import { marksIn } from "../../../src/tasks/lock/fileMarks";
import { LockKeeper } from "../../../src/tasks/lock/lockKeeper";
import { placeFile } from "../../../src/tasks/results/placeFile";
import { type ProjectFiles, ResultPlacer } from "../../../src/tasks/results/resultPlacer";
import { realTask, rehearsalsToMake } from "../../../src/tasks/submit/rehearsals";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { TaskBench } from "./taskBench";

const page = "# Page\n\n![Hero](assets/hero.png)\n";

describe("a rehearsal", () => {
  let clock: MovedClock;
  let over: AppOverGateway;
  let bench: TaskBench;
  let root: string;
  let placer: ResultPlacer | undefined;
  let killAt: string | undefined;
  beforeEach(async () => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock, speed: 1, fetchUpTo: 0, tasksPerDay: () => 1 });
    bench = new TaskBench(over, clock);
    root = join(over.folder, "project");
    await mkdir(root);
    await writeFile(join(root, "page.md"), page);
    await openPlacer();
  });
  afterEach(async () => {
    await placer?.close();
    await over.close();
  });

  const reach = (step: string): void => {
    if (step !== killAt) return;
    killAt = undefined;
    placer?.dispose();
    over.app.dispose();
  };
  const project: ProjectFiles = {
    holds: (file) => fileURLToPath(file).startsWith(root),
    onDidChangeFolders: new Emitter<void>().event,
    async place(source, file, { replaces, instead }) {
      reach("before the file");
      const outcome = await placeFile(source, fileURLToPath(file), { root, replaces, instead });
      reach("after the file");
      return outcome;
    },
    // The bytes of the result and the name of the file stand for a conversion: the same each time.
    async makeExact(source, files) {
      const folder = await mkdtemp(join(over.folder, "exact-"));
      const paths = files.map((_, index) => join(folder, `${index}.png`));
      const bytes = await readFile(source);
      for (const [index, { file }] of files.entries())
        await writeFile(paths[index]!, Buffer.concat([bytes, Buffer.from(basename(file))]));
      return { paths, remove: () => rm(folder, { recursive: true }) };
    },
    async removeCopy(source, file) {
      const [copy, found] = await Promise.all([readFile(source), readFile(fileURLToPath(file)).catch(() => undefined)]);
      if (found?.equals(copy) === true) await rm(fileURLToPath(file));
      reach("after the placeholder");
      return found === undefined || found.equals(copy);
    },
    correctReferences: () => {
      reach("after the reference");
      return Promise.resolve();
    },
  };
  const openPlacer = async (): Promise<void> => {
    await placer?.close();
    const { app } = over;
    const saveResult = (id: string): Promise<string> => app.saveResult(id);
    placer = new ResultPlacer({ board: app.board, project, clock, log: keptLog(), saveResult });
    void placer.run();
  };
  const restart = async (): Promise<void> => {
    await over.restartApp();
    await openPlacer();
  };
  const order = (name = "hero", more: Partial<TaskOrder> = {}): TaskOrder => ({
    ...{ type: "async-image", model: "some-paid-model", prompt: `A ${name} on a pier`, metadata: '{"size":"96x64"}' },
    destination: {
      file: pathToFileURL(join(root, "assets", name)).href,
      document: pathToFileURL(join(root, "page.md")).href,
    },
    ...more,
  });
  const rehearse = (...orders: readonly TaskOrder[]): Promise<readonly string[]> =>
    over.app.outbox.submit(orders.map((one) => ({ ...one, isRehearsal: true as const })));
  const moveUntil = async (isThere: () => boolean): Promise<void> => {
    const giveUp = systemClock.now() + 60_000;
    while (!isThere()) {
      if (systemClock.now() > giveUp) assert.fail(JSON.stringify([...over.app.board.all.values()], undefined, 1));
      await clock.advance(2000);
      await systemClock.delay(1);
    }
  };
  const placed = (id: string): boolean => {
    const { submission } = bench.task(id);
    return submission.state === "accepted" && submission.placement?.state === "placed";
  };
  const taskOf = (id: string): Task => bench.task(id);
  /** As after the person's yes. The model is one that this gateway has. */
  const prepareReal = async (...ids: readonly string[]) => {
    const { board, outbox } = over.app;
    await board.loaded();
    const { home } = await over.connections.ready();
    const made = [];
    for (const one of rehearsalsToMake(board, ids.map(taskOf))) made.push((await realTask(board, one, home))!);
    const orders = made.map((one) => ({ ...one.order, model: "demo-image" }));
    return outbox.prepare(
      orders,
      home,
      undefined,
      made.map((one) => one.ids),
    );
  };
  const makeReal = async (...ids: readonly string[]): Promise<readonly string[]> => {
    const intents = await prepareReal(...ids);
    await over.app.outbox.send(intents);
    return intents.map(({ id }) => id);
  };
  const hero = (): Promise<Buffer> => readFile(join(root, "assets", "hero.png"));
  const paid = (): number => 100_000 - over.gateway.balance.available;
  const lockNow = async (): Promise<string> => {
    const keeper = new LockKeeper({
      board: over.app.board,
      clock: systemClock,
      log: keptLog(),
      scratch: join(over.folder, ".lock"),
      results: join(over.folder, ".storage", "results"),
      roots: () => [root],
      onDidChangeRoots: new Emitter<void>().event,
    });
    await keeper.keep();
    const { code, lines } = await runCheck([root]);
    return `${code} ${lines
      .slice(0, -1)
      .map((line) => line.split(":", 2).join(":"))
      .join(", ")}`;
  };

  it("T20: the window killed at each step: nothing is paid before the yes, one real task after it, and no file is both", async () => {
    // The result is a PNG, so the reference is corrected.
    const [id = ""] = await rehearse(order("hero.webp"));
    for (const step of ["before the file", "after the file", "after the reference"]) {
      killAt = step;
      await moveUntil(() => killAt === undefined);
      await restart();
    }
    await moveUntil(() => placed(id));
    assert.deepEqual(pictureSizeOf(await hero()), { width: 96, height: 64 });
    assert.ok(marksIn(await hero()).includes("rehearsed"));
    assert.equal(await lockNow(), "1 rehearsed: assets/hero.png");
    await over.gateway.flushed();
    assert.deepEqual([paid(), over.gateway.openHolds], [0, 0], "money is 0 until the yes");

    // Killed between the intent on disk and the request.
    const [intent] = await prepareReal(id);
    assert.ok(intent);
    await over.app.board.writeThenApply({ type: "task-intended", intent });
    await restart();
    const [real = ""] = await makeReal(id);
    assert.equal(real, intent.id);
    assert.deepEqual(await makeReal(id), [], "a second yes makes nothing");
    for (const step of ["before the file", "after the file", "after the reference"]) {
      killAt = step;
      await moveUntil(() => killAt === undefined);
      assert.equal(marksIn(await hero()).includes("rehearsed"), step === "before the file");
      assert.match(await lockNow(), /^1 (rehearsed|foreign): assets\/hero.png$/, `${step}: the check does not pass`);
      await restart();
    }
    await moveUntil(() => placed(real));
    assert.equal(await lockNow(), "0 ");
    assert.deepEqual(await readdir(join(root, "assets")), ["hero.png"]);
    assert.deepEqual(await hero(), await readFile(await over.app.saveResult(real)));
    assert.equal(await readFile(join(root, "page.md"), "utf8"), page, "the reference is as it was");
    await over.gateway.flushed();
    const creates = over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks");
    assert.equal(creates.length, 2, "one for the rehearsal, one for the real task");
    assert.ok(paid() > 0 && over.gateway.openHolds === 0);
  });

  it("T20: two windows that say yes at the same moment pay once", async () => {
    const [id = ""] = await rehearse(order());
    await moveUntil(() => placed(id));
    const [one, other] = await Promise.all([prepareReal(id), prepareReal(id)]);
    await Promise.all([over.app.outbox.send(one), over.app.outbox.send(other)]);
    assert.deepEqual(
      one.map(({ id: real, idempotencyKey }) => [real, idempotencyKey]),
      other.map(({ id: real, idempotencyKey }) => [real, idempotencyKey]),
    );
    await over.gateway.flushed();
    assert.equal(over.gateway.openHolds, 1);
  });

  it("T20: a placeholder that somebody has changed is no placeholder any more: it stays, and the row says so", async () => {
    const [id = ""] = await rehearse(order());
    await moveUntil(() => placed(id));
    await writeFile(join(root, "assets", "hero.png"), "mine");
    const [real = ""] = await makeReal(id);
    await moveUntil(() => {
      const { submission } = taskOf(real);
      return submission.state === "accepted" && submission.placement?.state === "occupied";
    });
    assert.equal(await readFile(join(root, "assets", "hero.png"), "utf8"), "mine");
  });

  it("T20: a placeholder that was put somewhere else is exchanged there", async () => {
    await mkdir(join(root, "assets"));
    await writeFile(join(root, "assets", "hero.png"), "mine");
    const [id = ""] = await rehearse(order());
    await moveUntil(() => {
      const { submission } = taskOf(id);
      return submission.state === "accepted" && submission.placement?.state === "occupied";
    });
    const other = join(root, "assets", "other.png");
    assert.equal(await placer?.placeAt(id, pathToFileURL(other).href, false), "placed");
    const [real = ""] = await makeReal(id);
    await moveUntil(() => placed(real));
    assert.equal(await readFile(join(root, "assets", "hero.png"), "utf8"), "mine");
    assert.deepEqual(await readFile(other), await readFile(await over.app.saveResult(real)));
  });

  it("T20: a rehearsal whose request is lost is not made real with other options", async () => {
    const [id = ""] = await rehearse(order());
    await moveUntil(() => placed(id));
    const { all } = over.app.board;
    const { home } = await over.connections.ready();
    const lost = { all, readBody: () => Promise.resolve(undefined) };
    await assert.rejects(realTask(lost, taskOf(id), home), { name: "AppFailure" });
  });

  it("T20: a batch is rehearsed beside the cap of a day, and made real by one yes for exactly that set", async () => {
    const ids = await rehearse(order("hero"), order("icon"), order("map"));
    await moveUntil(() => ids.every(placed));
    const [first = ""] = ids;
    assert.equal(rehearsalsToMake(over.app.board, [taskOf(first)]).length, 3, "one row means its batch");
    assert.equal(
      rehearsalsToMake(over.app.board, ids.slice(0, 2).map(taskOf)).length,
      2,
      "chosen rows mean themselves",
    );
    const { board } = over.app;
    const [, , last = ""] = ids;
    await board.writeThenApply({ type: "task-removed", id: last, at: clock.now() });
    assert.equal(rehearsalsToMake(board, [taskOf(first)]).length, 2, "what was taken off the list is not meant");
    assert.equal(rehearsalsToMake(board, [board.all.get(last)!]).length, 3, "unless it is what was chosen");
    await board.writeThenApply({ type: "task-restored", id: last, at: clock.now() });
    // The cap of one task a day counts no rehearsal.
    const [real = ""] = await makeReal(ids[0]!, ids[0]!);
    await moveUntil(() => placed(real));
    assert.deepEqual(
      rehearsalsToMake(over.app.board, [taskOf(first)]).map(({ intent }) => intent.prompt),
      ["A icon on a pier", "A map on a pier"],
    );
  });

  it("T20: a result of another format takes the place too, and the placeholder goes", async () => {
    const [id = ""] = await rehearse(order("hero", { metadata: '{"size":"96x64","format":"webp"}' }));
    await moveUntil(() => placed(id));
    assert.deepEqual(await readdir(join(root, "assets")), ["hero.webp"]);
    assert.equal(await lockNow(), "1 rehearsed: assets/hero.webp");
    const { outbox } = over.app;
    const { home } = await over.connections.ready();
    const { ids, order: real } = (await realTask(over.app.board, taskOf(id), home))!;
    const jpeg = { ...real, model: "demo-image", metadata: '{"size":"96x64","format":"jpeg"}' };
    const intents = await outbox.prepare([jpeg], home, undefined, [ids]);
    await outbox.send(intents);
    killAt = "after the placeholder";
    await moveUntil(() => killAt === undefined);
    await restart();
    await moveUntil(() => placed(ids.id));
    assert.deepEqual(await readdir(join(root, "assets")), ["hero.jpg"]);
    assert.equal(await lockNow(), "0 ");
  });

  it("T20: a set of exact files is rehearsed and exchanged whole, also where it is killed between two of them", async () => {
    const names = ["hero.png", "hero-2x.png", "icon.png"];
    const exact = names.map((name) => ({
      file: pathToFileURL(join(root, "assets", name)).href,
      format: "png" as const,
      width: 64,
      height: 64,
    }));
    const [id = ""] = await rehearse(order("hero", { destination: { file: exact[0]!.file, exact } }));
    await moveUntil(() => placed(id));
    const read = async (): Promise<readonly string[]> =>
      Promise.all(
        names.map(async (name) =>
          marksIn(await readFile(join(root, "assets", name)))
            .filter((mark) => mark === "rehearsed")
            .join(),
        ),
      );
    assert.deepEqual(await read(), ["rehearsed", "rehearsed", "rehearsed"]);
    const [real = ""] = await makeReal(id);
    for (let kill = 1; kill <= 3; kill += 1) {
      killAt = "after the file";
      await moveUntil(() => killAt === undefined);
      await restart();
    }
    await moveUntil(() => placed(real));
    assert.deepEqual(await read(), ["", "", ""]);
    assert.equal(await lockNow(), "0 ");
  });
});
