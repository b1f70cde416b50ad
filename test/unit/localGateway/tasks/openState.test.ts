/** L3: the state folder: damage, and folders that can't be used. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../../../src/localGateway/ledger";
import { openState } from "../../../../src/localGateway/tasks/gatewayTask";
import { type StateDatabase, StateUnusable } from "../../../../src/localGateway/state/stateDatabase";
import { createMovedClock } from "../../../support/movedClock";

describe("local gateway: state folder", () => {
  let stateDir: string;
  const setAside: string[] = [];
  const clock = createMovedClock();
  beforeEach(async () => (stateDir = await mkdtemp(join(tmpdir(), "state-"))));
  afterEach(() => rm(stateDir, { recursive: true }));

  const opened = (): Promise<StateDatabase> =>
    openState({ stateDir, clock, deposit: 5000, onSetAside: (file) => setAside.push(file) });

  it("L3: the file is its owner's only, and the first deposit is made once", async () => {
    for (let start = 0; start < 2; start += 1) {
      const state = await opened();
      assert.equal(state.balance.deposited, 5000);
      await state.close();
    }
    const { mode } = await stat(join(stateDir, "state.db"));
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
  });

  it("L3: a folder that can't be used is named, with the reason", async () => {
    await mkdir(join(stateDir, "state.db"));
    await assert.rejects(opened(), (error: unknown) => {
      assert.ok(error instanceof StateUnusable);
      assert.ok(error.message.startsWith(`The state folder ${stateDir} can't be used: `), error.message);
      return true;
    });
  });

  it("L3: a damaged file is set aside whole, and a new one begins with its first deposit", async () => {
    const state = await opened();
    await state.change((connection) => void new Ledger(connection, 1).hold(10));
    await state.close();
    await writeFile(join(stateDir, "state.db"), "no database at all");
    const again = await opened();
    assert.deepEqual(again.balance, { deposited: 5000, available: 5000, held: 0, spent: 0 });
    await again.close();
    assert.equal(setAside.length, 1);
    assert.equal(await readFile(setAside[0]!, "utf8"), "no database at all");
  });
});
