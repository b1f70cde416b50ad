/** The extension in a real extension host: it activates, and what package.json promises is there. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import * as z from "zod/mini";

const manifest = z.object({
  engines: z.object({ vscode: z.string() }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string() })),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
  }),
});

describe("the extension in VS Code", () => {
  const extension = vscode.extensions.getExtension("sluice.sluice");

  it("V4: activates", async () => {
    assert.ok(extension, "sluice.sluice is not installed");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("V5: the floor is the VS Code that `engines` promises, on its own Node", () => {
    const { engines } = manifest.parse(extension?.packageJSON);
    const oldest = engines.vscode.replace(/^\^(\d+\.\d+)\..*$/, "$1.");
    assert.equal(vscode.version.startsWith(oldest), process.env["SLUICE_TEST_SUITE"] === "floor", vscode.version);
    if (process.env["SLUICE_TEST_SUITE"] === "floor") assert.match(process.version, /^v22\./);
  });

  it("V4: registers every command that package.json contributes", async () => {
    const { contributes } = manifest.parse(extension?.packageJSON);
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command));
    assert.ok(contributes.commands.length > 0);
    assert.deepEqual(missing, []);
  });

  it("V4: has the Chat view before the Tasks view in its container", () => {
    const { contributes } = manifest.parse(extension?.packageJSON);
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(views, ["sluice.chat", "sluice.tasks"]);
  });
});
