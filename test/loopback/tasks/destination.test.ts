/** A result on its way into the project: from the submit to the file in its place, with the window killed at each step. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Emitter } from "../../../src/base/event";
import { systemClock } from "../../../src/base/async/systemClock";
import { acceptedOf } from "../../../src/domain/task/phase";
import type { Placement } from "../../../src/domain/task/task";
import { placeFile } from "../../../src/tasks/results/placeFile";
import { correctReferences } from "../../../src/tasks/results/correctReferences";
import { relativePath, writeReference } from "../../../src/tasks/results/reference";
import { type ProjectFiles, ResultPlacer } from "../../../src/tasks/results/resultPlacer";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { keptLog } from "../../support/builders";
import { eventually } from "../../support/eventually";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { type Accepted, TaskBench } from "./taskBench";

/** The files of a folder, as the windows of VS Code would change them. A step calls `reach`, in which a test kills the window. */
function projectIn(folder: string, reach: (step: string) => void): ProjectFiles {
  return {
    holds: (file) => fileURLToPath(file).startsWith(folder),
    onDidChangeFolders: new Emitter<void>().event,
    async makeExact(source, files) {
      reach("before the conversion");
      const made = await mkdtemp(join(tmpdir(), "sluice-exact-"));
      const paths = files.map((_, index) => join(made, String(index)));
      for (const [index, { width = 0 }] of files.entries())
        await writeFile(paths[index] ?? "", Buffer.concat([await readFile(source), Buffer.from(`${width}`)]));
      return { paths, remove: () => rm(made, { recursive: true }) };
    },
    async place(source, file, { replaces, instead }) {
      reach("before the file");
      const outcome = await placeFile(source, fileURLToPath(file), { root: folder, replaces, instead });
      reach("after the file");
      return outcome;
    },
    async removeCopy(source, file) {
      const [copy, found] = await Promise.all([readFile(source), readFile(fileURLToPath(file)).catch(() => undefined)]);
      if (found?.equals(copy) === true) await rm(fileURLToPath(file));
      reach("after the placeholder");
      return found === undefined || found.equals(copy);
    },
    async correctReferences(document, expected, actual) {
      const path = fileURLToPath(document);
      const from = (file: string): string => relativePath(path, fileURLToPath(file));
      let text = await readFile(path, "utf8");
      for (const one of expected) {
        const changes = correctReferences(text, from(one), from(actual), "markdown");
        for (const { start, end, text: piece } of [...changes].reverse()) {
          text = text.slice(0, start) + piece + text.slice(end);
        }
      }
      await writeFile(path, text);
      reach("after the reference");
    },
  };
}

describe("a destination in the project", () => {
  let clock: MovedClock;
  let over: AppOverGateway;
  let bench: TaskBench;
  let assets: string;
  let document: string;
  let placer: ResultPlacer | undefined;
  /** The window is killed when a step of this name is reached for the first time. */
  let killAt: string | undefined;
  const open = async (speed: number): Promise<void> => {
    clock = createMovedClock();
    over = await openAppOverGateway({ clock, pollClock: clock, speed, fetchUpTo: 0 });
    bench = new TaskBench(over, clock);
    assets = join(over.folder, "project", "assets");
    document = join(over.folder, "project", "page.md");
    await mkdir(dirname(document));
    await writeFile(
      document,
      `# Page\n\n${writeReference("markdown", { path: "assets/hero.webm", alt: "Hero", kind: "video" })}\n`,
    );
  };
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
  const openPlacer = async (): Promise<void> => {
    await placer?.close();
    const { app } = over;
    const saveResult = (id: string): Promise<string> => app.saveResult(id);
    const project = projectIn(dirname(document), reach);
    placer = new ResultPlacer({ board: app.board, project, clock, log: keptLog(), saveResult });
    void placer.run();
  };
  const restart = async (): Promise<void> => {
    await over.restartApp();
    await openPlacer();
  };
  const submit = async (): Promise<string> => {
    const destination = {
      file: pathToFileURL(join(assets, "hero.webm")).href,
      document: pathToFileURL(document).href,
    };
    const [id = ""] = await over.app.outbox.submit([
      { type: "video", model: "demo-video", prompt: "a tide", destination },
    ]);
    return id;
  };
  const placementOf = (id: string): Placement | undefined => bench.accepted(id).placement;
  /** Moves the clock, while downloads and copies go on in real time. */
  const reaches = async (id: string, isThere: (task: Accepted) => boolean): Promise<void> => {
    const giveUp = systemClock.now() + 120_000;
    while (!isThere(bench.accepted(id))) {
      if (systemClock.now() > giveUp) assert.fail(JSON.stringify(bench.accepted(id)));
      await clock.advance(4000);
      await systemClock.delay(1);
    }
  };
  const creates = (): number =>
    over.gateway.requests.filter(({ method, path }) => method === "POST" && path === "/v1/tasks").length;

  it("T8: a video of half an hour, the window killed at each step: one hold, one file, one reference", async () => {
    await open(0.03);
    await openPlacer();
    const id = await submit();
    const submitted = clock.now();
    await restart();
    await reaches(id, ({ remote }) => remote.state === "processing");
    await restart();
    for (const step of ["before the file", "after the file", "after the reference"]) {
      killAt = step;
      await reaches(id, () => killAt === undefined);
      await restart();
    }
    await reaches(id, ({ placement }) => placement?.state === "placed");
    await restart();
    assert.ok(clock.now() - submitted > 20 * 60_000, "it took its time");
    assert.deepEqual(
      await readdir(assets),
      ["hero.mp4"],
      "the ending is that of the result, and nothing lies beside it",
    );
    const saved = await readFile(await over.app.saveResult(id));
    assert.deepEqual(await readFile(join(assets, "hero.mp4")), saved);
    const text = await readFile(document, "utf8");
    assert.equal(text, '# Page\n\n<video controls src="assets/hero.mp4" title="Hero"></video>\n');
    assert.equal(creates(), 1);
    await over.gateway.flushed();
    assert.equal(over.gateway.openHolds, 0);
    assert.equal(
      (await readdir(join(over.folder, ".storage", "results"))).filter((name) => name.endsWith(".mp4")).length,
      1,
    );
  });

  it("T20: an icon in three sizes, the window killed at each step: one task, each file once, and one that is there stays", async () => {
    await open(1);
    await openPlacer();
    await mkdir(assets);
    await writeFile(join(assets, "16.png"), "mine");
    const exact = [512, 192, 48, 16].map((width) => ({
      file: pathToFileURL(join(assets, `${width}.png`)).href,
      width,
      height: width,
    }));
    const destination = { file: exact[0]?.file ?? "", exact };
    const order = { type: "async-image", model: "demo-image", prompt: "an icon", destination } as const;
    const [id = ""] = await over.app.outbox.submit([order]);
    for (const step of ["before the conversion", "before the file", "after the file", "before the conversion"]) {
      killAt = step;
      await reaches(id, () => killAt === undefined);
      await restart();
    }
    await reaches(id, ({ placement }) => placement?.state === "placed");
    const source = await readFile(await over.app.saveResult(id), "latin1");
    assert.deepEqual((await readdir(assets)).sort(), ["16.png", "192.png", "48.png", "512.png"]);
    for (const width of [512, 192, 48])
      assert.equal(await readFile(join(assets, `${width}.png`), "latin1"), `${source}${width}`);
    assert.equal(await readFile(join(assets, "16.png"), "utf8"), "mine");
    assert.equal(creates(), 1);
    await rm(join(assets, "192.png"));
    assert.equal(await placer?.restore(id, pathToFileURL(join(assets, "192.png")).href), "placed");
    assert.equal(await readFile(join(assets, "192.png"), "latin1"), `${source}192`);
  });

  it("T8: another file of that name is left as it is and the row says so; a person decides", async () => {
    await open(1);
    await mkdir(assets);
    await writeFile(join(assets, "hero.mp4"), "mine");
    await openPlacer();
    const id = await submit();
    await reaches(id, ({ placement }) => placement?.state === "occupied");
    assert.equal(await readFile(join(assets, "hero.mp4"), "utf8"), "mine");
    await restart();
    await clock.advance(60_000);
    assert.equal(placementOf(id)?.state, "occupied", "nothing is tried again without a click");
    const other = pathToFileURL(join(assets, "hero two.mp4")).href;
    assert.equal(await placer?.placeAt(id, other, false), "placed");
    assert.equal(placementOf(id)?.state, "placed");
    assert.match(await readFile(document, "utf8"), /src="assets\/hero%20two\.mp4"/);
    assert.equal(await readFile(join(assets, "hero.mp4"), "utf8"), "mine");
  });

  it("T8: two windows that have the folder open place it once", async () => {
    await open(1);
    await openPlacer();
    const other = new ResultPlacer({
      board: over.app.board,
      project: projectIn(dirname(document), () => undefined),
      clock,
      log: keptLog(),
      saveResult: (id) => over.app.saveResult(id),
    });
    void other.run();
    const id = await submit();
    await reaches(id, ({ placement }) => placement?.state === "placed");
    // The one that was later may still be about to see that the file is there, and remove its own part.
    await Promise.all([placer, other].map(async (one) => await one?.close()));
    assert.deepEqual(await readdir(assets), ["hero.mp4"]);
  });

  it("T8, T6: a task that is cleared while its result is fetched is placed all the same", async () => {
    await open(1);
    const { board } = over.app;
    placer = new ResultPlacer({
      board,
      project: projectIn(dirname(document), reach),
      clock,
      log: keptLog(),
      async saveResult(id) {
        await board.applyThenWrite({ type: "task-removed", id, at: clock.now() });
        return over.app.saveResult(id);
      },
    });
    void placer.run();
    const id = await submit();
    const placement = (): Placement | undefined => acceptedOf(board.all.get(id))?.placement;
    await eventually("it is placed", async () => {
      await clock.advance(4000);
      return placement()?.state === "placed";
    });
    assert.deepEqual(await readdir(assets), ["hero.mp4"]);
    assert.equal(board.listed.has(id), false);
  });
});
