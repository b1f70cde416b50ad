/** *Apply…* of a code block in a real editor: the diff first, the file only by the person's yes. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { type CodeProposals, createCodeProposals } from "../../src/chat/host/changes/applyCode";
import type { Dialogs } from "../../src/vscode/interface/dialogs";
import { commands } from "../../src/vscode/ids";
import { startBusyTime } from "../support/busyTime";
import { eventually } from "../support/eventually";
import { createTemporaryFolder } from "../support/temporaryFolder";

const before = "export function greet() {\r\n  return 1;\r\n}\r\n";
const code = "export function greet() {\n  return 2;\n}\n";

/** The proposals with their two commands, which no other window has. */
function createProposals(): { proposals: CodeProposals; run: (id: string) => Promise<unknown> } {
  const handlers = new Map<string, (...args: unknown[]) => unknown>();
  const register: Dialogs["register"] = (id, run) => {
    handlers.set(id, run);
    return { dispose: () => undefined };
  };
  const proposals = createCodeProposals({ register } as Dialogs);
  return { proposals, run: (id) => Promise.resolve(handlers.get(id)?.()) };
}

/** The diff of a file of the workspace with the code in it. */
async function openProposal(): Promise<ReturnType<typeof createProposals> & { file: string }> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const file = path.join(root, "greet.ts");
  await writeFile(file, before);
  const made = createProposals();
  await made.proposals.open(code, "greet.ts");
  return { ...made, file };
}

/** What is said and asked in warnings meanwhile, each answered so. */
async function withAnswer(answer: string | undefined, during: () => Promise<unknown>): Promise<readonly string[]> {
  const { window } = vscode;
  const said: string[] = [];
  const show = window.showWarningMessage;
  window.showWarningMessage = (message: string, options?: unknown) => {
    said.push(message, JSON.stringify(options ?? ""));
    return Promise.resolve(answer as never);
  };
  try {
    await during();
  } finally {
    window.showWarningMessage = show;
  }
  return said;
}

const activeDiff = (): vscode.TabInputTextDiff | undefined => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input : undefined;
};

it("P1: a code block becomes a diff of the named file, is applied by the person's yes, unsaved, and an undo takes it back", async () => {
  const { file, proposals, run } = await openProposal();
  assert.equal(activeDiff()?.original.fsPath, file);
  const proposed = await vscode.workspace.openTextDocument(activeDiff()!.modified);
  assert.equal(proposed.getText(), before.replace("1", "2"));
  const document = await vscode.workspace.openTextDocument(file);
  assert.equal(document.getText(), before, "nothing is changed before the yes");
  await run(commands.applyCode);
  assert.equal(document.getText(), before.replace("1", "2"));
  assert.ok(document.isDirty);
  assert.equal(activeDiff(), undefined, "the diff is closed");
  await vscode.commands.executeCommand("undo");
  assert.equal(document.getText(), before);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  proposals.dispose();
});

it("P1: a proposal is not applied to a file that has changed since, nor after it was discarded, nor to a file outside of the workspace", async () => {
  const { file, proposals, run } = await openProposal();
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), "// mine\r\n");
  await vscode.workspace.applyEdit(edit);
  await run(commands.applyCode);
  assert.equal(document.getText(), `// mine\r\n${before}`);
  assert.ok(activeDiff(), "the diff stays");
  await run(commands.discardCode);
  await run(commands.applyCode);
  assert.equal(document.getText(), `// mine\r\n${before}`);
  await document.save();
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await proposals.open(code, "../outside.ts");
  assert.equal(activeDiff(), undefined, "without an editor it is a new file");
  await eventually("the new file", () => vscode.window.activeTextEditor?.document.isUntitled === true);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  await vscode.commands.executeCommand("notifications.clearAll");
  proposals.dispose();
});

it("P1, A4: a path that leads out of the workspace through a linked folder is no file to change, and a sentence says so", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const outside = await createTemporaryFolder();
  const link = path.join(root, "linked");
  await writeFile(path.join(outside.path, "keys.txt"), "mine\n");
  await symlink(outside.path, link);
  const { proposals } = createProposals();
  try {
    const said = await withAnswer(undefined, () => proposals.open("theirs\n", "linked/keys.txt"));
    assert.equal(activeDiff(), undefined);
    assert.match(said.join(), /linked\/keys\.txt is not in a folder of a trusted workspace/);
  } finally {
    proposals.dispose();
    await rm(link);
    await outside.remove();
  }
});

it("P1, A4: code for a file that an editor would run is applied only after a question that says so", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const folder = path.join(root, "nested", ".vscode");
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, "tasks.json");
  await writeFile(file, "{\n}\n");
  const { proposals, run } = createProposals();
  try {
    await proposals.open('{\n  "tasks": []\n}\n', "nested/.vscode/tasks.json");
    assert.equal(activeDiff()?.original.fsPath, file);
    const asked = await withAnswer(undefined, () => run(commands.applyCode));
    assert.match(asked.join(), /Apply the code to nested\/\.vscode\/tasks\.json\?.*would run/);
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), "{\n}\n");
    assert.ok(activeDiff(), "the diff stays after a no");
    await withAnswer("Apply", () => run(commands.applyCode));
    assert.equal(document.getText(), '{\n  "tasks": []\n}\n');
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  } finally {
    proposals.dispose();
    await rm(path.join(root, "nested"), { recursive: true });
  }
});

it("P3: a code block whose first line ends with 50,000 blanks does not hold the host", async () => {
  const { proposals } = createProposals();
  const spent = startBusyTime();
  const opening = proposals.open(`// a.b${" ".repeat(50_000)}x\n`, undefined);
  // The line is read before anything is waited for.
  const took = spent();
  await opening;
  proposals.dispose();
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  assert.ok(took < 500, `${Math.round(took)} ms`);
});
