/** The local gateway's process: what becomes of one that does not start, and when it is started again. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import { GatewayConnections } from "../../../src/gateway/connections";
import { createLocalGatewayProcess, type LocalGatewayProcess } from "../../../src/gateway/localGatewayProcess";
import { keptAccounts, keptLog, makeGateway, until } from "../../support/builders";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

/** A program that writes a line each time it is started, and begins to greet once there is a file `healthy`. */
const program = `
  import { appendFileSync, existsSync } from "node:fs";
  import { join } from "node:path";
  const folder = process.argv[process.argv.indexOf("--state") + 1];
  appendFileSync(join(folder, "starts"), process.pid + "\\n");
  if (!existsSync(join(folder, "healthy"))) {
    process.stderr.write("localGateway: There are no locks.\\n");
    process.exit(2);
  }
  process.once("disconnect", () => process.exit(0));
  process.send({ url: "http://127.0.0.1:4000", key: "sk-local" });
`;

describe("the process of the local gateway", () => {
  let folder: TemporaryFolder;
  let local: LocalGatewayProcess;
  let exits: number;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    exits = 0;
    await writeFile(join(folder.path, "program.mjs"), program);
    local = createLocalGatewayProcess({
      program: join(folder.path, "program.mjs"),
      state: folder.path,
      speed: () => 1,
      relay: () => false,
      stylizedImageWord: () => "",
      log: keptLog(),
    });
    local.onDidExit(() => (exits += 1));
  });
  afterEach(async () => {
    local.dispose();
    await folder.remove();
  });

  const started = async (): Promise<readonly number[]> =>
    (await readFile(join(folder.path, "starts"), "utf8")).trim().split("\n").map(Number);

  it("C1, L1: a connection to a local gateway that can't start fails with its error, and is not tried again by itself", async () => {
    const connections = new GatewayConnections({
      baseUrl: new Store(""),
      keys: { read: () => Promise.resolve(undefined), onDidChange: new Emitter<string>().event },
      accounts: keptAccounts(),
      local,
      connect: () => makeGateway({}),
      log: keptLog(),
    });
    try {
      await connections.refresh();
      const { current } = connections.current;
      assert.ok(current.state === "failed", current.state);
      assert.match(current.error.message, /There are no locks\./);
      await assert.rejects(connections.ready(), /There are no locks\./);
      assert.deepEqual([exits, (await started()).length], [0, 1]);
      await writeFile(join(folder.path, "healthy"), "");
      await connections.refresh();
      assert.equal((await connections.ready()).home.origin, "local");
    } finally {
      connections.dispose();
    }
  });

  it("L1: a gateway that ran and has ended is reported once, and the next start is a new process", async () => {
    await writeFile(join(folder.path, "healthy"), "");
    await local.start();
    await local.start();
    const [pid] = await started();
    process.kill(pid!);
    await until(() => exits > 0);
    await local.start();
    assert.deepEqual([exits, (await started()).length], [1, 2]);
  });

  it("C1, L1: after a process that could not be made, the next start tries again", async () => {
    const { execPath } = process;
    try {
      process.execPath = join(folder.path, "missing");
      await assert.rejects(local.start(), /ENOENT/);
    } finally {
      process.execPath = execPath;
    }
    await writeFile(join(folder.path, "healthy"), "");
    assert.equal((await local.start()).key, "sk-local");
    assert.equal(exits, 0);
  });
});
