/** L3: the state folder: damage, and folders that can't be used. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../../../src/localGateway/money/ledger";
import { openState } from "../../../../src/localGateway/tasks/openState";
import type { StateDatabase } from "../../../../src/localGateway/state/stateDatabase";
import { StateUnusable } from "../../../../src/localGateway/state/stateUnusable";
import { createMovedClock } from "../../../support/movedClock";
import { plainStateOptions } from "../../../support/plainPorts";

describe("local gateway: state folder", () => {
  let stateDir: string;
  const clock = createMovedClock();
  beforeEach(async () => (stateDir = await mkdtemp(join(tmpdir(), "state-"))));
  afterEach(() => rm(stateDir, { recursive: true }));

  const opened = (): Promise<StateDatabase> => openState({ ...plainStateOptions, stateDir, clock, deposit: 5000 });

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

  it("L3: a damaged file is set aside, and the sums agree again over the rows that are left", async () => {
    const state = await opened();
    await state.change((connection) => {
      const ledger = new Ledger(connection, 1);
      for (let count = 0; count < 400; count += 1) {
        const id = ledger.hold(10);
        if (count % 2 === 0) ledger.settle(id, 7);
        else ledger.release(id);
      }
    });
    await state.close();
    const file = await open(join(stateDir, "state.db"), "r+");
    const { size } = await file.stat();
    const pages = 4096 * 6;
    await file.write(Buffer.alloc(pages, 0xff), 0, pages, Math.floor(size / 8192) * 4096);
    await file.close();
    const again = await opened();
    await again.change((connection) => {
      // Reads every page.
      connection.all("SELECT * FROM entry");
      connection.all("SELECT * FROM hold");
    });
    const { deposited, available, held, spent } = again.balance;
    assert.equal(available + held + spent, deposited);
    assert.ok((await readdir(stateDir)).some((name) => name.includes(".corrupt-")));
    await again.close();
  });
});
