/** The workspace port on the file system, in place of VS Code's editors. */
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { ToolRefusal } from "../../src/domain/tool";
import type { Workspace } from "../../src/domain/workspace";
import { diskFiles } from "../../src/vscode/diskFiles";

export function createDiskWorkspace(...folders: readonly string[]): Workspace {
  return {
    ...diskFiles,
    roots: () => folders.map((path) => ({ name: basename(path), path })),
    shownText: () => undefined,
    unsavedTexts: () => [],
    async write(path, before, after) {
      if ((await readFile(path, "utf8")) !== before) throw new ToolRefusal("The editor reads another text.");
      await writeFile(path, after);
    },
    personalIgnoreFile: () => Promise.resolve(undefined),
  };
}
