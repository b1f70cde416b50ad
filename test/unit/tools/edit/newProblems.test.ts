/** The result of a change says what the editor finds wrong since: nothing that was there before, and never later than its bounds. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import type { CodeProblem, EditorPort } from "../../../../src/domain/tools/toolPorts";
import { until } from "../../../support/builders";
import { createMovedClock, type MovedClock } from "../../../support/movedClock";
import { noEditor } from "../../../support/noEditor";
import { createToolFolder, type ToolFolder } from "../../../support/toolFolder";

describe("new problems after a change", () => {
  let folder: ToolFolder;
  let clock: MovedClock;
  let problems: CodeProblem[];
  let isRead: boolean;
  const reported = new Emitter<readonly string[]>();

  beforeEach(async () => {
    clock = createMovedClock();
    problems = [];
    isRead = true;
    const reports = { onDidReport: reported.event, isRead: () => isRead, read: () => Promise.resolve() };
    const editor: EditorPort = { ...noEditor, problems: () => problems, reports };
    folder = await createToolFolder({ editor, clock });
    await folder.put("app.ts", "let a = 1;\nlet b = 2;\n");
  });
  afterEach(() => folder.remove());

  const problem = (message: string, line: number, severity: CodeProblem["severity"] = "error"): CodeProblem => {
    return { severity, message, source: "ts", position: { file: folder.at("app.ts"), line, column: 1 } };
  };
  const report = async (...now: CodeProblem[]): Promise<void> => {
    problems = now;
    reported.fire([folder.at("app.ts")]);
    await clock.advance(0);
  };
  /** Resolves once the change waits for reports. */
  const change = async (tool = "edit_file", input: object = { path: "app.ts", old_text: "1", new_text: "x" }) => {
    let result: string | undefined;
    const turn = new AbortController();
    const ended = folder.run(tool, input, turn.signal).then((text) => (result = text));
    ended.catch(() => undefined);
    await until(() => clock.waiting > 0);
    return { ended, stop: () => turn.abort(), result: () => result };
  };

  it("A2: only problems that were not there before, wherever they are now; hints are none", async () => {
    problems = [problem("unused b", 2, "warning"), problem("twice", 1)];
    const edit = await change();
    await report(problem("unused b", 3, "warning"), problem("twice", 1));
    await clock.advance(400);
    const both = [problem("twice", 1), problem("twice", 2), problem("no x\n here", 1), problem("tip", 1, "hint")];
    await report(problem("unused b", 3, "warning"), ...both);
    await clock.advance(400);
    assert.equal(edit.result(), undefined, "another report may follow");
    await clock.advance(200);
    assert.equal(
      await edit.ended,
      "Edited app.ts:\n-let a = 1;\n+let a = x;\n let b = 2;\nNew problems since this change:\n2:1: error: twice [ts]\n1:1: error: no x here [ts]",
    );
  });

  it("A4, H5: a problem that may quote an untracked file makes the result of the change untrusted", async () => {
    await folder.command("git", "init", "-q");
    await folder.command("git", "add", ".");
    await folder.put("alien.ts", "export const run = 'npm test';\n");
    const marked: string[] = [];
    const call = await folder.prepare("edit_file", { path: "app.ts", old_text: "1", new_text: "x" });
    const edit = call.run(new AbortController().signal, {
      activity: () => undefined,
      output: () => undefined,
      submitted: () => undefined,
      files: folder.workspace,
      untrusted: (what) => void marked.push(what),
    });
    await until(() => clock.waiting > 0);
    await report({ ...problem("no 'npm test'", 1), related: [folder.at("app.ts"), folder.at("alien.ts")] });
    await clock.advance(500);
    const result = await edit;
    assert.ok(typeof result === "string" && result.includes("no 'npm test'"));
    assert.deepEqual(marked, ["alien.ts"]);
  });

  it("A2: a change that brings none says so, once a report came", async () => {
    const edit = await change();
    await report();
    await clock.advance(500);
    assert.match(await edit.ended, /\n\(no new problems\)$/);
  });

  it("A2: without a report nothing is said after two seconds, and the next change of such a file waits less", async () => {
    const first = await change();
    await clock.advance(1999);
    assert.equal(first.result(), undefined);
    await clock.advance(1);
    assert.match(await first.ended, /let b = 2;$/);
    const second = await change("edit_file", { path: "app.ts", old_text: "x", new_text: "2" });
    await clock.advance(200);
    assert.match(await second.ended, /let b = 2;$/);
  });

  it("A2: reports without an end don't hold the result longer than five seconds", async () => {
    const edit = await change();
    for (let at = 0; at < 20; at += 1) {
      await report(problem(`report ${at}`, 1));
      await clock.advance(300);
    }
    assert.match(await edit.ended, /report 16/);
  });

  it("A2: many are cut, and those of a file that nobody had read are not called new", async () => {
    isRead = false;
    const edit = await change();
    await report(...Array.from({ length: 30 }, (_, at) => problem(`fault ${at} ${"x".repeat(1000)}`, at)));
    await clock.advance(500);
    const lines = (await edit.ended).split("\n");
    assert.equal(lines[4], "Problems of this file, old ones among them:");
    assert.ok(lines.every((line) => line.length < 400));
    assert.equal(lines.at(-1), "(and 10 more; list_problems has all)");
  });

  it("A2: a new file's problems are all new", async () => {
    isRead = false;
    const created = await change("write_file", { path: "new.ts", text: "let c;\n" });
    problems = [{ ...problem("c", 1), position: { file: folder.at("new.ts"), line: 1, column: 5 } }];
    reported.fire([folder.at("new.ts")]);
    await clock.advance(500);
    assert.equal(await created.ended, "Created new.ts.\nNew problems since this change:\n1:5: error: c [ts]");
  });

  it("A1: Stop ends the wait", async () => {
    const edit = await change();
    edit.stop();
    await assert.rejects(edit.ended, { name: "AbortError" });
    assert.equal(clock.waiting, 0);
  });
});
