/** The check `layers` names each fault in the layout of the folders; a sound tree has none. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findFaults, readImports } from "../../../scripts/layers.mjs";

type Layers = Parameters<typeof findFaults>[1];

const layers: Layers = {
  table: { base: [], domain: ["base"], node: ["base"], vscode: ["base", "domain", "node"] },
  rooms: { "vscode/view": [], "vscode/page": ["vscode/view"] },
  wordFolders: ["vscode/view"],
};
const tree = {
  "base/clock.ts": "export const clock = 1;",
  "domain/chat.ts": 'import { clock } from "../base/clock";',
  "node/files.ts": 'import { readFile } from "node:fs/promises";',
  "vscode/view/list.ts": 'import * as vscode from "vscode";\nimport { clock } from "../../base/clock";',
  "vscode/page/page.ts": 'import { readFile } from "node:fs/promises";\nimport { list } from "../view/list";',
  "extension.ts": 'import { page } from "./vscode/page/page";',
};

/** The faults of the sound tree with these files added, or instead of its own. */
async function faultsWith(files: Readonly<Record<string, string>>, changed: Partial<Layers> = {}): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), "layers-"));
  try {
    for (const [name, text] of Object.entries({ ...tree, ...files })) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
    return findFaults(await readImports(root), { ...layers, ...changed }).join("\n");
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe("layers", () => {
  it("V5: a sound tree has no fault", async () => {
    assert.equal(await faultsWith({}), "");
  });

  it("V5: a top folder without a row is named, with what to add", async () => {
    const faults = await faultsWith({ "tools/grep.ts": "" });
    assert.match(faults, /^tools\/ has no row: add "tools: \[.*\]" to table in scripts\/layerTable\.mjs$/);
  });

  it("V5: a folder inside a top folder without a row is named, with what to add", async () => {
    const faults = await faultsWith({ "vscode/task/tree.ts": "" });
    assert.match(faults, /^vscode\/task\/ has no row: add "vscode\/task": \[.*\] to rooms/);
    assert.match(await faultsWith({ "base/text/cut.ts": "" }), /^base\/ has no row.*\nbase\/text\/ has no row/);
  });

  it("V5: a row without a folder, out of order or of another top folder is named", async () => {
    const { table, rooms } = layers;
    assert.match(await faultsWith({}, { table: { ...table, tools: [] } }), /the row tools .* remove it/);
    const upward = { "vscode/view": ["vscode/page"], "vscode/page": [] };
    assert.match(await faultsWith({}, { rooms: upward }), /the row vscode\/view names vscode\/page, .* low to high/);
    const across = { ...rooms, "vscode/page": ["vscode/view", "base"] };
    assert.match(await faultsWith({}, { rooms: across }), /the row vscode\/page names base: .* belong to table/);
    assert.match(
      await faultsWith({}, { wordFolders: ["domain/words"] }),
      /wordFolders in .* names domain\/words, .* remove it/,
    );
  });

  it("V5: an arrow up is named, between top folders and inside one, for types and late imports too", async () => {
    const up = await faultsWith({ "domain/chat.ts": 'import type { list } from "../vscode/view/list";' });
    assert.match(up, /^domain\/ may not import vscode\/ .*: domain\/chat\.ts imports vscode\/view\/list\.ts$/);
    const inside = await faultsWith({
      "vscode/page/page.ts": "",
      "vscode/view/list.ts": 'import "vscode";\nconst page = await import("../page/page");',
    });
    assert.match(
      inside,
      /^vscode\/view\/ may not import vscode\/page\/ .*: vscode\/view\/list\.ts imports vscode\/page\/page\.ts$/,
    );
  });

  it("V5: a circle of folders is named with its imports, where no file imports itself", async () => {
    const faults = await faultsWith({
      "vscode/view/tree.ts": 'export * from "../page/shown";',
      "vscode/page/shown.ts": "export const shown = 1;",
    });
    const circle = faults.split("\n").filter((fault) => fault.startsWith("a circle of folders"));
    assert.equal(circle.length, 1);
    assert.match(
      circle[0] ?? "",
      /vscode\/page, vscode\/view \(.*vscode\/view\/tree\.ts imports vscode\/page\/shown\.ts/,
    );
  });

  it("V5: a folder of 26 files is named; folders in it do not count", async () => {
    const filled = (folder: string, count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/file${index}.ts`, ""]));
    assert.match(await faultsWith(filled("base", 25)), /^base\/ has 26 files, more than 25/);
    assert.equal(await faultsWith({ ...filled("base", 24), ...filled("vscode/view", 24) }), "");
  });

  it("V5: a file of vscode/ or compose/ that needs Node but not the editor is named, but for the program of a thread", async () => {
    const faults = await faultsWith({ "vscode/view/disk.ts": 'import { stat } from "node:fs/promises";' });
    assert.equal(faults, "vscode/view/disk.ts needs Node but not the editor: move it to node/");
    assert.equal(await faultsWith({ "vscode/view/names.ts": 'import { basename } from "node:path";' }), "");
    const withCompose = { table: { ...layers.table, compose: ["base", "domain", "node", "vscode"] } };
    const needsNode = 'import { isMainThread } from "node:worker_threads";';
    assert.equal(
      await faultsWith({ "compose/window.ts": needsNode }, withCompose),
      "compose/window.ts needs Node but not the editor: move it to node/",
    );
    const throughView = `${needsNode}\nimport { list } from "../vscode/view/list";`;
    assert.equal(await faultsWith({ "compose/window.ts": throughView }, withCompose), "");
    assert.equal(await faultsWith({ "compose/storageThread.ts": needsNode }, withCompose), "");
  });

  it("V5: a file beside the folders of words that translates is named, in an inner folder and for plurals too", async () => {
    const translates = 'import { t } from "@vscode/l10n";';
    assert.match(
      await faultsWith({ "domain/chat.ts": translates }),
      /^domain\/chat\.ts imports @vscode\/l10n: sentences for a person are in vscode\/view \(scripts\/layerTable\.mjs\)$/,
    );
    assert.match(
      await faultsWith({ "vscode/page/page.ts": translates }),
      /^vscode\/page\/page\.ts imports @vscode\/l10n/,
    );
    const counts = { "domain/words/plural.ts": "", "domain/chat.ts": 'import { plural } from "./words/plural";' };
    const rooms = { ...layers.rooms, "domain/words": [], domain: ["domain/words"] };
    const wordFolders = ["domain/words", "vscode/view"];
    assert.match(
      await faultsWith(counts, { rooms, wordFolders }),
      /^domain\/chat\.ts imports domain\/words\/plural\.ts: sentences/,
    );
    assert.equal(
      await faultsWith(
        { "domain/words/plural.ts": translates, "vscode/view/tree.ts": translates },
        { rooms, wordFolders },
      ),
      "",
    );
  });
});
