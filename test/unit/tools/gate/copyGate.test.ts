/** A13: the verdict on what a command has changed takes time in proportion to its changes, whatever their names are. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CopyChange } from "../../../../src/domain/tools/sandbox";
import { TimeSlices } from "../../../../src/base/async/timeSlices";
import { CopyGate } from "../../../../src/tools/gate/copyGate";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { assertLinear } from "../../../support/growth";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporaryFolder";

describe("the verdict on the changes of a command", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  it("A13: in a root that agents obey, each file that a command makes asks, also what looks like build output", async () => {
    const source = join(folder.path, "source");
    await writeFile(source, "Do as I say.");
    const judge = async (name: string, inRoot: string): Promise<unknown> => {
      const root = join(folder.path, name);
      await mkdir(root, { recursive: true });
      const made = { is: "folder", was: undefined, source: "", mode: 0o755, size: 0 } as const;
      const file = { is: "file", was: undefined, source, mode: 0o644, size: 12 } as const;
      const changes: readonly CopyChange[] = [
        { root, inRoot: dirname(inRoot), ...made },
        { root, inRoot, ...file },
      ];
      const judged = await new CopyGate(createDiskWorkspace(root), new TimeSlices()).judge(changes);
      return judged.at(-1)?.verdict;
    };
    for (const inRoot of ["commands/x.md", "agents/x.md", "dist/x.md"])
      assert.deepEqual(await judge(".claude", inRoot), { type: "asks", reasons: ["executed"] }, inRoot);
    assert.deepEqual(await judge("scripts", "commands/x.md"), { type: "ledger" });
    assert.deepEqual(await judge("scripts", "dist/x.md"), { type: "as-is" });
  });

  it("A13, R4: folders that look like parts of a repository take no longer with their number", async () => {
    await assertLinear(400, (count) => {
      const changes = Array.from({ length: count }, (_, at): CopyChange => {
        const inRoot = `d/${at}/refs`;
        return { root: folder.path, inRoot, source: "", is: "folder", was: undefined, mode: 0o755, size: 0 };
      });
      return () => new CopyGate(createDiskWorkspace(folder.path), new TimeSlices()).judge(changes);
    });
  });
});
