/** Drafts from prompt files in a real workspace: what their directives may name. */
import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { parsePrompts } from "../../../src/tasks/prompts/parsePrompts";
import { draftsOf, UnusableSetting } from "../../../src/tasks/host/lenses/draftsOf";
import { describeDestination } from "../../../src/tasks/host/pickers/reviewStep";
import type { SubmitPorts } from "../../../src/tasks/host/submit/submitPorts";
import { registerSubmitCommands } from "../../../src/tasks/host/submit/submitCommands";
import { commands } from "../../../src/vscode/ids";
import { eventually } from "../../support/eventually";
import { picture } from "../../support/pictureBytes";
import { createTemporaryFolder } from "../../support/temporaryFolder";

it("T1, T2, A4: a reference that is or leads out of the workspace, or can't be read, is not left out: nothing is submitted", async () => {
  const outside = await createTemporaryFolder();
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  await writeFile(path.join(outside.path, "mine.png"), picture);
  await writeFile(path.join(root, "own.png"), picture);
  await symlink(path.join(outside.path, "mine.png"), path.join(root, "linked.png"));
  await symlink(path.join(root, "own.png"), path.join(root, "alias.png"));
  await symlink(outside.path, path.join(root, "folder"));
  const file = path.join(root, "linked.prompts.md");
  const draftsWith = async (directive: string): ReturnType<typeof draftsOf> => {
    const text = `# Pictures\n\n<!-- sluice: ${directive} -->\n\na harbour, {{style}}\n`;
    const document = await vscode.workspace.openTextDocument({ content: `---\nstyle: [a, ../../b]\n---\n${text}` });
    const saved = { uri: vscode.Uri.file(file) } as vscode.TextDocument;
    return draftsOf(saved, parsePrompts(document.getText()).prompts, 1_000_000);
  };
  const [draft] = await draftsWith("reference=own.png reference=alias.png");
  assert.deepEqual(
    draft?.references.map(({ name }) => name),
    ["own.png", "alias.png"],
  );
  for (const name of ["linked.png", "folder/mine.png", "../mine.png", "missing.png"])
    await assert.rejects(draftsWith(`reference=own.png reference=${name}`), UnusableSetting, name);
  await assert.rejects(draftsWith("destination=assets/{{style}}.png"), UnusableSetting);
  await outside.remove();
});

it("T16: the last step names the destinations of variants, of many the first two", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const file = path.join(root, "placed.prompts.md");
  const described = async (seeds: string): Promise<string> => {
    const directive = `<!-- sluice: type=image seed=${seeds} destination=img/pier-{{seed}} -->`;
    await writeFile(file, `# Pictures\n\n${directive}\n\na pier\n`);
    const document = await vscode.workspace.openTextDocument(file);
    const [draft] = await draftsOf(document, parsePrompts(`# Pictures\n\n${directive}\n\na pier\n`).prompts, 1000);
    assert.ok(draft);
    return describeDestination(draft);
  };
  assert.equal(await described("[1, 2]"), "img/pier-1, img/pier-2");
  assert.equal(await described("[1, 2, 3, 4]"), "img/pier-1, img/pier-2 and 2 more");
  assert.equal(await described("1"), "img/pier-1");
});

it("T16: in a prompt file keys, values and variables are completed and explained", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const file = path.join(root, "help.prompts.md");
  const text = "---\ntype: image\nstyle: [ink, oil]\n---\n# A\n\n<!-- sluice: model=any -->\n\na pier, {{style}}\n";
  await writeFile(file, text);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  const at = (words: string): vscode.Position => document.positionAt(text.indexOf(words) + words.length);
  const labelsAt = async (place: vscode.Position): Promise<readonly string[]> => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      place,
    );
    return list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
  };
  await eventually("the models of the type", async () => (await labelsAt(at("model="))).includes("demo-image"));
  assert.ok((await labelsAt(at("{{"))).includes("style"));
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    at("{{st"),
  );
  const [said] = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
  assert.match(said?.value ?? "", /ink.*oil/);
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
});

it("T2, T16: of a heading whose prompts can't be used, that is said, not that all were submitted", async () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root);
  const file = path.join(root, "unusable.prompts.md");
  await writeFile(file, "# Pictures\n\na pier, {{style}}\n");
  // Registered here: on the oldest version the extension has another API object than its tests, so a patched `window` does not reach its own command.
  const run = new Map<string, (place: unknown) => unknown>();
  const dialogs = {
    register(id: string, handler: (place: unknown) => unknown) {
      run.set(id, handler);
      return { dispose: () => undefined };
    },
  };
  const board = { all: { tasks: new Map() } };
  registerSubmitCommands({ dialogs, board } as unknown as SubmitPorts, () => []);
  const { window } = vscode;
  const show = window.showWarningMessage;
  const said = Promise.withResolvers<string>();
  window.showWarningMessage = (message: string) => {
    said.resolve(message);
    return Promise.resolve(undefined as never);
  };
  try {
    await run.get(commands.submitHeading)?.({ document: vscode.Uri.file(file).toString(), line: 2 });
    assert.match(await said.promise, /written here can't be used: the Problems view says what/);
  } finally {
    window.showWarningMessage = show;
  }
});
