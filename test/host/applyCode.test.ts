/** *Apply…* of a code block in a real editor: it lands in the file, and is kept or undone there. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/async/systemClock";
import { applyCode } from "../../src/chat/host/changes/applyCode";
import { Review } from "../../src/chat/host/changes/review";
import { startBusyTime } from "../support/busyTime";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";
import { assertWithin } from "../support/pace";
import { createTemporaryFolder } from "../support/temporaryFolder";

const greet = "export function greet() {\r\n  return 1;\r\n}\r\n";
const code = "export function greet() {\n  return 2;\n}\n";

let review: Review;
let inside: ExtensionInside;
before(async () => {
  inside = await openExtension();
  const ledgers = await inside.app.openLedgers();
  const memory = { update: () => Promise.resolve() };
  review = new Review({ ledgers, chat: () => "code-of-a-test", clock: systemClock, memory, stored: [] });
});
after(() => review.dispose());
afterEach(async () => {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
});

async function written(name: string, text: string): Promise<string> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  await writeFile(path.join(root, name), text);
  return path.join(root, name);
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

it("P1, A16: a code block lands in its file, unsaved, as a change to keep or undo; what the person types elsewhere stays", async () => {
  const file = await written("greet.ts", greet);
  await applyCode(review, code, "greet.ts");
  const document = await vscode.workspace.openTextDocument(file);
  assert.equal(document.getText(), greet.replace("1", "2"));
  assert.ok(document.isDirty);
  await eventually("the hunk", async () => (await review.hunksIn(document)).length === 1);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), "// mine\r\n");
  await vscode.workspace.applyEdit(edit);
  const [hunk] = await review.hunksIn(document);
  assert.deepEqual([hunk?.start, hunk?.removed], [2, ["  return 1;\r\n"]]);
  assert.equal(await review.decide(document, hunk!, false), true);
  assert.equal(document.getText(), `// mine\r\n${greet}`);
  await eventually("no hunk", async () => (await review.hunksIn(document)).length === 0);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
});

it("P1, A16: code for a document that no ledger holds is kept and undone alike; without an editor it is a new file", async () => {
  await applyCode(review, code, "../outside.ts");
  await eventually("the new file", () => vscode.window.activeTextEditor?.document.isUntitled === true);
  const { document } = vscode.window.activeTextEditor!;
  await applyCode(review, code.replace("2", "3"), undefined);
  await eventually("the hunk", async () => (await review.hunksIn(document)).length === 1);
  assert.match(document.getText(), /return 3/);
  await review.decideFile(document.uri.fsPath, false);
  assert.equal(document.getText(), code);
  assert.deepEqual(await review.hunksIn(document), []);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  await vscode.commands.executeCommand("notifications.clearAll");
});

it("P1, A4: a path that leads out of the workspace through a linked folder is no file to change, and a sentence says so", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const outside = await createTemporaryFolder();
  const link = path.join(root, "linked");
  await writeFile(path.join(outside.path, "keys.txt"), "mine\n");
  await symlink(outside.path, link);
  try {
    const said = await withAnswer(undefined, () => applyCode(review, "theirs\n", "linked/keys.txt"));
    assert.equal(await readFile(path.join(outside.path, "keys.txt"), "utf8"), "mine\n");
    assert.match(said.join(), /linked\/keys\.txt is not in a folder of a trusted workspace/);
  } finally {
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
  const apply = (answer: string | undefined): Promise<readonly string[]> =>
    withAnswer(answer, () => applyCode(review, '{\n  "tasks": []\n}\n', "nested/.vscode/tasks.json"));
  try {
    const asked = await apply(undefined);
    assert.match(asked.join(), /Apply the code to nested\/\.vscode\/tasks\.json\?.*would run/);
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), "{\n}\n");
    await apply("Apply");
    assert.equal(document.getText(), '{\n  "tasks": []\n}\n');
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  } finally {
    await rm(path.join(root, "nested"), { recursive: true });
  }
});

it("P3: a code block whose first line ends with 50,000 blanks does not hold the host", async () => {
  const spent = startBusyTime();
  const opening = applyCode(review, `// a.b${" ".repeat(50_000)}x\n`, undefined);
  // The line is read before anything is waited for.
  const took = spent();
  await opening;
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  assertWithin(500, took, "the line with the blanks");
});
