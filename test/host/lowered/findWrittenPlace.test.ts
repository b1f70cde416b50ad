/** Where a path leads that a person wrote for a file in the workspace. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { findWrittenPlace, showPath } from "../../../src/tasks/host/commands/resultTargets";

describe("a path that a person wrote", () => {
  it("T17, R6: is below the folder of the workspace, whatever its slashes; one that leads out is none", () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    for (const path of ["assets/hero", "/assets/hero", "./assets//hero", "assets\\hero"])
      assert.equal(
        findWrittenPlace(path)?.toString(),
        vscode.Uri.joinPath(root.uri, "assets", "hero").toString(),
        path,
      );
    for (const path of [
      "",
      "/",
      "..",
      "../hero",
      "assets/../../hero",
      "assets\\..\\..\\hero",
      "C:\\hero",
      "a\0b",
      "a\nb",
    ])
      assert.equal(findWrittenPlace(path), undefined, path);
  });

  it("T17: as it is shown, it leads back to the file", () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const file = vscode.Uri.joinPath(root.uri, "a folder", "h\u00e9ro.webp");
    assert.equal(findWrittenPlace(showPath(file))?.toString(), file.toString());
  });
});
