/** A result that is dropped into a document of the project becomes part of the project. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Task } from "../../../src/domain/task/task";
import { referencesTo } from "../../../src/tasks/host/commands/droppedResults";
import { accepted, makeTask } from "../../support/builders";
import { picture } from "../../support/pictureBytes";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("a result that is dropped into a document", () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const folder = path.join(root, "dropped");
  let results: TemporaryFolder;
  let kept: string[];

  beforeEach(async () => {
    assert.notEqual(root, "");
    await mkdir(path.join(folder, "docs"), { recursive: true });
    results = await createTemporaryFolder();
    kept = [];
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await results.remove();
  });

  const made = async (name: string, prompt: string): Promise<Task> => {
    const savedAs = path.join(results.path, name);
    await writeFile(savedAs, picture);
    return makeTask({
      intent: { id: name, prompt, type: "async-image" },
      submission: accepted({ state: "succeeded" }, { savedAs }),
    });
  };
  const { token } = new vscode.CancellationTokenSource();
  const drop = async (name: string, language: string, ...tasks: readonly Task[]): Promise<readonly string[]> => {
    const file = path.isAbsolute(name) ? name : path.join(folder, name);
    await writeFile(file, "");
    const opened = await vscode.workspace.openTextDocument(file);
    const document = await vscode.languages.setTextDocumentLanguage(opened, language);
    const board = {
      all: { tasks: new Map(tasks.map((task) => [task.intent.id, task])) },
      applyThenWrite: (record: { readonly type: string; readonly placement?: { readonly file: string } }) =>
        Promise.resolve(void kept.push(record.placement?.file ?? record.type)),
    };
    return referencesTo({ board, now: () => 0, resultsFolder: () => "dropped/assets" }, document, tasks, token);
  };

  it("T15: is saved into the project, and the document refers to that file in its own markup", async () => {
    const pier = await made("a.png", "a pier");
    assert.deepEqual(await drop("docs/page.md", "markdown", pier), ["![a pier](../assets/a-pier.png)"]);
    assert.deepEqual(await readFile(path.join(folder, "assets", "a-pier.png")), picture);
    assert.deepEqual(kept, [vscode.Uri.file(path.join(folder, "assets", "a-pier.png")).toString()]);
    const other = await made("b.png", "a poster");
    assert.deepEqual(await drop("docs/page.html", "html", other), [
      '<img src="../assets/a-poster.png" alt="a poster">',
    ]);
    assert.deepEqual(await drop("docs/page.ts", "typescript", other), ["../assets/a-poster.png"]);
    assert.deepEqual((await readdir(path.join(folder, "assets"))).sort(), ["a-pier.png", "a-poster.png"]);
  });

  it("T15: one that is in the project already is referred to where it is, and another file of its name is left alone", async () => {
    await mkdir(path.join(folder, "assets"));
    await writeFile(path.join(folder, "assets", "a-pier.png"), "another file");
    const pier = await made("a.png", "a pier");
    assert.deepEqual(await drop("page.md", "markdown", pier), ["![a pier](assets/a-pier-2.png)"]);
    assert.equal(await readFile(path.join(folder, "assets", "a-pier.png"), "utf8"), "another file");
    const placement = {
      state: "placed",
      file: vscode.Uri.file(path.join(folder, "assets", "a-pier-2.png")).toString(),
    };
    const placed = { ...pier, submission: { ...pier.submission, placement: { ...placement, at: 0 } } } as Task;
    assert.deepEqual(await drop("other.md", "markdown", placed), ["![a pier](assets/a-pier-2.png)"]);
    assert.equal(kept.length, 1);
  });

  it("T15: a document outside the project and a file with prompts are given the file where it is", async () => {
    const pier = await made("a.png", "a pier");
    assert.deepEqual(await drop(path.join(results.path, "page.md"), "markdown", pier), ["![a pier](a.png)"]);
    assert.match((await drop("hero.prompts.md", "markdown", pier))[0] ?? "", /^!\[a pier\]\(.*a\.png\)$/);
    assert.deepEqual(await drop(path.join(results.path, "page.txt"), "plaintext", pier), []);
    assert.deepEqual(kept, []);
    assert.ok(!(await readdir(folder)).includes("assets"));
  });

  it("T15: one that can't be saved keeps nothing else from the document, and it is said; of many the first fifty are taken", async () => {
    const { showWarningMessage } = vscode.window;
    const said: string[] = [];
    const note = (message: string): Promise<never> => Promise.resolve(void said.push(message) as never);
    vscode.window.showWarningMessage = note;
    try {
      const pier = await made("late.png", "a late pier");
      const gone = { ...pier, intent: { ...pier.intent, id: "gone", prompt: "gone" } };
      const submission = { ...pier.submission, savedAs: path.join(results.path, "gone.png") } as Task["submission"];
      const texts = await drop("many.md", "markdown", { ...gone, submission }, pier);
      assert.deepEqual(texts, ["![a late pier](assets/a-late-pier.png)"]);
      assert.match(said[0] ?? "", /^Not every result could be saved into the project: .*ENOENT/);
      const many = Array.from({ length: 60 }, () => pier);
      assert.equal((await drop("all.md", "markdown", ...many)).length, 50);
      assert.match(said[1] ?? "", /Of 60 results the first 50/);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
  });
});
