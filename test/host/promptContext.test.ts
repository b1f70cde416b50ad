/** What VS Code has to attach to a prompt: files, folders, symbols, problems, the selection, and images through the gate. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { ImageFolder } from "../../src/chat/storage/imageFolder";
import { DisposableStore } from "../../src/base/disposable";
import type { AttachmentMessage, ContextItem } from "../../src/chat/contract/chatPageContract";
import { createAttachmentHandlers } from "../../src/chat/host/context/attachmentHandlers";
import { findContext, listProblems } from "../../src/chat/host/context/findContext";
import { createWorkspaceFiles } from "../../src/tools/host/workspaceFiles";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";
import { picture } from "../support/pictureBytes";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporaryFolder";

describe("attachments from VS Code", () => {
  let inside: ExtensionInside;
  let root: string;
  let elsewhere: TemporaryFolder;
  const used = new DisposableStore();
  before(async () => {
    inside = await openExtension();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
    elsewhere = await createTemporaryFolder();
    await mkdir(path.join(root, "attachable"), { recursive: true });
    await writeFile(path.join(root, "attachable", "attached.ts"), "one\ntwo\nthree\n");
    await writeFile(path.join(root, "attachable", "seen.png"), picture);
    await writeFile(path.join(root, "attachable", "text.png"), "no image");
    const problems = vscode.languages.createDiagnosticCollection("attachable");
    const range = new vscode.Range(1, 2, 1, 4);
    problems.set(fileAt("attached.ts"), [
      new vscode.Diagnostic(range, "less\nso", vscode.DiagnosticSeverity.Warning),
      new vscode.Diagnostic(range, "bad", vscode.DiagnosticSeverity.Error),
    ]);
    problems.set(vscode.Uri.file("/elsewhere.ts"), [new vscode.Diagnostic(range, "secret")]);
    used.add({ dispose: () => problems.dispose() });
    const symbols = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => [
        new vscode.SymbolInformation(
          "attachMe",
          vscode.SymbolKind.Function,
          "",
          new vscode.Location(fileAt("attached.ts"), new vscode.Range(0, 0, 1, 3)),
        ),
        new vscode.SymbolInformation(
          "attachMeWhole",
          vscode.SymbolKind.Class,
          "",
          // Some language servers find the range later.
          new vscode.Location(fileAt("attached.ts"), undefined as unknown as vscode.Range),
        ),
      ],
    });
    used.add({ dispose: () => void symbols.dispose() });
  });
  after(async () => {
    used.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await elsewhere.remove();
  });
  const fileAt = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, "attachable", name));
  const find = async (query: string): Promise<readonly ContextItem[]> => {
    let found: readonly ContextItem[] = [];
    await findContext(query, (items) => (found = items));
    return found;
  };
  const posted: AttachmentMessage[] = [];
  const handlers = (): ReturnType<typeof createAttachmentHandlers> =>
    createAttachmentHandlers({
      session: inside.app.session,
      images: ImageFolder.beside(path.join(elsewhere.path, "chats")),
      workspace: createWorkspaceFiles(),
      post: (message) => posted.push(message),
    });
  const next = async (act: () => void): Promise<AttachmentMessage> => {
    posted.length = 0;
    act();
    await eventually("its end", () => posted.some(({ type }) => type === "attaching-ended"));
    return posted[0]!;
  };

  it("P1, A6: letters find files, images, folders and symbols", async () => {
    // A VS Code server from npm may lack the ripgrep that it finds files with: then there are symbols only.
    const canSearch = await vscode.workspace.findFiles("**/attached.ts").then(
      () => true,
      () => false,
    );
    const found = await find("attach");
    const kinds = new Map(found.map((item) => [item.label, item]));
    const symbol = kinds.get("attachMe");
    assert.equal(symbol?.kind, "method");
    assert.deepEqual(symbol.reference, { path: "attachable/attached.ts", lines: { first: 1, last: 2 } });
    const whole = kinds.get("attachMeWhole");
    assert.deepEqual([whole?.kind, whole?.reference], ["class", { path: "attachable/attached.ts" }]);
    assert.equal(found.length > 2, canSearch);
    if (!canSearch) return;
    assert.deepEqual(kinds.get("attached.ts")?.reference, { path: "attachable/attached.ts" });
    assert.deepEqual(kinds.get("attachable/")?.reference, { path: "attachable", kind: "folder" });
    assert.equal((await find("seen.png"))[0]?.uri, fileAt("seen.png").toString());
  });

  it("P1, A6: letters find a folder whose files have others; among what begins with them, files come first", async () => {
    const searched = await vscode.workspace.findFiles("**/attached.ts").then(
      ({ length }) => length,
      () => 0,
    );
    // As above: without a search program there is nothing to find.
    if (searched === 0) return;
    const named = async (query: string): Promise<readonly string[]> =>
      (await find(query)).filter(({ kind }) => kind === "file" || kind === "folder").map(({ label }) => label);
    assert.deepEqual(await named("attachable"), ["attachable/"]);
    assert.deepEqual(await named("attach"), ["attached.ts", "attachable/"]);
    // Another name begins with these letters.
    assert.deepEqual(await named("ttach"), ["attached.ts", "attachable/"]);
    assert.deepEqual(await named("folder:able/"), ["attachable/"]);
    assert.deepEqual(await named("folder:attached"), []);
  });

  it("P1, A6: # alone offers the selection, problems, groups and open files", async () => {
    const editor = await vscode.window.showTextDocument(fileAt("attached.ts"));
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    await eventually("the selection", () => vscode.window.activeTextEditor?.selection.isEmpty === false);
    const alone = await find("");
    assert.deepEqual(
      alone.map(({ kind, label, detail }) => [kind, kind === "group" ? label : detail]),
      [
        ["selection", "attachable/attached.ts"],
        ["problems", ""],
        ["problems", "attachable/attached.ts"],
        ["group", "Files…"],
        ["group", "Folders…"],
        ["group", "Symbols…"],
        ["group", "Changes…"],
        ["file", "attachable"],
      ],
    );
    const selected = await next(() =>
      handlers()["context-add"]({ type: "context-add", chat: "", key: 1, from: "selection" }),
    );
    const lines = { first: 1, last: 2 };
    const chat = inside.app.session.current.chat.id;
    assert.deepEqual(selected, { type: "reference-add", chat, reference: { path: "attachable/attached.ts", lines } });
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await next(() => handlers()["context-add"]({ type: "context-add", chat: "", key: 2, from: "code-with-problems" }));
    assert.deepEqual(
      posted.map((message) => (message.type === "reference-add" ? message.reference : message)),
      [
        { path: "attachable/attached.ts" },
        { path: "attachable/attached.ts", kind: "problems" },
        { type: "attaching-ended", key: 2 },
      ],
    );
  });

  it("A6: problems of the workspace only, one a line, errors first", () => {
    const lines = ["attachable/attached.ts:2:3 error: bad", "attachable/attached.ts:2:3 warning: less so"].join("\n");
    assert.equal(listProblems("attachable/attached.ts"), lines);
    assert.ok(listProblems("").includes(lines));
    assert.ok(!listProblems("").includes("secret"));
  });

  it("P1, A4: a dropped image is read by the host, a folder is one; what is no image, or outside of the workspace, is refused in words", async () => {
    const drop = (...uris: string[]): Promise<AttachmentMessage> =>
      next(() => handlers()["uris-add"]({ type: "uris-add", chat: "elsewhere", key: 3, uris }));
    const image = await drop(fileAt("seen.png").toString());
    assert.ok(image.type === "reference-add" && image.reference.image?.mimeType === "image/png");
    assert.equal(image.data, picture.toString("base64"));
    assert.deepEqual(await drop(vscode.Uri.file(path.join(root, "attachable")).toString()), {
      type: "reference-add",
      chat: "elsewhere",
      reference: { path: "attachable", kind: "folder" },
    });
    // As the window of a remote folder names it.
    const remote = fileAt("attached.ts").with({ scheme: "vscode-remote", authority: "localhost:8080" });
    assert.deepEqual(await drop(remote.toString()), {
      type: "reference-add",
      chat: "elsewhere",
      reference: { path: "attachable/attached.ts" },
    });
    const words = async (uri: string): Promise<string> => {
      const message = await drop(uri);
      return message.type === "composer-hint" ? message.text : "";
    };
    assert.match(await words(fileAt("text.png").toString()), /it is no PNG, JPEG, GIF or WebP image/);
    for (const uri of [
      "file:///etc/passwd",
      "https://example.com/a.png",
      "::",
      "file:////x",
      "1:/x",
      "vscode-remote://x/etc/passwd",
    ])
      assert.notEqual(await words(uri), "", uri);
  });
});
