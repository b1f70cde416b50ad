/** A13, A5: a window that is killed while it applies the changes of a command leaves nothing half, and nothing is lost. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ChangeLedger } from "../../../../src/chat/undo/changeLedger";
import { LedgerFiles } from "../../../../src/chat/undo/ledgerFiles";
import { undoable, undoChanges } from "../../../../src/chat/undo/undoChanges";
import { collectCopies } from "../../../../src/tools/sandbox/workspaceCopy";
import { type CopiedProject, createCopiedProject } from "../../../support/copiedProject";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { fewOf, firstSeed } from "../../../support/runs";
import { seeded } from "../../../support/seeded";

describe("a window that is killed while it applies the changes of a command", function () {
  this.timeout(300_000);
  let project: CopiedProject;
  beforeEach(async function () {
    project = await createCopiedProject();
    if (!project.isReady) this.skip();
  });
  afterEach(() => project.remove());

  const count = 60;
  const names = Array.from({ length: count }, (_, at) => `src/d${at % 7}/f${at}.js`);

  it("A13, A5: each file is the one from before or the new one; what is new is undone, what is not is kept", async () => {
    const random = seeded(firstSeed);
    for (let run = 0; run < fewOf(25, 4); run += 1) {
      for (const name of names) await project.put(name, `old ${name}\n`);
      const chats = join(project.base, `storage${run}`, "chats");
      const line =
        "for each in src/*/*.js; do echo new > $each; done; mkdir -p dist; for n in $(seq 40); do echo $n > dist/$n.bin; done";
      const program = resolve("dist/test/support/applyingProgram.mjs");
      const child = spawn(process.execPath, [program, project.root, project.copies, chats, line], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      // Its output is read to its end: a program whose output nobody reads ends by itself.
      await new Promise<void>((begun) => {
        child.stdout.on("data", (chunk) => String(chunk).includes("applying") && begun());
        child.stdout.on("close", begun);
      });
      const until = performance.now() + random(1500) / 10;
      while (performance.now() < until) await new Promise((next) => setImmediate(next));
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const workspace = createDiskWorkspace(project.root);
      const store = LedgerFiles.nextTo(chats).storeOf("chat");
      const ledger = new ChangeLedger({
        store,
        workspace,
        now: () => Date.now(),
        labelOf: (path) => path,
      });
      await ledger.recover();
      // Copies of earlier runs are kept too, and lack what was applied from them.
      const kept = collectCopies(project.copies).filter((folder) => basename(folder).startsWith(`${child.pid}-`));
      const inLedger = new Set(ledger.live.map(({ path }) => path.slice(project.root.length + 1)));
      for (const name of names) {
        const text = await project.read(name);
        assert.ok(text === "new\n" || text === `old ${name}\n`, `${name}: ${text}`);
        if (text === "new\n") assert.ok(inLedger.has(name), `${name} can be undone`);
        else {
          assert.equal(kept.length, 1, "the copy was kept before anything was looked at");
          assert.equal(readFileSync(join(kept[0] ?? "", "0/upper", name), "utf8"), "new\n");
        }
      }
      for (let n = 1; n <= 40; n += 1)
        if (existsSync(project.at(`dist/${n}.bin`))) assert.equal(await project.read(`dist/${n}.bin`), `${n}\n`);
      const { failed, edited } = await undoChanges(ledger, undoable(ledger));
      assert.deepEqual([failed, edited], [[], []]);
      for (const name of names) assert.equal(await project.read(name), `old ${name}\n`);
      for (const folder of kept) await project.run(`true`).then(() => assert.ok(existsSync(folder)));
    }
  });
});
