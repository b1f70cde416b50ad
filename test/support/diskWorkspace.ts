/** The workspace port straight over the disk: what the editor does in the product, without an editor. */
import { readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { FolderEntry, Workspace } from "../../src/domain/workspace";

export function createDiskWorkspace(...folders: readonly string[]): Workspace {
  return {
    roots: () => folders.map((path) => ({ name: basename(path), path })),
    realPath: (path) => realpath(path),
    async list(folder) {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.map((entry): FolderEntry => {
        const type = entry.isSymbolicLink()
          ? "link"
          : entry.isDirectory()
            ? "folder"
            : entry.isFile()
              ? "file"
              : "other";
        return { name: entry.name, type };
      });
    },
    size: async (path) => (await stat(path)).size,
    read: (path) => readFile(path, "utf8"),
    write: (path, text) => writeFile(path, text),
  };
}
