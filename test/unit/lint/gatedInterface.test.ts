/** The lint rules that keep raw text away from VS Code's interface: each way around the gate is reported with its line. */
import assert from "node:assert/strict";
import path from "node:path";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { createTemporaryFolder } from "../../support/temporaryFolder";

const reports = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

/** Each would show, run or open what `foreign` says. */
const forbidden = [
  "void vscode.window.showErrorMessage(foreign);",
  "void vscode.window.showWarningMessage(foreign, { modal: true });",
  "void vscode.window.showInformationMessage(foreign);",
  'void vscode.window["showErrorMessage"](foreign);',
  "void vscode.window[`show${kind}Message`](foreign);",
  "const { showErrorMessage } = vscode.window;",
  "const { showErrorMessage: show } = vscode.window;",
  "const show = vscode.window.showErrorMessage;",
  "const { window } = vscode; void window.showErrorMessage(foreign);",
  "vscode.window?.showErrorMessage(foreign);",
  "vscode.window.setStatusBarMessage(foreign);",
  "const item = vscode.window.createStatusBarItem();",
  "void vscode.window.withProgress({ location, title: foreign }, work);",
  "const pick = vscode.window.createQuickPick();",
  "void vscode.window.showQuickPick([foreign]);",
  "void vscode.window.showInputBox({ prompt: foreign });",
  "const box = vscode.window.createInputBox();",
  "void vscode.window.showWorkspaceFolderPick({ placeHolder: foreign });",
  "const view = vscode.window.createTreeView(id, { treeDataProvider });",
  "vscode.window.registerTreeDataProvider(id, provider);",
  "vscode.window.createWebviewPanel(type, foreign, column);",
  "vscode.window.createOutputChannel(foreign);",
  "vscode.window.createTerminal({ name: foreign });",
  "terminal.sendText(foreign);",
  "void vscode.commands.executeCommand(foreign);",
  'void vscode.commands.executeCommand("vscode.diff", a, b, foreign);',
  "void vscode.env.openExternal(vscode.Uri.parse(foreign));",
  "const row = new vscode.TreeItem(foreign);",
  'import { TreeItem } from "vscode";',
  'import { MarkdownString as Text } from "vscode";',
  "class Row extends vscode.TreeItem {}",
  "const text = new vscode.MarkdownString(foreign);",
  "text.appendMarkdown(foreign);",
  "text.appendCodeblock(foreign);",
  "text.isTrusted = true;",
  "text.supportHtml = true;",
  "const text = { value: foreign, isTrusted: true };",
  "const text = { value: foreign, supportThemeIcons: true };",
  "item.text = foreign;",
  "pick.title = t(words, foreign);",
  "pick.placeholder = `${foreign}`;",
  "box.prompt = foreign;",
  "box.validationMessage = foreign;",
  "row.label = foreign;",
  "row.description = foreign;",
  "row.tooltip = foreign;",
  "row.accessibilityInformation = { label: foreign };",
  "this.view.message = foreign;",
  'this.view["message"] = foreign;',
  "view.badge = { value: 1, tooltip: foreign };",
  "const words = foreign as ShownText;",
  "const words = <ShownText>foreign;",
  "const pick = raw as ShownPick<Item>;",
];

const allowed = [
  'import * as vscode from "vscode";',
  "await notifyError(foreign, action);",
  "pick.title = shownLine(foreign);",
  "row.tooltip = shownParagraphs(foreign);",
  "view.message = undefined;",
  "delete view.message;",
  "const element = elements[0];",
  "const item: vscode.TreeItem = row;",
  "const message = error.message;",
  "const first = kept[id];",
];

describe("the lint rules of the gate", () => {
  const inVscode = (name: string, at: number): string => `src/vscode/${name}${at}.ts`;
  const places = ["src/extension.ts", "src/tasks/host/tree/taskTree.ts", "src/vscode/a/new/file.ts"];
  const gate = "src/vscode/interface/show.ts";
  let reported: ReadonlySet<string>;

  /** The files of a copy of the project with these texts that oxlint reports by the project's own configuration. */
  const lint = async (files: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> => {
    const { path: folder, remove } = await createTemporaryFolder();
    const config = await readFile(".oxlintrc.json", "utf8");
    await writeFile(path.join(folder, ".oxlintrc.json"), config.replace("./scripts/", `${path.resolve("scripts")}/`));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    const program = path.resolve("node_modules/oxlint/bin/oxlint");
    // It ends with exit code 1 where it reports something.
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, [program, "--format=json", "src"], { cwd: folder }, (_, stdout) => resolve(stdout)),
    );
    await remove();
    const { diagnostics } = reports.parse(JSON.parse(output));
    return new Set(diagnostics.filter(({ code }) => code === "gate(foreign-text)").map(({ filename }) => filename));
  };

  before("lint each case as a file", async function () {
    const [firstCase = ""] = forbidden;
    reported = await lint(
      Object.fromEntries([
        ...forbidden.map((code, at) => [inVscode("forbidden", at), code]),
        ...allowed.map((code, at) => [inVscode("allowed", at), code]),
        ...[...places, gate].map((file) => [file, firstCase]),
      ]),
    );
  });

  for (const [at, code] of forbidden.entries())
    it(`T11: reports ${code}`, () => assert.ok(reported.has(inVscode("forbidden", at))));

  it("T11: reports nothing of what goes through the gate", () => {
    assert.deepEqual(
      allowed.filter((_, at) => reported.has(inVscode("allowed", at))),
      [],
    );
  });

  it("T11: holds in every file that may name VS Code, but for the gate itself", () => {
    assert.deepEqual(
      places.filter((file) => !reported.has(file)),
      [],
    );
    assert.equal(reported.has(gate), false);
  });
});
