/** Undecided changes and the git extension of VS Code itself: a commit keeps what it contains, and branch, stash and reset leave no wrong marks (A16). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { ChangeLedger } from "../../src/chat/undo/changeLedger";
import type { FileChanges } from "../../src/domain/tools/workspace";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const text = lines.join("");
const first = text.replace("line 5\n", "five\n");
const edited = first.replace("line 15\n", "line 15\nadded\n").replace("line 25\n", "");

interface Repository {
  status(): Promise<void>;
  readonly state: { readonly HEAD?: { readonly commit?: string } };
}

interface GitExtension {
  getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<Repository | null> };
}

/** Whether VS Code reports changes of files on this machine. The program that watches for it can fail to start, and then git's are not noticed. */
async function isWatched(): Promise<boolean> {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, "watched.txt"));
  let isSeen = false;
  watcher.onDidChange(() => (isSeen = true));
  let count = 0;
  const write = async (): Promise<boolean> => {
    if (!isSeen) await writeFile(path.join(root.uri.fsPath, "watched.txt"), String((count += 1)));
    return isSeen;
  };
  await eventually("a change", write).catch(() => undefined);
  watcher.dispose();
  return isSeen;
}

describe("undecided changes and VS Code's git extension", () => {
  let inside: ExtensionInside;
  let folder: string;
  let ledger: ChangeLedger;
  let files: FileChanges;
  let document: vscode.TextDocument;
  let repository: Repository;
  let count = 0;
  const at = (name: string): string => path.join(folder, name);
  const git = (...args: readonly string[]): string => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    return execFileSync("git", ["-C", folder, ...who, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  };
  /** The titles of the lenses that name a hunk: *1 of 3 · +1 −1*. */
  const hunks = async (): Promise<readonly string[]> => {
    const found = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
      100,
    );
    return found.flatMap(({ command }) => (/^\d+ of \d+/.test(command?.title ?? "") ? [command!.title] : []));
  };
  const untilHunks = async (what: string, number: number): Promise<void> => {
    let seen: readonly string[] = [];
    const found = (): string =>
      `${what}, found ${JSON.stringify({ seen, live: ledger.live, text: document.getText().length })}`;
    await eventually(found, async () => (seen = await hunks()).length === number);
  };
  const untilText = (wanted: string): Promise<void> =>
    eventually("the text in the editor", () => document.getText() === wanted);
  const isKept = (): readonly boolean[] => ledger.live.map((change) => change.isKept);

  before(async function () {
    inside = await openExtension();
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    if (!(await isWatched())) this.skip();
  });

  /** A repository with one commit, opened by the git extension, in which a tool has then edited `a.txt` in three places. */
  beforeEach(async () => {
    inside.app.chats.view.leave();
    count += 1;
    const [root] = vscode.workspace.workspaceFolders ?? [];
    folder = path.join(root?.uri.fsPath ?? "", `committed${count}`);
    await mkdir(folder, { recursive: true });
    git("init", "-q", "-b", "main");
    await writeFile(at("a.txt"), text);
    await writeFile(at("b.txt"), text);
    git("add", ".");
    git("commit", "-qm", "one");
    const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
    const opened = await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(folder));
    assert.ok(opened, "the git extension has opened the repository");
    repository = opened;
    ledger = (await inside.app.openLedgers()).of(inside.app.chats.current.id);
    files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
    await files.write(at("a.txt"), text, edited);
    document = await vscode.workspace.openTextDocument(at("a.txt"));
    await vscode.window.showTextDocument(document);
    await untilHunks("three hunks", 3);
    await repository.status();
    assert.equal(repository.state.HEAD?.commit, git("rev-parse", "HEAD").trim());
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("sluice.changes.keepAll");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("A16: a commit keeps what it contains, without a command", async () => {
    git("commit", "-qam", "two");
    await untilHunks("nothing to decide", 0);
    await eventually("the change is kept", () => isKept().every(Boolean));
    assert.equal(await readFile(at("a.txt"), "utf8"), edited);
    git("reset", "-q", "--soft", "HEAD~1");
    const commit = git("rev-parse", "HEAD").trim();
    await eventually("the extension has noticed the reset", () => repository.state.HEAD?.commit === commit);
    assert.deepEqual([await hunks(), isKept()], [[], [true]], "what was kept stays kept");
  });

  it("A16: a commit of one hunk keeps that hunk, and one of another file nothing", async () => {
    await writeFile(at("b.txt"), "other\n");
    git("commit", "-qm", "another file", "b.txt");
    await writeFile(at("part"), first);
    const hash = git("hash-object", "-w", "part").trim();
    git("update-index", "--cacheinfo", `100644,${hash},a.txt`);
    assert.equal((await hunks()).length, 3);
    git("commit", "-qm", "a part");
    await untilHunks("two are left", 2);
    assert.deepEqual(await hunks(), ["1 of 2 · +1 −0", "2 of 2 · +0 −1"]);
    assert.equal(document.getText(), edited);
  });

  it("A16: a stash takes the marks along and brings them back, another branch keeps them, and a reset leaves none", async () => {
    git("stash", "-q");
    await untilText(text);
    await untilHunks("no marks without the change", 0);
    git("stash", "pop", "-q");
    await untilText(edited);
    await untilHunks("the marks are back", 3);
    git("checkout", "-q", "-b", "other");
    assert.equal((await hunks()).length, 3, "the file has gone along");
    git("stash", "-q");
    await writeFile(at("a.txt"), text.replace("line 10\n", "ten\n"));
    git("commit", "-qam", "the other branch");
    await untilText(text.replace("line 10\n", "ten\n"));
    await untilHunks("no marks on text of another branch", 0);
    git("checkout", "-q", "main");
    await untilText(text);
    await untilHunks("no marks on the committed text", 0);
    git("stash", "pop", "-q");
    await untilText(edited);
    await untilHunks("the marks are back on their branch", 3);
    git("reset", "-q", "--hard");
    await untilText(text);
    await untilHunks("no marks after the reset", 0);
    assert.deepEqual(isKept(), [false], "nothing of it was committed");
  });
});
