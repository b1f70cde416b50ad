/** What a document names and is not there, in a real VS Code: a line as information, its quick fix, and the line goes when the file comes. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { eventually } from "../support/eventually";
import { openExtension } from "../support/extensionApp";

describe("missing pictures in VS Code", () => {
  let root: string;
  before(async () => {
    await openExtension();
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder is open");
    await mkdir(path.join(root, "missing"));
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(path.join(root, "missing"), { recursive: true });
  });

  it("T20: a new document's picture is missing until it is there; the light bulb offers to make it", async () => {
    const uri = vscode.Uri.file(path.join(root, "missing", "page.md"));
    const found = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Sluice");
    await writeFile(uri.fsPath, "# Page\n\n![A pier at dusk](img/pier.png)\n");
    await eventually("the line", () => found().length === 1);
    const [line] = found();
    assert.ok(line);
    assert.equal(line.severity, vscode.DiagnosticSeverity.Information);
    await vscode.window.showTextDocument(uri);
    // The editor calls the question off where something of the document changes meanwhile, and asks again.
    const actions = (): Thenable<readonly vscode.CodeAction[]> =>
      vscode.commands
        .executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          uri,
          line.range,
          vscode.CodeActionKind.QuickFix.value,
        )
        .then(undefined, () => []);
    await eventually("the quick fix", async () => (await actions()).some(({ title }) => title === "Make It…"));
    await mkdir(path.join(root, "missing", "img"));
    await writeFile(path.join(root, "missing", "img", "pier.png"), "");
    await eventually("no line", () => found().length === 0);
    await rm(path.join(root, "missing", "img"), { recursive: true });
    await eventually("the line again", () => found().length === 1);
  });
});
