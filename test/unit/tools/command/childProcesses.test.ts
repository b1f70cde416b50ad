/** Child processes on this machine: their output, their end, and that nothing of them is left. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { systemClock } from "../../../../src/base/async/systemClock";
import type { ChildCommand } from "../../../../src/domain/tools/childProcesses";
import { createChildProcesses, windowsTreeKill } from "../../../../src/tools/command/childProcesses";
import { until } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";

const never = new AbortController().signal;

function shell(script: string, change: Partial<ChildCommand> = {}): ChildCommand & { readonly output: string[] } {
  const output: string[] = [];
  const environment = { PATH: process.env["PATH"] ?? "", GIVEN: "yes" };
  const onOutput = (text: string): unknown => output.push(text);
  const argv = ["sh", "-c", script] as const;
  return { output, argv, cwd: tmpdir(), environment, timeoutMs: 60_000, onOutput, ...change };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("child processes", function () {
  before(function () {
    // The scripts are those of a POSIX shell.
    if (process.platform === "win32") this.skip();
  });
  const processes = createChildProcesses(systemClock);

  it("A2: gives both outputs as they come and the exit code", async () => {
    const command = shell("echo out; echo err >&2; exit 3");
    assert.deepEqual(await processes.run(command, never), { type: "exited", code: 3 });
    assert.deepEqual(command.output.join("").split("\n").sort(), ["", "err", "out"]);
  });

  it("A2, C2: the environment is the given one and nothing else", async () => {
    process.env["SLUICE_TEST_SECRET"] = "secret";
    const command = shell("echo $GIVEN $SLUICE_TEST_SECRET; pwd");
    await processes.run(command, never);
    delete process.env["SLUICE_TEST_SECRET"];
    assert.match(command.output.join(""), /^yes\n/);
  });

  it("A2: a program that is not there, and a folder that is not there, are said", async () => {
    const missing = await processes.run(shell("", { argv: ["sluice-no-such-program"] }), never);
    assert.deepEqual(missing, { type: "not-started", code: "ENOENT" });
    const nowhere = await processes.run(shell("true", { cwd: "/no/such/folder" }), never);
    assert.deepEqual(nowhere, { type: "not-started", code: "ENOENT" });
  });

  it("A1, S5: an abort kills the process and its descendants, also those that ignore polite signals", async () => {
    const abort = new AbortController();
    const command = shell(`trap "" TERM HUP INT; sleep 1000 & echo $$ $!; wait`);
    const run = processes.run(command, abort.signal);
    await until(() => /\d+ \d+\n/.test(command.output.join("")));
    const pids = command.output.join("").trim().split(" ").map(Number);
    assert.ok(pids.every(isAlive));
    abort.abort();
    await assert.rejects(run, { name: "AbortError" });
    await until(() => !pids.some(isAlive));
  });

  it("A2: what a command leaves running in the background ends with it", async () => {
    const command = shell("sleep 1000 & echo $!");
    assert.deepEqual(await processes.run(command, never), { type: "exited", code: 0 });
    const pid = Number(command.output.join(""));
    await until(() => !isAlive(pid));
  });

  it("A2: after its time the process is killed and the end says so", async () => {
    const clock = createMovedClock();
    const command = shell("echo $$; sleep 1000", { timeoutMs: 5000 });
    const run = createChildProcesses(clock).run(command, never);
    await until(() => command.output.length > 0);
    await clock.advance(5000);
    await until(() => !isAlive(Number(command.output[0])));
    // Between two looks whether it has ended there is a pause.
    await clock.advance(5);
    assert.deepEqual(await run, { type: "timed-out" });
  });
});

describe("child processes on Windows", () => {
  it("A2: the whole tree is ended, by the system's own program and not by one of that name in the folder", () => {
    const options = ["/pid", "42", "/T", "/F"];
    assert.deepEqual(windowsTreeKill(42, "C:\\Windows"), ["C:\\Windows\\System32\\taskkill.exe", ...options]);
  });
});
