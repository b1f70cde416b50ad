// Folders for one run, gone when the process that made them ends.
import { realpathSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** @type {Set<string>} */
const made = new Set();
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** @returns {Promise<string>} an empty folder by its real path, for VS Code compares paths as they are written */
export async function temporaryFolder() {
  const folder = await mkdtemp(path.join(realpathSync(os.tmpdir()), "sluice-"));
  made.add(folder);
  return folder;
}

/** @returns {Promise<string>} a copy of media/sample, so that what is tried there never lands in the project */
export async function sampleWorkspace() {
  const folder = path.join(await temporaryFolder(), "sample");
  await cp(path.join("media", "sample"), folder, { recursive: true });
  return folder;
}
