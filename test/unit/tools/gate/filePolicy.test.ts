/** A4: which files may hold a secret, by the path that the chat shows. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { filePolicyOf } from "../../../../src/tools/gate/changeReasons";

describe("the guard's tests of files", () => {
  const rooted = (...paths: readonly string[]) =>
    filePolicyOf({ roots: () => paths.map((path) => ({ name: path, path: resolve(path) })) });

  it("A4: a file may hold a secret by the folder that is open", () => {
    assert.equal(rooted("/home/me/.docker").isSecret("config.json"), true);
    assert.equal(rooted("/home/me/project", "/home/me/.docker").isSecret(".docker/config.json"), true);
    assert.equal(rooted("/home/me/project").isSecret("config.json"), false);
    assert.equal(rooted("/home/me/project").isSecret(".env"), true);
    assert.equal(rooted().isSecret(".env"), true);
  });
});
