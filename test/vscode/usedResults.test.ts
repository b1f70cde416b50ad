/** Which results a project uses, by the files that name them. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Task } from "../../src/domain/task/task";
import { findUsedResults } from "../../src/vscode/tasks/assets/usedResults";
import { accepted, makeTask } from "../support/builders";

describe("the results that a project uses", () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
  const fileAt = (name: string): vscode.Uri => vscode.Uri.joinPath(root, "used", name);
  const result = (id: string, file?: vscode.Uri): Task => {
    const placement = file && { state: "placed", file: file.toString(), at: 1 };
    return makeTask({
      intent: { id },
      submission: accepted({ state: "succeeded" }, placement ? ({ placement } as object) : {}),
    });
  };
  const write = (name: string, text: string): Thenable<void> =>
    vscode.workspace.fs.writeFile(fileAt(name), new TextEncoder().encode(text));
  after(() => vscode.workspace.fs.delete(vscode.Uri.joinPath(root, "used"), { recursive: true }));

  it("T15: are those in the workspace whose names a document or code has; not those that only a build or a long file has", async () => {
    await write("page.md", "![](img/pier%20one.png)");
    await write("page.tsx", 'import hero from "./hero.png";');
    await write("dist/page.html", '<img src="built.png">');
    await write("data.json", `"long.png"${" ".repeat(1024 * 1024)}`);
    const tasks = [
      result("pier", fileAt("img/pier one.png")),
      result("hero", fileAt("hero.png")),
      result("built", fileAt("built.png")),
      result("long", fileAt("long.png")),
      result("unused", fileAt("unused.png")),
      result("elsewhere", vscode.Uri.file("/elsewhere/hero.png")),
      result("nowhere"),
    ];
    const { signal } = new AbortController();
    assert.deepEqual(await findUsedResults(tasks, signal), ["pier", "hero"]);
    assert.deepEqual(await findUsedResults([], signal), []);
  });

  it("T15: the search ends with the page that asked for it", async () => {
    await write("page.md", "![](hero.png)");
    await assert.rejects(findUsedResults([result("hero", fileAt("hero.png"))], AbortSignal.abort()), {
      name: "AbortError",
    });
  });
});
