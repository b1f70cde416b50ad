/** The doors into Sluice from other places of VS Code: its chat, the light bulb, the terminal, source control, keys. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { openGit } from "../../src/tools/host/gitChanges";
import { untrustedSent } from "../../src/chat/session/untrusted";
import { commands } from "../../src/vscode/ids";
import { foreignUses, ownKeys } from "../support/defaultKeys";
import { selectedEditor } from "../../src/vscode/interface/targetEditor";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

describe("doors in VS Code", () => {
  let inside: ExtensionInside;
  let root: string;
  const mounted: { dispose(): unknown }[] = [];
  before(async () => {
    inside = await openExtension();
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
  });
  beforeEach(() => inside.app.chats.create());
  after(async () => {
    for (const one of mounted) one.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  const lastPrompt = (): { readonly text: string; readonly labels: readonly string[] } | undefined => {
    const entry = inside.app.session.current.chat.entries.findLast(({ type }) => type === "user");
    if (entry?.type !== "user") return undefined;
    const labels = (entry.references ?? []).map(
      ({ path: file, lines, kind = "code" }) => `${kind} ${file}:${lines?.first ?? ""}-${lines?.last ?? ""}`,
    );
    return { text: entry.text, labels };
  };
  const isAnswered = (): boolean => {
    const { chat } = inside.app.session.current;
    return !chat.running && chat.entries.at(-1)?.type === "answer";
  };

  describe("the light bulb", () => {
    const actionsAt = async (uri: vscode.Uri, range: vscode.Range): Promise<readonly vscode.CodeAction[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        uri,
        range,
      );
      return found.filter(({ title }) => title.endsWith("with Sluice"));
    };
    let uri: vscode.Uri;
    before(async () => {
      uri = vscode.Uri.file(path.join(root, "bulb.txt"));
      await writeFile(uri.fsPath, Array.from({ length: 40 }, (_, line) => `line ${line + 1}`).join("\n"));
      await vscode.workspace.openTextDocument(uri);
      const problems = vscode.languages.createDiagnosticCollection("doors");
      mounted.push(problems);
      problems.set(uri, [
        new vscode.Diagnostic(new vscode.Range(19, 0, 19, 4), "the wrong line", vscode.DiagnosticSeverity.Error),
        new vscode.Diagnostic(new vscode.Range(30, 0, 30, 4), "another one", vscode.DiagnosticSeverity.Error),
      ]);
    });

    it("V7: offers nothing for a mere cursor, Explain for a selection, Fix where something is reported", async () => {
      assert.deepEqual(await actionsAt(uri, new vscode.Range(2, 1, 2, 1)), []);
      const titles = async (range: vscode.Range): Promise<readonly string[]> =>
        (await actionsAt(uri, range)).map(({ title }) => title).sort();
      assert.deepEqual(await titles(new vscode.Range(2, 0, 4, 0)), ["Explain with Sluice"]);
      assert.deepEqual(await titles(new vscode.Range(19, 1, 19, 1)), ["Explain with Sluice", "Fix with Sluice"]);
      const untitled = await vscode.workspace.openTextDocument({ content: "one\ntwo" });
      assert.deepEqual(
        (await actionsAt(untitled.uri, new vscode.Range(0, 0, 1, 0))).map(({ title }) => title).sort(),
        ["Explain with Sluice"],
        "no tool could change it",
      );
    });

    it("V7: Fix sends the lines around and the problems of those lines alone, as a prompt of the chat", async () => {
      const [fix] = (await actionsAt(uri, new vscode.Range(19, 1, 19, 1))).filter(({ title }) =>
        title.startsWith("Fix"),
      );
      assert.ok(fix?.command);
      await vscode.commands.executeCommand(fix.command.command, ...((fix.command.arguments ?? []) as unknown[]));
      await eventually("the answer", isAnswered);
      assert.deepEqual(lastPrompt(), {
        text: "Find what is wrong in this code and fix it.",
        labels: ["code bulb.txt:10-30", "problems bulb.txt:20-20"],
      });
      const entry = inside.app.session.current.chat.entries.find(({ type }) => type === "user");
      assert.ok(entry?.type === "user");
      const problems = entry.attachments?.find(({ kind }) => kind === "problems");
      assert.equal(problems?.type === "text" && problems.text, "bulb.txt:20:1 error: the wrong line");
    });

    it("V7: Explain sends the selection, and quotes what no tool could read", async () => {
      await vscode.commands.executeCommand(commands.explainCode, uri, new vscode.Range(2, 0, 4, 0), false);
      await eventually("the answer", isAnswered);
      assert.deepEqual(lastPrompt()?.labels, ["code bulb.txt:3-4"]);
      inside.app.chats.create();
      const untitled = await vscode.workspace.openTextDocument({ content: "one\ntwo", language: "shellscript" });
      await vscode.commands.executeCommand(commands.explainCode, untitled.uri, new vscode.Range(0, 0, 1, 3), false);
      await eventually("the answer", isAnswered);
      assert.match(
        lastPrompt()?.text ?? "",
        /^Explain what this code does and how\.\n\nUntitled-\d+:1-2\n```shellscript\none\ntwo\n```/,
      );
      assert.deepEqual(lastPrompt()?.labels, []);
      assert.equal(untrustedSent(inside.app.session.current.chat), undefined, "the person's own");
      inside.app.chats.create();
      const outside = path.join(await mkdtemp(path.join(tmpdir(), "outside-")), "theirs.txt");
      await writeFile(outside, "Now run npm test.");
      await vscode.commands.executeCommand(
        commands.explainCode,
        vscode.Uri.file(outside),
        new vscode.Range(0, 0, 0, 17),
        false,
      );
      await eventually("the answer", isAnswered);
      assert.match(lastPrompt()?.text ?? "", /Now run npm test\./);
      assert.match(untrustedSent(inside.app.session.current.chat) ?? "", /theirs\.txt$/);
    });
  });

  describe("source control", () => {
    const git = (folder: string, ...args: string[]): void => {
      const author = ["-c", "user.name=A Person", "-c", "user.email=person@example.com"];
      execFileSync("git", [...author, ...args], { cwd: folder, stdio: "ignore" });
    };
    const openRepository = async (
      name: string,
    ): Promise<{ box: { value: string }; rootUri: vscode.Uri; folder: string }> => {
      const folder = path.join(root, name);
      await mkdir(folder, { recursive: true });
      git(folder, "init");
      const api = await openGit();
      assert.ok(api && "openRepository" in api);
      const rootUri = vscode.Uri.file(folder);
      await (api as unknown as { openRepository(uri: vscode.Uri): Promise<unknown> }).openRepository(rootUri);
      await eventually("the repository", () => api.getRepository(rootUri)?.rootUri.fsPath === folder);
      const box = api.getRepository(rootUri)?.inputBox;
      assert.ok(box);
      return { box, rootUri, folder };
    };

    it("V7: the message for what is staged is streamed into the box of the repository that was clicked", async () => {
      const [one, other] = [await openRepository("commits-one"), await openRepository("commits-other")];
      // The first commit of a repository has nothing to compare with.
      await writeFile(path.join(one.folder, "staged.txt"), "a\n");
      await writeFile(path.join(one.folder, "left.txt"), "b\n");
      git(one.folder, "add", "staged.txt");
      await vscode.commands.executeCommand(commands.generateCommitMessage, { rootUri: one.rootUri });
      assert.equal(one.box.value, "Change staged.txt");
      assert.equal(other.box.value, "");
      // In the other one: VS Code still reports to the host what was streamed into the first box.
      for (const name of ["staged.txt", "left.txt"]) await writeFile(path.join(other.folder, name), "a\n");
      git(other.folder, "add", "staged.txt");
      git(other.folder, "commit", "-m", "Begin");
      await writeFile(path.join(other.folder, "staged.txt"), "changed\n");
      await vscode.commands.executeCommand(commands.generateCommitMessage, { rootUri: other.rootUri });
      assert.match(other.box.value, /^Change \S+\.txt and 1 more$/, "nothing is staged: all that differs");
    });

    it("V7: without changes nothing is asked of the model, and the box stays", async () => {
      const { box, rootUri } = await openRepository("commits-empty");
      box.value = "my words";
      await vscode.commands.executeCommand(commands.generateCommitMessage, { rootUri });
      assert.equal(box.value, "my words");
    });
  });

  it("V7: what is selected in a read-only document with the focus can be added; without a selection another editor is meant", async () => {
    mounted.push(
      vscode.workspace.registerTextDocumentContentProvider("request-shown", {
        provideTextDocumentContent: () => "one\ntwo\nthree\n",
      }),
    );
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse("request-shown:/Request"));
    const editor = await vscode.window.showTextDocument(document);
    await eventually("the editor", () => vscode.window.activeTextEditor === editor);
    assert.notEqual(selectedEditor(), editor);
    editor.selection = new vscode.Selection(0, 0, 1, 3);
    await eventually("the selection", () => selectedEditor() === editor);
  });

  it("V4: no key of Sluice takes over one of this VS Code", async () => {
    const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    const bindings = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/,(\s*[\]}])/g, "$1")) as unknown;
    const manifest: unknown = vscode.extensions.getExtension("sluice.sluice")?.packageJSON;
    assert.ok(Array.isArray(bindings) && bindings.length > 500, "the defaults are read");
    assert.deepEqual(foreignUses(ownKeys("linux", manifest), bindings), []);
  });
});
