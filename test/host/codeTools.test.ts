/** The tools that ask the editor, in a real VS Code: language extensions, diagnostics, editors, git; and the search on its threads. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { toolCalls } from "../../src/domain/chat/chat";
import type { Tool } from "../../src/domain/tools/tool";
import { problemsToAttach } from "../../src/chat/host/context/findContext";
import { editorKnowledge } from "../../src/tools/host/editorKnowledge";
import { createWorkspaceFiles } from "../../src/tools/host/workspaceFiles";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";
import { toolsOver } from "../support/toolFolder";

const never = new AbortController().signal;

describe("code tools in VS Code", () => {
  let inside: ExtensionInside;
  let root: string;
  let tools: readonly Tool[];
  const mounted: { dispose(): unknown }[] = [];
  const at = (name: string): string => path.join(root, name);
  const run = async (name: string, input: unknown): Promise<string> => {
    const tool = tools.find(({ declaration }) => declaration.name === name);
    assert.ok(tool, name);
    const result = await (await tool.prepare(input, never)).run(never);
    assert.ok(typeof result === "string");
    return result;
  };

  before(async () => {
    inside = await openExtension();
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
    tools = toolsOver(createWorkspaceFiles(), { editor: editorKnowledge });
    await writeFile(at("caller.shop"), "open\nshop sells bread\n");
    await writeFile(at("callee.shop"), "define shop\n");
    const files = { scheme: "file", pattern: "**/*.shop" };
    const callee = new vscode.Location(vscode.Uri.file(at("callee.shop")), new vscode.Position(0, 7));
    const link = { targetUri: callee.uri, targetRange: callee.range };
    const range = new vscode.Range(0, 0, 0, 11);
    const { Class, Method } = vscode.SymbolKind;
    const whole = new vscode.DocumentSymbol("shop", "", Class, range, range);
    whole.children.push(new vscode.DocumentSymbol("sell", "", Method, range, range));
    mounted.push(
      vscode.languages.registerDefinitionProvider(files, {
        provideDefinition: (document, position) =>
          document.getText(document.getWordRangeAtPosition(position)) === "shop" ? [link] : [],
      }),
      vscode.languages.registerReferenceProvider(files, {
        provideReferences: (document) => [callee, new vscode.Location(document.uri, new vscode.Position(1, 0))],
      }),
      vscode.languages.registerDocumentSymbolProvider(files, { provideDocumentSymbols: () => [whole] }),
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => [new vscode.SymbolInformation("shop", Class, "street", callee)],
      }),
    );
  });
  after(async () => {
    for (const one of mounted) one.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("A2: definition, references and symbols come from the language extensions", async () => {
    const use = { path: "caller.shop", line: 2, symbol: "shop" };
    assert.equal(await run("find_definition", use), "callee.shop:1: define shop");
    assert.equal(await run("find_references", use), "callee.shop:1: define shop\ncaller.shop:2: shop sells bread");
    assert.equal(
      await run("list_symbols", { path: "callee.shop" }),
      "class shop (lines 1 to 1)\n  method sell (lines 1 to 1)",
    );
    assert.match(await run("find_symbols", { name: "shop" }), /^class shop in street: callee\.shop:1$/m);
  });

  it("A2: problems as the editor has them", async () => {
    const problems = vscode.languages.createDiagnosticCollection("shop");
    mounted.push(problems);
    const range = new vscode.Range(1, 5, 1, 10);
    const closed = new vscode.Diagnostic(range, "closed on Sundays", vscode.DiagnosticSeverity.Warning);
    const other = vscode.Uri.file(at("callee.shop"));
    closed.relatedInformation = [new vscode.DiagnosticRelatedInformation(new vscode.Location(other, range), "here")];
    problems.set(vscode.Uri.file(at("caller.shop")), [
      closed,
      new vscode.Diagnostic(range, "no bread", vscode.DiagnosticSeverity.Error),
    ]);
    assert.equal(
      await run("list_problems", { path: "caller.shop" }),
      "caller.shop:2:6: error: no bread\ncaller.shop:2:6: warning: closed on Sundays",
    );
    // What a message may quote is known for all who pass problems on.
    assert.ok(problemsToAttach("caller.shop").related.includes(other.fsPath));
    const found = editorKnowledge.problems().find(({ message }) => message === "closed on Sundays");
    assert.deepEqual(found?.related, [other.fsPath]);
  });

  it("A2: the result of an edit has the problems that a language extension reports after it", async () => {
    const found = vscode.languages.createDiagnosticCollection("bakery");
    const check = ({ uri }: vscode.TextDocument): void => {
      if (uri.fsPath !== at("callee.shop")) return;
      const range = new vscode.Range(0, 0, 0, 6);
      found.set(uri, [new vscode.Diagnostic(range, "no such word", vscode.DiagnosticSeverity.Error)]);
    };
    mounted.push(
      found,
      vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    );
    const edit = { path: "callee.shop", old_text: "define", new_text: "devine" };
    assert.match(
      await run("edit_file", edit),
      /\n(New problems since this change|Problems of this file, old ones among them):\n1:1: error: no such word$/,
    );
    assert.match(await run("edit_file", { ...edit, old_text: "devine", new_text: "define" }), /\n\(no new problems\)$/);
  });

  it("A2: the editors with what is selected", async () => {
    const document = await vscode.workspace.openTextDocument(at("caller.shop"));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 5, 1, 10);
    const shown = /^caller\.shop \(active, lines 1 to 3 visible, cursor at 2:11\)\nselected:\nsells$/m;
    // The window reports which lines are visible once it has drawn them.
    await eventually("the editor as it is shown", async () => shown.test(await run("list_editors", {})));
  });

  it("A2: changes and their diff through the git extension", async () => {
    const folder = at("repository");
    await mkdir(folder, { recursive: true });
    const git = (...args: string[]): void => {
      const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
      execFileSync("git", ["-C", folder, ...who, ...args]);
    };
    git("init", "-q");
    await writeFile(path.join(folder, "kept.txt"), "before\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    await writeFile(path.join(folder, "kept.txt"), "after\n");
    await writeFile(path.join(folder, "fresh.txt"), "new\n");
    const extension = vscode.extensions.getExtension<{
      getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<unknown> };
    }>("vscode.git");
    assert.ok(extension);
    await (await extension.activate()).getAPI(1).openRepository(vscode.Uri.file(folder));
    const changes = await run("list_changes", {});
    assert.match(changes, /^repository\/kept\.txt: modified$/m);
    assert.match(changes, /^repository\/fresh\.txt: untracked$/m);
    assert.match(await run("list_changes", { path: "repository/kept.txt" }), /\n-before\n\+after\n/);
  });

  it("A2: a search runs on its threads in the extension host", async () => {
    await writeFile(at("searched.txt"), "a needle for the threads\n");
    inside.app.chats.create();
    await inside.app.session.current.submit('Find "needle for the threads"');
    const calls = inside.app.session.current.chat.entries.flatMap((entry) =>
      entry.type === "answer" ? [...toolCalls(entry)] : [],
    );
    const progress = calls[0]?.progress;
    assert.ok(progress?.state === "done", JSON.stringify(calls));
    assert.match(progress.result, /^searched\.txt:1: a needle for the threads$/m);
  });
});
