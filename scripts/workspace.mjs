// Temporary folders that are removed when this process exits.
import { realpathSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** @type {Set<string>} */
const made = new Set();
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** @returns {Promise<string>} an empty folder by its real path: VS Code compares paths as strings */
export async function temporaryFolder() {
  const folder = await mkdtemp(path.join(realpathSync(os.tmpdir()), "sluice-"));
  made.add(folder);
  return folder;
}

/** @returns {Promise<string>} a copy of media/sample, so that edits in it never reach the project */
export async function sampleWorkspace() {
  const folder = path.join(await temporaryFolder(), "sample");
  await cp(path.join("media", "sample"), folder, { recursive: true });
  return folder;
}
