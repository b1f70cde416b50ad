/** What the disk has left. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeSpace } from "../../../src/node/diskFiles";

describe("the free space of a disk", () => {
  it("T8 (finding M15): is known in bytes, and not known where the folder can't be asked for", async () => {
    assert.ok((await freeSpace(tmpdir())) !== undefined);
    assert.equal(await freeSpace(join(tmpdir(), "sluice-no-such-folder")), undefined);
  });
});
