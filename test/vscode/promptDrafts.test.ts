/** Drafts from prompt files in a real workspace: what their directives may name. */
import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { parsePrompts } from "../../src/prompts/parsePrompts";
import { draftsOf } from "../../src/vscode/tasks/submit/prompts/draftsOf";
import { picture } from "../support/pictureBytes";
import { createTemporaryFolder } from "../support/temporaryFolder";

it("T2, A4: a reference that is a link out of the workspace is left out, one inside of it is read", async () => {
  const outside = await createTemporaryFolder();
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  await writeFile(path.join(outside.path, "mine.png"), picture);
  await writeFile(path.join(root, "own.png"), picture);
  await symlink(path.join(outside.path, "mine.png"), path.join(root, "linked.png"));
  await symlink(path.join(root, "own.png"), path.join(root, "alias.png"));
  await symlink(outside.path, path.join(root, "folder"));
  const file = path.join(root, "linked.prompts.md");
  const references = ["own.png", "alias.png", "linked.png", "folder/mine.png", "../mine.png"];
  const directive = `<!-- sluice: ${references.map((name) => `reference=${name}`).join(" ")} -->`;
  await writeFile(file, `# Pictures\n\n${directive}\n\na harbour\n`);
  const document = await vscode.workspace.openTextDocument(file);
  const { prompts } = parsePrompts(document.getText());
  const [draft] = await draftsOf(document, prompts, 1_000_000);
  assert.deepEqual(
    draft?.references.map(({ name }) => name),
    ["own.png", "alias.png"],
  );
  await vscode.commands.executeCommand("notifications.clearAll");
  await outside.remove();
});
