/** A13: the verdict on what a command has changed takes time in proportion to its changes, whatever their names are. */
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
