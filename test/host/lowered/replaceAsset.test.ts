/** *Replace with Another Variant…*: after a yes, with an undo that brings back the very bytes. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Task } from "../../../src/domain/task/task";
import { type ReplacePorts, replaceAsset } from "../../../src/tasks/host/commands/replaceAsset";
import { accepted, makeTask } from "../../support/builders";
import { picture } from "../../support/pictureBytes";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/temporaryFolder";

describe("replacing a file that was made here", () => {
  let file: vscode.Uri;
  let results: TemporaryFolder;
  let kept: [string, string][];
  /** Runs when *Undo* is offered. */
  let beforeUndo: () => Promise<unknown>;
  /** Runs when it is offered again. */
  let beforeRetry: () => Promise<unknown>;
  let said: string[];
  const { window } = vscode;
  const { showWarningMessage, showInformationMessage } = window;
  /** What the person presses, by the beginning of the question. */
  let answers: Readonly<Record<string, string>>;

  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    await mkdir(path.join(root, "replaced"), { recursive: true });
    file = vscode.Uri.file(path.join(root, "replaced", "hero.png"));
    await writeFile(file.fsPath, "cropped by the person");
    results = await createTemporaryFolder();
    [kept, said, answers] = [[], [], {}];
    beforeUndo = beforeRetry = () => Promise.resolve();
    const answer = async (message: string, options?: unknown): Promise<never> => {
      const { detail } = Object(options) as { detail?: string };
      said.push(detail === undefined ? message : `${message} ${detail}`);
      if (message.includes("is another variant now")) await beforeUndo();
      if (message.includes("could not be restored")) await beforeRetry();
      return Object.entries(answers).find(([begin]) => message.includes(begin))?.[1] as never;
    };
    window.showWarningMessage = answer;
    window.showInformationMessage = answer;
  });
  afterEach(async () => {
    Object.assign(window, { showWarningMessage, showInformationMessage });
    await results.remove();
  });

  const portsFor = (source: string, ...others: readonly Task[]): ReplacePorts => {
    const placement = { state: "placed", file: file.toString(), at: 1 } as const;
    const hero = makeTask({
      intent: { id: "hero", batch: "b", type: "async-image" },
      submission: accepted({ state: "succeeded" }, { placement }),
    });
    return {
      tasks: () => new Map([hero, ...others].map((task) => [task.intent.id, task])),
      fetch: async () => {
        await writeFile(path.join(results.path, source), picture);
        return path.join(results.path, source);
      },
      keep: (id, { file: target }) => Promise.resolve(void kept.push([id, path.basename(target)])),
      now: () => 0,
    };
  };
  const other = makeTask({
    intent: { id: "other", batch: "b", type: "async-image", prompt: "the other" },
    submission: accepted(
      { state: "succeeded" },
      { saved: { path: "/results/other.png", mimeType: "image/png", size: 1, at: 0, icon: "/icons/other.png" } },
    ),
  });
  let rows: readonly vscode.QuickPickItem[];
  /** Takes the first row once the pick is there. */
  const replaceWith = async (ports: ReplacePorts): Promise<void> => {
    const { createQuickPick } = window;
    const picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    const shown = new Promise<void>((resolve) => {
      Object.assign(window, {
        createQuickPick: () => {
          const pick = createQuickPick.call(window);
          picks.push(pick);
          const show = pick.show.bind(pick);
          pick.show = () => {
            show();
            resolve();
          };
          return pick;
        },
      });
    });
    const replaced = replaceAsset(ports, file);
    await shown;
    rows = picks[0]?.items ?? [];
    Object.assign(window, { createQuickPick });
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await replaced;
  };

  it("T17: after a yes the other variant is there, and Undo brings back the very bytes", async () => {
    answers = { "Replace ": "Replace", "is another variant now": "Undo" };
    await replaceWith(portsFor("other.png", other));
    assert.equal(await readFile(file.fsPath, "utf8"), "cropped by the person");
    assert.equal((rows[0]?.iconPath as vscode.Uri).path, "/icons/other.png");
    assert.deepEqual(
      kept.map(([id]) => id),
      ["other", "hero"],
    );
    answers = { "Replace ": "Replace" };
    await replaceWith(portsFor("other.png", other));
    assert.deepEqual(await readFile(file.fsPath), Buffer.from(picture));
  });

  it("T17: the yes says that a change of the person's would be lost; an unchanged file is in the results", async () => {
    answers = { "Replace ": "Replace" };
    await replaceWith(portsFor("other.png", other));
    assert.match(said[0] ?? "", /is not as it is in your results/);
    await writeFile(path.join(results.path, "hero.png"), "as made");
    await writeFile(file.fsPath, "as made");
    const ports = portsFor("other.png", other);
    const hero = ports.tasks().get("hero")!;
    const saved = { ...hero.submission, savedAs: path.join(results.path, "hero.png") } as Task["submission"];
    const tasks = new Map(ports.tasks()).set("hero", { ...hero, submission: saved });
    said = [];
    await replaceWith({ ...ports, tasks: () => tasks });
    assert.match(said[0] ?? "", /The former one stays in your results/);
  });

  it("T17: a file that is changed after it was replaced is not overwritten by Undo; one that was deleted comes back", async () => {
    answers = { "Replace ": "Replace", "is another variant now": "Undo" };
    beforeUndo = () => writeFile(file.fsPath, "drawn over");
    await replaceWith(portsFor("other.png", other));
    assert.equal(await readFile(file.fsPath, "utf8"), "drawn over");
    assert.match(said.at(-1) ?? "", /has been changed since it was replaced/);
    assert.deepEqual(
      kept.map(([id]) => id),
      ["other"],
    );
    beforeUndo = () => rm(file.fsPath);
    await replaceWith(portsFor("other.png", other));
    assert.equal(await readFile(file.fsPath, "utf8"), "drawn over");
  });

  it("T17: an Undo that fails is offered again", async () => {
    answers = { "Replace ": "Replace", "is another variant now": "Undo", "could not be restored": "Undo" };
    const folder = path.dirname(file.fsPath);
    // A file where the folder was: nothing can be written below it, until it is a folder again.
    beforeUndo = async () => {
      await rm(folder, { recursive: true });
      await writeFile(folder, "");
    };
    beforeRetry = async () => {
      await rm(folder);
      await mkdir(folder);
    };
    await replaceWith(portsFor("other.png", other));
    assert.equal(await readFile(file.fsPath, "utf8"), "cropped by the person");
    assert.ok(said.some((message) => message.includes("could not be restored")));
  });

  it("T17: a variant that can't be read leaves the file as it is", async () => {
    answers = { "Replace ": "Replace" };
    const ports = portsFor("other.png", other);
    const gone = (): Promise<string> => Promise.resolve(path.join(results.path, "gone.png"));
    await assert.rejects(replaceWith({ ...ports, fetch: gone }), /ENOENT/);
    assert.equal(await readFile(file.fsPath, "utf8"), "cropped by the person");
    assert.deepEqual(kept, []);
  });

  it("T17: without a yes, with another format, without a variant or for another file nothing changes, and why is said", async () => {
    await replaceWith(portsFor("other.png", other));
    await replaceWith(portsFor("other.webp", other));
    assert.match(said.at(-1) ?? "", /is a \.webp file/);
    await replaceAsset(portsFor("other.png"), file);
    assert.match(said.at(-1) ?? "", /There is no other variant of .*hero\.png yet/);
    await replaceAsset({ ...portsFor("other.png"), tasks: () => new Map() }, file);
    assert.match(said.at(-1) ?? "", /is not known as a result/);
    assert.equal(await readFile(file.fsPath, "utf8"), "cropped by the person");
    assert.deepEqual(kept, []);
  });
});
