/** The workspace port on the file system, in place of VS Code's editors. */
import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolRefusal } from "../../src/domain/tools/tool";
import type { Workspace } from "../../src/domain/tools/workspace";
import { diskFiles } from "../../src/node/diskFiles";

export function createDiskWorkspace(...folders: readonly string[]): Workspace {
  return {
    ...diskFiles,
    roots: () => folders.map((path) => ({ name: basename(path), path })),
    shownText: () => undefined,
    unsavedTexts: () => [],
    async write(path, before, after) {
      if ((await readFile(path, "utf8")) !== before) throw new ToolRefusal("The editor reads another text.");
      await writeFile(path, after);
      return after;
    },
    async create(path, content) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { flag: "wx" });
    },
    async rename(from, to) {
      await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
    },
    async remove(path, content) {
      assert.deepEqual(await readFile(path), Buffer.from(content));
      await rm(path);
      return "gone";
    },
    async replace(path, before, after) {
      if (!(await readFile(path)).equals(before)) throw new ToolRefusal("The file was changed meanwhile.");
      await writeFile(path, after);
    },
    hasTrash: false,
    personalIgnoreFile: () => Promise.resolve(undefined),
  };
}
