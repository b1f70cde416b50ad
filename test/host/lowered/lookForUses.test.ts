/** The pass over the documents of a project: what is read, what is left out, and that a hostile repository leads nowhere. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { isAbort } from "../../../src/base/async/abort";
import type { Task } from "../../../src/domain/task/task";
import { readDocuments } from "../../../src/tools/search/readDocuments";
import { findUsedResults, lookForUses, type ReadDocuments } from "../../../src/tasks/host/assets/lookForUses";
import { createWorkspaceFiles } from "../../../src/tools/host/workspaceFiles";
import { accepted, makeTask } from "../../support/builders";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("looking for the uses of assets", () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const folder = path.join(root.uri.fsPath, "looked");
  const asset = vscode.Uri.file(path.join(folder, "img", "quay.png")).toString();
  const read: ReadDocuments = (request) =>
    readDocuments({ ...createWorkspaceFiles(), roots: () => [{ name: root.name, path: root.uri.fsPath }] }, request);
  let outside: TemporaryFolder;

  before(async () => {
    outside = await createTemporaryFolder();
    for (const inside of ["img", "node_modules/kit", "built"])
      await mkdir(path.join(folder, inside), { recursive: true });
    const page = '<p>Quay</p>\n<img src="img/quay.png" width="200">\n';
    const files: Readonly<Record<string, string | Buffer>> = {
      'a "page" (1) é.html': page,
      "site.css": ".quay { background: url('/looked/img/quay.png'); width: 90px }",
      ".gitignore": "built/\n",
      "built/page.html": page,
      "node_modules/kit/page.html": page,
      "huge.html": page + " ".repeat(1024 * 1024),
      "data.dat": Buffer.concat([Buffer.from(page), Buffer.from([0])]),
      "img/quay.png": "no picture",
    };
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
    await writeFile(path.join(outside.path, "page.html"), page);
    await symlink(outside.path, path.join(folder, "linked"));
    await symlink(path.join(outside.path, "page.html"), path.join(folder, "linked.html"));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await outside.remove();
  });

  it("T17, R6: documents of any name are read, without what is ignored, excluded, linked, binary or huge, which is said", async () => {
    const seen: number[] = [];
    const { uses, isIncomplete, documents } = await lookForUses(read, [asset], new AbortController().signal, (count) =>
      seen.push(count),
    );
    const found = (uses.get(asset) ?? []).map(({ document, ...where }) => ({
      name: path.basename(vscode.Uri.parse(document).fsPath),
      ...where,
    }));
    assert.deepEqual(found, [
      { name: 'a "page" (1) é.html', line: 2, width: 200 },
      { name: "site.css", line: 1, width: 90 },
    ]);
    assert.equal(isIncomplete, true);
    assert.ok(documents >= 4 && seen.every((count) => count <= documents));
  });

  it("T17: it can be stopped, and reads nothing where there is no asset", async () => {
    await assert.rejects(
      lookForUses(read, [asset], AbortSignal.abort(), () => undefined),
      isAbort,
    );
    assert.equal((await lookForUses(read, [], AbortSignal.abort(), () => undefined)).documents, 0);
  });

  it("T15: a result is used when a document names its file, or a picture that was made of it", async () => {
    const placed = (id: string, name: string, copies: readonly string[] = []): Task => {
      const fileOf = (one: string): string => vscode.Uri.file(path.join(folder, "img", one)).toString();
      const placement = { state: "placed", file: fileOf(name), at: 1 } as const;
      const made = copies.map((one) => ({ file: fileOf(one), at: 2 }));
      return makeTask({ intent: { id }, submission: accepted({ state: "succeeded" }, { placement, copies: made }) });
    };
    const tasks = [
      placed("named", "quay.png"),
      placed("converted", "hero.png", ["quay.png"]),
      placed("unused", "x.png"),
    ];
    const { signal } = new AbortController();
    // The later of the two has the file.
    assert.deepEqual(await findUsedResults(read, tasks, signal), ["converted"]);
    assert.deepEqual(await findUsedResults(read, [tasks[0]!, tasks[2]!], signal), ["named"]);
    await assert.rejects(findUsedResults(read, tasks, AbortSignal.abort()), isAbort);
  });
});
