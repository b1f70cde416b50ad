/** The rules of VS Code that Sluice, and the fake one of the journeys, rely on, in the real one. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { editorContract, type EditorDriver } from "../support/editorContract";
import { eventually } from "../support/eventually";

/** That of another extension: Sluice does not hand out its own. */
interface Lent {
  readonly memory: EditorDriver["memory"];
}

describe("contract: the real VS Code", () => {
  let memory: EditorDriver["memory"];
  before(async () => {
    const extension = vscode.extensions.getExtension<Lent>("fixture.tools");
    assert.ok(extension);
    ({ memory } = await extension.activate());
    await vscode.workspace.getConfiguration("files").update("autoSave", "off", vscode.ConfigurationTarget.Global);
  });

  const run = async (command: string, ...args: readonly unknown[]): Promise<void> => {
    await vscode.commands.executeCommand(command, ...args);
  };
  /** VS Code sends what was set in one turn in a timer behind it, and answers in order. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await run("setContext", "contract", turn);
    }
  };
  const driverOf = (folder: string): EditorDriver => {
    const command = (id: string) => async (): Promise<void> => {
      await run(id);
      await settled();
    };
    return {
      ...{ folder, memory, settled, until: eventually },
      acceptItem: command("workbench.action.acceptSelectedQuickOpenItem"),
      nextItem: command("workbench.action.quickOpenNavigateNext"),
      goBack: command("workbench.action.quickInputBack"),
      closeList: command("workbench.action.closeQuickOpen"),
      moveFocusAway: command("workbench.files.action.focusFilesExplorer"),
    };
  };

  /** A copy of the oldest VS Code may have come without the programs that its installation fetches. */
  const hasPrograms = ["ripgrep", "ripgrep-universal"].some((name) =>
    existsSync(path.join(vscode.env.appRoot, "node_modules", "@vscode", name, "bin")),
  );
  for (const { title, holds, needsPrograms } of editorContract) {
    // What is pending fails a run in the extension host.
    if (needsPrograms && !hasPrograms) continue;
    it(title, async () => {
      const [project] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(project);
      const folder = await mkdtemp(path.join(project.uri.fsPath, "rule-"));
      try {
        await holds(vscode, driverOf(folder));
      } finally {
        await run("workbench.action.closeQuickOpen");
        await run("workbench.action.revertAndCloseActiveEditor");
        await run("workbench.action.closeAllEditors");
        await rm(folder, { recursive: true });
      }
    });
  }
});
