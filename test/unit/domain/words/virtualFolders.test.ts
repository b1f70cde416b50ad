/** Folders that are on no disk: the chat says that its tools don't reach them. */
import assert from "node:assert/strict";
import { describeVirtualFolders } from "../../../../src/domain/words/virtualFolders";

describe("virtual folders", () => {
  const folder = (name: string, scheme: string): { name: string; uri: { scheme: string } } => ({
    name,
    uri: { scheme },
  });

  it("V4, A2: are named; nothing is said of folders on a disk", () => {
    assert.equal(describeVirtualFolders(undefined), undefined);
    assert.equal(describeVirtualFolders([folder("app", "file")]), undefined);
    assert.equal(
      describeVirtualFolders([folder("app", "file"), folder("remote", "vscode-vfs")]),
      "The tools for files don't work in remote: not on a disk of this machine.",
    );
  });
});
