/** The workspace port on the file system, in place of VS Code's editors. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolRefusal } from "../../src/domain/tools/tool";
import type { Workspace } from "../../src/domain/tools/workspace";
import { diskFiles } from "../../src/node/diskFiles";
import { createHeld, removeHeld, removeHeldFolder, replaceHeld, withHeldPaths } from "../../src/tools/gate/heldFiles";

export function createDiskWorkspace(...folders: readonly string[]): Workspace {
  const roots: Workspace["roots"] = () => folders.map((path) => ({ name: basename(path), path }));
  return {
    ...diskFiles,
    roots,
    shownText: () => undefined,
    unsavedTexts: () => [],
    write: (path, before, after) =>
      withHeldPaths(roots, [path], async () => {
        if ((await readFile(path, "utf8")) !== before) throw new ToolRefusal("The editor reads another text.");
        await writeFile(path, after);
        return after;
      }),
    create: (path, content, mode) => createHeld(roots, path, content, mode),
    rename: (from, to) =>
      withHeldPaths(roots, [from, to], async () => {
        await mkdir(dirname(to), { recursive: true });
        await rename(from, to);
      }),
    remove: (path, content) => removeHeld(roots, path, content, () => Promise.reject(new Error("There is no trash."))),
    removeFolder: (path) => removeHeldFolder(roots, path),
    replace: (path, before, after) => replaceHeld(roots, path, before, after),
    hasTrash: false,
    personalIgnoreFile: () => Promise.resolve(undefined),
  };
}
