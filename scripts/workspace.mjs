// Temporary folders that are removed when this process exits.
import { accessSync, constants, readFileSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** @type {Set<string>} */
const made = new Set();
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * @param {string} [place] where it is made
 * @returns {Promise<string>} an empty folder by its real path: VS Code compares paths as strings
 */
export async function temporaryFolder(place = os.tmpdir()) {
  const folder = await mkdtemp(path.join(realpathSync(place), "sluice-"));
  made.add(folder);
  return folder;
}

/** The memory of Linux as a folder. Each commit of SQLite waits for the disk, which takes milliseconds, and there nothing. */
const memory = "/dev/shm";
/** How many bytes must be free. Containers often have 64 MB of this memory. */
const leastMemory = 4e9;

/** @returns {string | undefined} `undefined`: use the system's folder, for there is no such memory, too little, or tests can't do in it what they do on a disk */
export function memoryFolder() {
  if (process.platform !== "linux" || process.env["TMPDIR"]) return undefined;
  // A copy of the workspace lies there with attributes that it has since 6.6.
  const [major = 0, minor = 0] = os.release().split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 6)) return undefined;
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const [, , type, options = ""] = mounts.map((line) => line.split(" ")).find(([, place]) => place === memory) ?? [];
    if (type !== "tmpfs" || options.split(",").includes("noexec")) return undefined;
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastMemory ? memory : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Promise<string>} a copy of media/sample, so that edits in it never reach the project */
export async function sampleWorkspace() {
  const folder = path.join(await temporaryFolder(), "sample");
  await cp(path.join("media", "sample"), folder, { recursive: true });
  return folder;
}
