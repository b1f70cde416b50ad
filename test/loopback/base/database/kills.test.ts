/** The database's trial: real processes that write and read together and are killed at seeded moments. `SLUICE_RUNS=50` makes it long. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "../../../../src/base/async/systemClock";
import { Database } from "../../../../src/base/database/database";
import { seeded } from "../../../support/seeded";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";
import { trialMigrations } from "./trialSchema";
import { firstSeed, runsOf } from "../../../support/runs";

const kills = runsOf(20);
const program = join(import.meta.dirname, "writer.mjs");

interface Writer {
  readonly child: ChildProcess;
  /** The first thing that it has to say: from then on it writes. */
  readonly started: Promise<unknown>;
}

describe("a database that three processes write", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  it(`T1, R3, R8: ${kills} seeded kills: no confirmed commit is lost, and the file is whole each time`, async () => {
    const path = join(folder.path, "trial.db");
    /** The highest number that was confirmed to each writer. */
    const confirmed = new Map<string, number>();
    const failures: string[] = [];
    const start = (): Writer => {
      const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "pipe"] });
      const lines = createInterface(child.stdout);
      lines.on("line", (line) => {
        const [writer = "", number] = line.split(" ");
        confirmed.set(writer, Number(number));
      });
      child.stderr.on("data", (text: Buffer) => failures.push(text.toString()));
      return { child, started: Promise.race([once(lines, "line"), once(child, "exit")]) };
    };
    const end = async ({ child }: Writer): Promise<void> => {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    };
    const writers = [start(), start(), start()];
    const random = seeded(firstSeed);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const victim = random(writers.length);
        await writers[victim]!.started;
        // At any point of a transaction, also while the killed one's journal is rolled back by the next.
        await systemClock.delay(random(25));
        await end(writers[victim]!);
        writers[victim] = start();
        if (kill % 10 === 0 || kill === kills - 1) await check(path, confirmed);
        assert.deepEqual(failures, []);
      }
    } finally {
      await Promise.all(writers.map(end));
    }
    await check(path, confirmed);
    assert.ok([...confirmed.values()].reduce((sum, number) => sum + number, 0) > kills);
    if (kills > 100) console.log(`      ${[...confirmed.values()].reduce((sum, n) => sum + n, 0)} confirmed commits`);
  }).timeout(180_000 + kills * 1_000);
});

async function check(path: string, confirmed: ReadonlyMap<string, number>): Promise<void> {
  // As of now: what is confirmed while the file is read may be missing in it.
  const expected = new Map(confirmed);
  const database = await Database.open({ path, migrations: trialMigrations, clock: systemClock });
  assert.equal(database.replacement, undefined, "a sound file was taken for a corrupt one");
  const found = await database.read((connection) => ({
    integrity: connection.value("PRAGMA integrity_check"),
    sum: connection.value("SELECT sum FROM total"),
    rows: connection.value("SELECT count(*) FROM entry"),
    writers: connection.all("SELECT writer, max(number) AS highest, count(*) AS rows FROM entry GROUP BY writer"),
  }));
  await database.close();
  assert.equal(found.integrity, "ok");
  assert.equal(found.sum, found.rows);
  const written = new Map(found.writers.map(({ writer, highest }) => [writer, Number(highest)]));
  for (const { writer, highest, rows } of found.writers) assert.equal(rows, highest, `gaps in ${String(writer)}`);
  for (const [writer, number] of expected) assert.ok((written.get(writer) ?? 0) >= number, `${writer} ${number}`);
}
