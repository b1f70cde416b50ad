/** What a command leaves behind, in processes and in the chat: daemons, and text that others may have written. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../../../src/base/async/systemClock";
import type { BackgroundChild, ChildEnd, ChildProcesses } from "../../../../src/domain/tools/childProcesses";
import type { CallEffects, PreparedCall } from "../../../../src/domain/tools/tool";
import { KeptResults } from "../../../../src/tools/readResult";
import { BackgroundProcesses } from "../../../../src/tools/command/backgroundProcesses";
import { FilesOfCommands } from "../../../../src/tools/command/ownOutput";
import { runCommandLine } from "../../../../src/tools/runCommandLine";
import { createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { until } from "../../../support/builders";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { plainAppOptions } from "../../../support/plainOptions";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

describe("what a command leaves behind", () => {
  let folder: ToolFolder;
  let background: BackgroundProcesses;
  beforeEach(async () => {
    folder = await createToolFolder();
    background = new BackgroundProcesses(systemClock);
  });
  afterEach(async () => {
    background.dispose();
    await folder.remove();
  });

  const prepare = (command: string, more: object = {}, fakes: Partial<ChildProcesses> = {}): Promise<PreparedCall> => {
    const workspace = createDiskWorkspace(folder.path);
    const processes = { ...createChildProcesses(systemClock), ...fakes };
    const tool = runCommandLine({
      workspace,
      processes,
      clock: systemClock,
      moves: new Map(),
      isProjects: () => false,
      results: new KeptResults(),
      made: new FilesOfCommands(workspace),
      background,
      terminals: plainAppOptions.terminals,
    });
    return tool.prepare({ command, ...more }, new AbortController().signal);
  };

  for (const [command, isForeign] of [
    ["echo one", true],
    ["echo one; exit 3", true],
    ["cd . ; true", false],
    ["exit 3", false],
  ] as const) {
    it(`A4, H5: what ${command} writes is ${isForeign ? "foreign text" : "nothing"}`, async () => {
      const told: string[] = [];
      const nothing = (): void => undefined;
      const effects: CallEffects = {
        ...{ activity: nothing, submitted: nothing, output: nothing },
        untrusted: (what) => told.push(what),
      };
      const call = await prepare(command);
      await call.run(new AbortController().signal, effects).catch(nothing);
      assert.deepEqual(told, isForeign ? [command] : []);
    });
  }

  for (const [command, isOwn] of [
    ["npm test", true],
    ["npm test && git commit -m x", true],
    ["pip install -q x", false],
    ["npm test && npm install --silent x", false],
    ["git stash pop", false],
  ] as const) {
    it(`A4, A15: a file that ${command} leaves is ${isOwn ? "the project's own" : "one of others"}`, async () => {
      await folder.command("git", "init", "-q");
      const workspace = createDiskWorkspace(folder.path);
      const made = new FilesOfCommands(workspace);
      const end = { type: "exited", code: 0 } as const;
      const run: ChildProcesses["run"] = () => folder.put("left.txt", "x").then(() => end);
      const processes = { ...createChildProcesses(systemClock), run };
      const isProjects = (): boolean => true;
      const others = { clock: systemClock, moves: new Map<string, () => void>(), results: new KeptResults() };
      const { terminals } = plainAppOptions;
      const background = new BackgroundProcesses(systemClock);
      const tool = runCommandLine({ workspace, processes, ...others, isProjects, made, terminals, background });
      const { signal } = new AbortController();
      await (await tool.prepare({ command }, signal)).run(signal);
      assert.equal(await made.has(join(folder.path, "left.txt")), isOwn);
    });
  }

  it("A4, A15: no longer yes takes untracked files of others into git, nor secrets", async () => {
    await folder.command("git", "init", "-q");
    await folder.put("src/a.ts", "x");
    await folder.command("git", "add", "src/a.ts");
    const isGrantable = async (command: string): Promise<boolean> => {
      const call = await prepare(command);
      assert.ok(call.reasons);
      return call.grant !== undefined;
    };
    for (const command of ["git add .", "git add -A", "git add src", "git add src/a.ts"])
      assert.equal(await isGrantable(command), true, command);
    assert.equal(await isGrantable("git add -f src"), false);
    await folder.put("src/.env", "x");
    for (const command of ["git add .", "git add -A", "git add src"])
      assert.equal(await isGrantable(command), false, command);
    assert.equal(await isGrantable("git add src/a.ts"), true);
    assert.equal(await isGrantable("git add -u"), true);
  });

  for (const isStarted of [false, true]) {
    it(`A1: Stop while it is ${isStarted ? "started" : "looked at its port"} leaves nothing in the background`, async () => {
      const abort = new AbortController();
      const did: string[] = [];
      const ended = Promise.withResolvers<ChildEnd>();
      const child: BackgroundChild = {
        ended: ended.promise,
        write: () => false,
        end() {
          did.push("end");
          ended.resolve({ type: "exited", code: 0 });
        },
      };
      const call = await prepare(
        "npm start",
        { background: true, port: 3999 },
        {
          answers() {
            if (!isStarted) abort.abort();
            return Promise.resolve(false);
          },
          start() {
            did.push("start");
            abort.abort();
            return Promise.resolve(child);
          },
        },
      );
      await assert.rejects(async () => call.run(abort.signal), { name: "AbortError" });
      assert.deepEqual(did, isStarted ? ["start", "end"] : []);
    });
  }

  for (const daemon of [
    "setsid sh -c 'echo $$ > pid; exec sleep 1000' &",
    "(setsid sh -c 'echo $$ > pid; exec sleep 1000' &) &",
  ]) {
    const line = `${daemon} until [ -s pid ]; do :; done; cat pid`;

    it(`A2: a daemon neither holds the call up nor outlives it: ${daemon}`, async function () {
      if (process.platform !== "linux") this.skip();
      const result = await (await prepare(line)).run(new AbortController().signal);
      assert.match(typeof result === "string" ? result : "", /^Exit code 0 after \d+\.\d s\./);
      const pid = Number((typeof result === "string" ? result : "").split("\n")[1]);
      await until(() => !isAlive(pid));
    });

    it(`A1: Stop ends a daemon too: ${daemon}`, async function () {
      if (process.platform !== "linux") this.skip();
      const abort = new AbortController();
      let written = "";
      const nothing = (): void => undefined;
      const effects: CallEffects = {
        activity: nothing,
        submitted: nothing,
        output: (text) => void (written += typeof text === "string" ? text : text.head + text.tail),
      };
      const running = (await prepare(`${line}; sleep 1000`)).run(abort.signal, effects);
      const settled = running.catch(nothing);
      await until(() => written.endsWith("\n"));
      const pid = Number(written);
      assert.ok(pid > 0 && isAlive(pid));
      abort.abort();
      await settled;
      await until(() => !isAlive(pid));
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
