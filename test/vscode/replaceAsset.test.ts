/** *Replace with Another Variant…*: after a yes, with an undo that brings back the very bytes. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Task } from "../../src/domain/task/task";
import { type ReplacePorts, replaceAsset } from "../../src/vscode/tasks/commands/replaceAsset";
import { accepted, makeTask } from "../support/builders";
import { picture } from "../support/pictureBytes";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";

describe("replacing a file that was made here", () => {
  let file: vscode.Uri;
  let results: TemporaryFolder;
  let kept: [string, string][];
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
    const answer = (message: string): Promise<never> => {
      said.push(message);
      return Promise.resolve(Object.entries(answers).find(([begin]) => message.includes(begin))?.[1] as never);
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
      keep: (id, target) => Promise.resolve(void kept.push([id, target.toString()])),
      now: () => 0,
    };
  };
  const other = makeTask({
    intent: { id: "other", batch: "b", type: "async-image", prompt: "the other" },
    submission: accepted({ state: "succeeded" }),
  });
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
    Object.assign(window, { createQuickPick });
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await replaced;
  };

  it("T17: after a yes the other variant is there, and Undo brings back the very bytes", async () => {
    answers = { "Replace ": "Replace", "is another variant now": "Undo" };
    await replaceWith(portsFor("other.png", other));
    assert.equal(await readFile(file.fsPath, "utf8"), "cropped by the person");
    assert.deepEqual(
      kept.map(([id]) => id),
      ["other", "hero"],
    );
    answers = { "Replace ": "Replace" };
    await replaceWith(portsFor("other.png", other));
    assert.deepEqual(await readFile(file.fsPath), Buffer.from(picture));
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
