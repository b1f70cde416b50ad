/** Random outcomes, kills, removed rows, restored files and full disks, against the local gateway's ledger: no second hold, no lost task or result, no false sentence about money. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createHttpGateway } from "../../../src/gateway/httpGateway";
import { type FaultyGateway, startFaultyGateway } from "../../faults/faultyGateway";
import { type FileRoom, limitFileRoom } from "../../support/fullDisk";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { playWorld } from "../../support/outcomes/playWorld";
import { steps } from "../../support/outcomes/steps";
import { openWithoutSync } from "../../support/openWithoutSync";
import { Draws, ways } from "../../support/outcomes/ways";
import { World } from "../../support/outcomes/world";
import { plainEndpoint } from "../../support/plainOptions";
import { fewOf, firstSeed } from "../../support/runs";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

/** Of a hundred steps. */
const runs = fewOf(40, 3);

describe("submissions over random outcomes, kills and full disks", () => {
  let folder: TemporaryFolder;
  let clock: MovedClock;
  let gateway: FaultyGateway;
  let room: FileRoom;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    clock = createMovedClock();
    const stateDir = join(folder.path, "gateway");
    gateway = await startFaultyGateway({ stateDir, clock, deposit: 1e12, openNative: openWithoutSync });
    room = await limitFileRoom();
  });
  afterEach(async () => {
    room.end();
    await gateway.close();
    await folder.remove();
  });

  it(`T1, R3, T8, T10 (finding 1, 2, 38): ${100 * runs} steps: one hold for each key, a row for each task, each result whole, no sentence that is false`, async () => {
    const real = createHttpGateway({ ...plainEndpoint, baseUrl: gateway.url, key: gateway.key });
    const counts = new Map<string, number>();
    const moved = new Map<string, string>();
    let made = 0;
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const own = join(folder.path, String(seed));
      await mkdir(own);
      const draws = new Draws(seed, counts);
      const world = new World({ folder: own, gateway, real, clock, room, draws });
      await playWorld(world, seed, 100);
      made += world.made.size;
      for (const [taskId, hold] of world.moved) moved.set(taskId, hold);
    }
    await gateway.flushed();
    const response = await fetch(`${gateway.url}/_local/ledger`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    const { entries } = (await response.json()) as { entries: { type: string; taskId?: string }[] };
    const tasksOf = (type: string): Set<string | undefined> =>
      new Set(entries.filter((entry) => entry.type === type).map(({ taskId }) => taskId));
    const movedIn = { settled: tasksOf("settle"), released: tasksOf("release") };
    assert.ok(made > 10 * runs, String(made));
    assert.equal(entries.filter(({ type }) => type === "hold").length, made, "one hold for each key, none beside them");
    for (const [taskId, hold] of moved)
      assert.ok(movedIn[hold as keyof typeof movedIn].has(taskId), `a row said ${hold}, the ledger does not`);
    await real.close();
    if (process.env["SLUICE_TABLE"]) {
      console.log(`${runs * 100} steps from seed ${firstSeed}: ${made} holds, ${moved.size} seen settled or released`);
      for (const { name } of [...steps, ...ways]) console.log(`${String(counts.get(name) ?? 0).padStart(7)}  ${name}`);
    }
  }).timeout(180_000 + runs * 24_000);
});
