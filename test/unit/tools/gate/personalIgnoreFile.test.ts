/** Where git looks for a person's own ignore rules. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { excludesFileOf, findPersonalIgnoreFile } from "../../../../src/tools/gate/ignoreTree";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

describe("personal ignore file", () => {
  it("A4 (finding S11): core.excludesFile counts, in the last section that sets it", () => {
    assert.equal(excludesFileOf("[core]\n\texcludesFile = ~/.ignore ; mine\n"), "~/.ignore");
    assert.equal(excludesFileOf('[Core] excludesfile = "/a b/#c"\n[user]\nname = x\n'), "/a b/#c");
    assert.equal(excludesFileOf("[core]\nexcludesfile = /a\n[core]\nexcludesfile = /b\n"), "/b");
    assert.equal(excludesFileOf("[other]\nexcludesfile = /a\n"), undefined);
    assert.equal(excludesFileOf("[core]\nexcludesfile = relative\n"), undefined);
  });

  it("A4 (finding S11): without it, git/ignore in the folder for configuration", async () => {
    const home = await createTemporaryFolder();
    assert.equal(await findPersonalIgnoreFile(home.path, {}), join(home.path, ".config", "git", "ignore"));
    assert.equal(await findPersonalIgnoreFile(home.path, { XDG_CONFIG_HOME: "/x" }), "/x/git/ignore");
    await mkdir(join(home.path, ".config", "git"), { recursive: true });
    await writeFile(join(home.path, ".config", "git", "config"), "[core]\nexcludesfile = ~/other\n");
    assert.equal(await findPersonalIgnoreFile(home.path, {}), join(home.path, "other"));
    await writeFile(join(home.path, ".gitconfig"), "[core]\nexcludesfile = ~/mine\n");
    assert.equal(await findPersonalIgnoreFile(home.path, {}), join(home.path, "mine"));
    await home.remove();
  });
});
