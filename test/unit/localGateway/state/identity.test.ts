/** What the gateway signs with. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMovedClock } from "../../../support/movedClock";
import { AssetLinks } from "../../../../src/localGateway/tasks/resultFiles";
import { createTemporaryFolder } from "../../../support/temporaryFolder";
import { deriveSecrets, loadIdentity } from "../../../../src/localGateway/state/identity";
import { proofOf } from "../../../../src/localGateway/state/stateLock";

describe("identity", () => {
  const identity = { key: "sk-local-k", secret: "the-secret-of-this-gateway" };

  it("L1 (finding S15): each purpose has a secret of its own, the same after a restart", () => {
    const secrets = deriveSecrets(identity);
    assert.equal(new Set(Object.values(secrets)).size, Object.values(secrets).length);
    assert.deepEqual(deriveSecrets(identity), secrets);
    assert.notDeepEqual(deriveSecrets({ ...identity, secret: "another" }), secrets);
  });

  it("L1 (finding S15): what the gateway proves to anybody who asks makes no link to a result", () => {
    const { assetLinks, hello } = deriveSecrets(identity);
    const links = new AssetLinks({ secret: assetLinks, clock: createMovedClock(), origin: () => "" });
    const expires = "99999999999999";
    for (const signature of [
      proofOf(hello, `task/image.png/${expires}`),
      createHmac("sha256", hello).update(`hello task/image.png/${expires}`).digest("base64url"),
      createHmac("sha256", hello).update(`task/image.png/${expires}`).digest("base64url"),
    ]) {
      for (const task of ["task", "hello task"]) {
        assert.equal(links.isOurs(task, "image.png", new URLSearchParams({ expires, signature })), false);
      }
    }
  });

  it("L3: an empty or torn file, as a crash of the machine leaves it, is replaced by a new identity", async () => {
    const folder = await createTemporaryFolder();
    try {
      for (const torn of ["", "\0\0\0\0", '{"key":"sk-lo']) {
        await writeFile(join(folder.path, "gateway.json"), torn);
        const made = await loadIdentity(folder.path);
        assert.match(made.key, /^sk-local-.{32}$/);
        assert.deepEqual(await loadIdentity(folder.path), made);
      }
      assert.deepEqual(await readdir(folder.path), ["gateway.json"]);
      await writeFile(join(folder.path, "gateway.json"), '{"ours":false}');
      await assert.rejects(loadIdentity(folder.path), "a file of something else stays");
    } finally {
      await folder.remove();
    }
  });
});
