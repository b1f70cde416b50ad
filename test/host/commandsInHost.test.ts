/** Commands in the real extension host: run, stopped, moved to a terminal. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { describeReasons } from "../../src/domain/words/describeTool";
import { toolCalls, type ToolCallBlock } from "../../src/domain/chat/chat";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";
import { startOwnTime } from "../support/ownTime";

describe("commands in VS Code", () => {
  let inside: ExtensionInside;
  before(async () => {
    inside = await openExtension();
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
  });
  beforeEach(() => inside.app.chats.create());
  afterEach(() => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  const call = (): ToolCallBlock | undefined =>
    inside.app.session.current.chat.entries
      .flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []))
      .find(({ name }) => name === "run_command");
  const written = (): string => call()?.output?.head ?? "";
  /** Asks the built-in model for the call, and allows it. The turn goes on. */
  const begin = async (command: string): Promise<{ readonly turn: Promise<unknown> }> => {
    const turn = inside.app.session.current.submit(`Call run_command ${JSON.stringify({ command })}`);
    await eventually("the question", () => call()?.progress.state === "waiting");
    const waiting = call()?.progress;
    assert.ok(waiting?.state === "waiting");
    assert.match(describeReasons(waiting.approval.reasons), /^runs a program on this computer/);
    inside.app.session.current.approvals.decide(waiting.approval.id, { allow: true });
    return { turn };
  };
  const isAlive = (pid: number): boolean => {
    try {
      return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  };

  it("A2, C2: it runs in the workspace, without the host's own environment, and its end is the result", async () => {
    const { turn } = await begin("pwd && env");
    await turn;
    const done = call()?.progress;
    assert.ok(done?.state === "done");
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    assert.equal(done.result.split("\n")[1], await realpath(folder.uri.fsPath));
    assert.match(done.result, /^Exit code 0 [^]*^GIT_TERMINAL_PROMPT=0$/m);
    assert.doesNotMatch(done.result, /^(VSCODE_|SLUICE_|ELECTRON_)/m);
  });

  it("A1, A2 (complaint 16): Stop ends the turn and the whole tree within 100 ms, also where polite signals are ignored", async () => {
    const { turn } = await begin(
      `trap "" TERM INT HUP; sh -c 'trap "" TERM INT HUP; sleep 1000 & echo $! $$; wait' & echo $$; wait`,
    );
    await eventually("three processes", () => written().trim().split(/\s+/).length === 3);
    const pids = written().trim().split(/\s+/).map(Number);
    assert.ok(pids.every(isAlive));
    const time = startOwnTime();
    inside.app.session.current.stop();
    await turn;
    const ms = time();
    assert.ok(ms <= 100, `${ms} ms`);
    // Killed by then; other processes take their own time to be gone.
    await eventually("the tree is gone", () => !pids.some(isAlive));
    assert.equal(call()?.progress.state, "stopped");
  });

  it("A2 (complaint 15): moved to a terminal, it ends here and is there", async () => {
    const { turn } = await begin("sleep 1000");
    await eventually("that it runs", () => call()?.activity?.type === "command-running");
    const activity = call()?.activity;
    assert.ok(activity?.type === "command-running");
    inside.app.moveCommand("another id");
    assert.equal(vscode.window.terminals.length, 0);
    inside.app.moveCommand(activity.id);
    await turn;
    assert.equal(vscode.window.terminals.length, 1);
    const [terminal] = vscode.window.terminals;
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(terminal && folder && "cwd" in terminal.creationOptions);
    assert.equal(terminal.creationOptions.cwd, await realpath(folder.uri.fsPath));
    const done = call()?.progress;
    assert.ok(done?.state === "done");
    assert.match(done.result, /moved it to a terminal of theirs\. It was started anew there/);
  });
});
