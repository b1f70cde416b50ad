/** Over a reference to a file that was made here: its picture, its prompt and what can be made of it. */
import assert from "node:assert/strict";
import path from "node:path";
import * as vscode from "vscode";
import { Emitter } from "../../../src/base/event";
import type { Task } from "../../../src/domain/task/task";
import { AssetHover } from "../../../src/tasks/host/assets/assetHover";
import { commands } from "../../../src/vscode/ids";
import { accepted, makeTask } from "../../support/builders";
import { pngOf, withDeclaredSize } from "../../support/testImages";

describe("a reference to a file that was made here", () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const fileAt = (name: string): vscode.Uri => vscode.Uri.joinPath(root.uri, name);
  const changed = new Emitter<ReadonlySet<string>>();
  const tasks = new Map<string, Task>();
  const board = { tasks, onDidChange: changed.event, loaded: () => Promise.resolve() };
  const hover = new AssetHover({ board, now: () => 0 });
  const made: vscode.Uri[] = [];
  after(async () => {
    hover.dispose();
    for (const uri of made) await vscode.workspace.fs.delete(uri);
  });
  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    const file = fileAt(name);
    await vscode.workspace.fs.writeFile(file, bytes);
    made.push(file);
  };

  const place = (name: string, id: string, prompt: string): void => {
    const placement = { state: "placed", file: fileAt(name).toString(), at: 1 } as const;
    const submission = accepted({ state: "succeeded" }, { placement });
    tasks.set(id, makeTask({ intent: { id, prompt, type: "async-image" }, submission }));
    changed.fire(new Set([id]));
  };
  const textAt = async (content: string, words: string): Promise<string | undefined> => {
    const document = await vscode.workspace.openTextDocument({ content, language: "markdown" });
    const saved = { ...document, uri: fileAt("docs/page.md"), lineAt: document.lineAt.bind(document) };
    const position = document.positionAt(content.indexOf(words));
    const found = await hover.provideHover(saved, position);
    const [text] = (found?.contents ?? []) as vscode.MarkdownString[];
    return text?.value.replaceAll("&nbsp;", " ");
  };

  it("T17: shows the picture, the prompt and actions, from beside the document, from the root and from served folders", async () => {
    place("docs/img/pier.png", "11111111-1111-4111-8111-111111111111", "a [pier](command:evil) at dusk");
    await write("docs/img/pier.png", await pngOf(16, 9));
    place("public/hero (1).png", "22222222-2222-4222-8222-222222222222", "a hero");
    const beside = await textAt("![](img/pier.png)", "pier");
    assert.match(beside ?? "", /!\[\]\(file:\/\/[^)]*docs\/img\/pier\.png\|height=96\)/);
    assert.match(beside ?? "", /Make 4 Variants….*Make Video of This….*Where Is This Used/);
    assert.ok(!beside?.includes("](command:evil)"), "a prompt is text");
    assert.match((await textAt('<img src="/hero%20%281%29.png">', "hero")) ?? "", /a hero/);
    assert.match((await textAt("url(docs/img/pier.png)", "pier")) ?? "", /at dusk/);
  });

  it("T17: says nothing of other files, and of the newest task where two were placed there", async () => {
    assert.equal(await textAt("![](img/other.png)", "other"), undefined);
    place("docs/img/pier.png", "33333333-3333-4333-8333-333333333333", "a later pier");
    assert.match((await textAt("![](img/pier.png)", "pier")) ?? "", /a later pier/);
  });

  it("T17: of a picture that would take gigabytes to show, the reason and Open Result are shown", async () => {
    await write("docs/img/wall.png", withDeclaredSize(await pngOf(2, 2), 60_000, 60_000));
    place("docs/img/wall.png", "44444444-4444-4444-8444-444444444444", "a wall");
    const text = (await textAt("![](img/wall.png)", "wall")) ?? "";
    assert.match(text, /Can't be shown: the picture is too large/);
    assert.match(text, /\[Open Result\]\(command:/);
    assert.ok(!text.includes("![]("));
    assert.ok(!((await textAt("![](/hero%20%281%29.png)", "hero")) ?? "").includes("![]("), "it is missing");
  });

  it("T17: Where Is This Used looks for the file's name, and is there for a picture in the explorer", async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes(commands.findUses));
    await vscode.commands.executeCommand(commands.findUses, fileAt(path.join("docs", "img", "pier.png")));
    await vscode.commands.executeCommand("workbench.view.explorer");
  });
});
