/** The packaged file: small, holding only what is listed, and working when a person installs it. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import path from "node:path";
import { projectNode, run } from "../../scripts/processes.mjs";
import { temporaryFolder } from "../../scripts/workspace.mjs";
import { askInChat } from "../support/askInChat";
import { openWindow, type VsCodeWindow } from "../support/window";

describe("the VSIX", () => {
  let vsix: string;
  before("package", async () => {
    vsix = path.join(await temporaryFolder(), "sluice.vsix");
    const { code, output } = await run(projectNode(), ["scripts/package.mjs", "--out", vsix], { quiet: true });
    assert.equal(code, 0, output);
  });

  it("V5: is under 1 MB", async () => {
    assert.ok((await stat(vsix)).size < 1_000_000);
  });

  it("V5: holds the product and nothing of its making", async () => {
    const vsce = path.join("node_modules", "@vscode", "vsce", "vsce");
    const { output } = await run(projectNode(), [vsce, "ls", "--no-dependencies"], { quiet: true });
    const files = output.split("\n").filter((line) => /^[\w.@-]+(\/[\w.@ -]+)*$/.test(line));
    for (const wanted of ["package.json", "README.md", "LICENSE", "dist/extension.js", "dist/localGateway.js"]) {
      assert.ok(files.includes(wanted), `${wanted} is missing in\n${output}`);
    }
    const strange = files.filter((file) => /\.map$|(^|\/)(src|test|scripts|node_modules)\/(?!.*sample)/.test(file));
    assert.deepEqual(
      strange.filter((file) => !file.startsWith("media/sample/")),
      [],
    );
  });

  describe("installed into a fresh VS Code", () => {
    let window: VsCodeWindow;
    before("install and open", async () => {
      window = await openWindow({ extension: { vsix } });
    });
    after(async () => {
      await window.close();
    });

    it("V5: shows its views", async () => {
      await window.showContainer("Sluice");
      await (await window.view("Tasks")).getByText("Select a prompt in any file").waitFor();
    });

    it("V5: the chat takes a prompt and answers it", async () => {
      const frame = await window.frameWith("textarea");
      // A model stands in the composer once the local gateway is up; before that a prompt is kept, not sent.
      await frame.getByText("demo-chat").filter({ visible: true }).first().waitFor();
      await askInChat(frame, "Which files are here?");
      // The demonstrator lists the files by the tool for it, then says what it found.
      await frame.getByText("src/greeting.ts", { exact: true }).filter({ visible: true }).first().waitFor();
    });
  });
});
