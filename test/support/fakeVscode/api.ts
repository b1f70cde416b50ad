/** The module `vscode` that the extension imports, over a fake window. */
import path from "node:path";
import type * as vscode from "vscode";
import * as dataTypes from "./dataTypes";
import * as enums from "./enums";
import * as modelTypes from "./modelTypes";
import { encode, type Encoding } from "./encodings";
import { applyEdit, findFiles } from "./files";
import { builtInCommand } from "./builtInCommands";
import { TextEdit, WorkspaceEdit } from "./edits";
import { CancellationError, CancellationTokenSource, Disposable, EventEmitter } from "./events";
import type { ShowOptions } from "./editors";
import type { FakeWindow } from "./fakeWindow";
import { Position, Range, Selection, Uri } from "./positions";
import { FakeInputBox, FakeQuickPick, showInputBox } from "./quickInput";

dataTypes.RelativePattern.fileUri = (file) => Uri.file(file);

/** The classes have the types of VS Code only by their use, because its declarations have private constructors and overloads. */
export function createApi(window: FakeWindow): Readonly<Record<string, unknown>> {
  return {
    ...dataTypes,
    ...modelTypes,
    ...enums,
    ...{ TextEdit, WorkspaceEdit, CancellationError, CancellationTokenSource, Disposable, EventEmitter },
    ...{ Position, Range, Selection, Uri },
    ...{ version: "1.106.0", l10n: { uri: undefined, bundle: undefined } },
    window: complete("window", windowOf(window)),
    workspace: complete("workspace", workspaceOf(window)),
    commands: complete("commands", commandsOf(window)),
    env: complete("env", environmentOf(window)),
    languages: complete("languages", languagesOf(window)),
    lm: complete("lm", window.models.lm),
    chat: complete("chat", window.models.chat),
    extensions: complete("extensions", extensionsOf(window)),
  };
}

/** A member that is missing here throws with its name where it is used, instead of being `undefined`. */
function complete<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver): unknown {
      if (typeof key === "string" && !(key in target)) throw new Error(`The fake vscode has no ${name}.${key}.`);
      return Reflect.get(target, key, receiver);
    },
  });
}

function windowOf(window: FakeWindow): Partial<typeof vscode.window> {
  const { editors, messages, dialogs, trees, webviews, wire, widget } = window;
  const show = (severity: "info" | "warning" | "error") => messages.show(severity) as never;
  return {
    get activeTextEditor() {
      return editors.active?.shown;
    },
    get visibleTextEditors() {
      return editors.visible.map(({ shown }) => shown);
    },
    get tabGroups() {
      return editors.tabGroups;
    },
    get state() {
      return { focused: window.isFocused, active: window.isFocused };
    },
    ...{ activeTerminal: undefined, terminals: [], visibleNotebookEditors: [], activeNotebookEditor: undefined },
    onDidChangeActiveTextEditor: editors.activeChanged.event,
    onDidChangeVisibleTextEditors: editors.visibleChanged.event,
    onDidChangeTextEditorSelection: editors.selectionChanged.event,
    onDidChangeWindowState: window.stateChanged.event,
    showInformationMessage: show("info"),
    showWarningMessage: show("warning"),
    showErrorMessage: show("error"),
    setStatusBarMessage: messages.flash,
    withProgress: messages.withProgress,
    createStatusBarItem: ((...[id, alignment, priority]: readonly unknown[]) =>
      typeof id === "string"
        ? messages.createStatusItem(id, alignment as vscode.StatusBarAlignment, priority as number)
        : messages.createStatusItem("", id as vscode.StatusBarAlignment, alignment as number)) as never,
    createOutputChannel: ((name: string) => messages.createOutput(name)) as never,
    createQuickPick: <T extends vscode.QuickPickItem>() => new FakeQuickPick<T>(wire, widget),
    createInputBox: () => new FakeInputBox(wire, widget),
    showInputBox: (options, token) => showInputBox(() => new FakeInputBox(wire, widget), options, token),
    createTreeView: (id, options) => trees.create(id, options) as never,
    registerTreeDataProvider: (id, provider) => trees.register(id, provider),
    registerWebviewViewProvider: (id, provider) => webviews.registerView(id, provider),
    registerWebviewPanelSerializer: (type, serializer) => webviews.registerSerializer(type, serializer),
    createWebviewPanel: (type, title, place, options) => webviews.create(type, title, place, options),
    registerUriHandler: (handler) => {
      window.uriHandler = handler;
      return new Disposable(() => (window.uriHandler = undefined));
    },
    createTerminal: ((options: vscode.TerminalOptions) => createTerminal(window, options)) as never,
    showOpenDialog: (options) => dialogs.open(options),
    showSaveDialog: (options) => dialogs.save(options),
    showTextDocument: (async (
      what: vscode.TextDocument | Uri,
      column?: vscode.ViewColumn | ShowOptions,
      preserveFocus = false,
    ) => {
      const uri = what instanceof Uri ? what : what.uri;
      const options =
        typeof column === "object"
          ? column
          : { ...(column === undefined ? {} : { viewColumn: column }), preserveFocus };
      return wire.call(async () => {
        const editor = editors.show(await window.documents.open(uri), options);
        if (options.preserveFocus !== true) window.moveFocus("editor");
        return editor.shown;
      });
    }) as never,
    createTextEditorDecorationType: (options) => ({ key: JSON.stringify(options), dispose: () => undefined }),
  } satisfies Partial<typeof vscode.window>;
}

function createTerminal(window: FakeWindow, { name = "", cwd }: vscode.TerminalOptions): Partial<vscode.Terminal> {
  const sent: { text: string; isRun: boolean }[] = [];
  const terminal = { name, sent, isShown: false, cwd: typeof cwd === "string" ? cwd : cwd?.fsPath };
  window.terminals.push(terminal);
  window.wire.changes.note();
  return {
    name,
    show: () => {
      terminal.isShown = true;
      window.moveFocus("terminal");
    },
    sendText: (text, isRun = true) => {
      sent.push({ text, isRun });
      window.wire.changes.note();
    },
    hide: () => undefined,
    dispose: () => void window.terminals.splice(window.terminals.indexOf(terminal), 1),
  };
}

function workspaceOf(window: FakeWindow): Partial<typeof vscode.workspace> {
  const { documents, configuration, fileSystems, watchers, folders, wire } = window;
  const { fs } = fileSystems;
  // Of folders that lie in each other the innermost one counts.
  const folderOf = (uri: vscode.Uri): vscode.WorkspaceFolder | undefined =>
    folders
      .filter(
        (one) =>
          uri.scheme === one.uri.scheme && (uri.path === one.uri.path || uri.path.startsWith(`${one.uri.path}/`)),
      )
      .sort((one, other) => other.uri.path.length - one.uri.path.length)[0];
  return {
    fs,
    get workspaceFolders() {
      return folders.length === 0 ? undefined : folders;
    },
    get name() {
      return folders[0]?.name;
    },
    get isTrusted() {
      return window.isTrusted;
    },
    get textDocuments() {
      return documents.all.map(({ shown }) => shown);
    },
    notebookDocuments: [],
    getWorkspaceFolder: folderOf,
    asRelativePath: (what, withFolder = folders.length > 1) => {
      const uri = typeof what === "string" ? Uri.file(what) : what;
      const folder = folderOf(uri);
      if (!folder) return typeof what === "string" ? what : uri.fsPath;
      const relative = path.posix.relative(folder.uri.path, uri.path);
      return withFolder ? `${folder.name}/${relative}` : relative;
    },
    getConfiguration: (section) => configuration.section(section),
    onDidChangeConfiguration: configuration.onDidChange,
    openTextDocument: (async (what?: Uri | string | { language?: string; content?: string }) =>
      wire.call(async () => {
        if (what instanceof Uri || typeof what === "string") {
          return (await documents.open(typeof what === "string" ? Uri.file(what) : what)).shown;
        }
        return documents.openUntitled(what?.content ?? "", what?.language ?? "plaintext").shown;
      })) as never,
    encode: (async (text: string, { encoding = documents.fallback }: { readonly encoding?: string } = {}) =>
      wire.call(() => Promise.resolve(new Uint8Array(encode(text, encoding as Encoding))))) as never,
    applyEdit: async (edit) =>
      wire.call(() =>
        applyEdit(
          edit as unknown as WorkspaceEdit,
          documents,
          fs,
          (uri) => window.filesCreated.fire({ files: [uri] }),
          (document) => window.editors.active?.model === document,
        ),
      ),
    save: async (uri) => {
      const document = documents.find(uri);
      return document && (await documents.save(document)) ? uri : undefined;
    },
    findFiles: async (include, exclude, limit) => wire.call(() => findFiles(folders, include, exclude, limit)),
    createFileSystemWatcher: (...asked) => watchers.create(...asked),
    registerTextDocumentContentProvider: (scheme, provider) => documents.provide(scheme, provider),
    registerFileSystemProvider: (scheme, provider) => fileSystems.register(scheme, provider),
    onDidChangeTextDocument: documents.changed.event,
    onDidOpenTextDocument: documents.opened.event,
    onDidCloseTextDocument: documents.closed.event,
    onDidSaveTextDocument: documents.saved.event,
    onWillSaveTextDocument: documents.willSave.event,
    onDidGrantWorkspaceTrust: window.trustGranted.event,
    onDidChangeWorkspaceFolders: window.foldersChanged.event,
    onDidCreateFiles: window.filesCreated.event,
  } satisfies Partial<typeof vscode.workspace>;
}

function commandsOf(window: FakeWindow): Partial<typeof vscode.commands> {
  return {
    registerCommand: (id, run, self?: unknown) => {
      if (window.commands.has(id)) throw new Error(`command '${id}' already exists`);
      window.commands.set(id, (...args) => (run as (...given: unknown[]) => unknown).apply(self, args));
      return new Disposable(() => window.commands.delete(id));
    },
    executeCommand: async <T>(id: string, ...args: unknown[]): Promise<T> => {
      const own = window.commands.get(id);
      if (own) return (await own(...args)) as T;
      return window.wire.call(() => builtInCommand(window, id, args)) as Promise<T>;
    },
    getCommands: () => Promise.resolve([...window.commands.keys()]),
  } satisfies Partial<typeof vscode.commands>;
}

function environmentOf(window: FakeWindow): Partial<typeof vscode.env> {
  return {
    ...{ language: window.options.language ?? "en", remoteName: undefined, uiKind: 1, shell: "/bin/sh" },
    ...{ machineId: "0123456789abcdef0123456789abcdef", sessionId: "session", appName: "Fake", uriScheme: "vscode" },
    clipboard: {
      readText: () => Promise.resolve(window.clipboard),
      writeText: (text) => {
        window.clipboard = text;
        window.wire.changes.note();
        return Promise.resolve();
      },
    },
    openExternal: (uri) => {
      window.openedOutside.push(uri.toString(true));
      window.wire.changes.note();
      return Promise.resolve(true);
    },
  } satisfies Partial<typeof vscode.env>;
}

function languagesOf(window: FakeWindow): Partial<typeof vscode.languages> {
  const { languages, documents } = window;
  return {
    registerCodeLensProvider: (selector, provider) => languages.registerLenses(selector, provider),
    registerHoverProvider: (selector, provider) => languages.registerHovers(selector, provider),
    registerCompletionItemProvider: (selector, provider) => languages.registerCompletions(selector, provider),
    registerCodeActionsProvider: (selector, provider) => languages.registerActions(selector, provider),
    registerDocumentDropEditProvider: (selector, provider) => languages.registerDrops(selector, provider),
    registerDocumentPasteEditProvider: (selector, provider) => languages.registerPastes(selector, provider),
    createDiagnosticCollection: (name) => languages.createCollection(name),
    getDiagnostics: ((uri?: vscode.Uri) => (uri ? languages.of(uri) : languages.all)) as never,
    onDidChangeDiagnostics: languages.diagnosticsChanged.event,
    getLanguages: () => Promise.resolve(["plaintext", "markdown", "typescript", "javascript", "json", "html", "css"]),
    setTextDocumentLanguage: async (document, language) => {
      const known = documents.find(document.uri);
      if (known) await window.wire.call(() => documents.speak(known, language));
      return document;
    },
  } satisfies Partial<typeof vscode.languages>;
}

function extensionsOf(window: FakeWindow): Partial<typeof vscode.extensions> {
  return {
    get all() {
      return window.extensions;
    },
    getExtension: ((id: string) => window.extensions.find((one) => one.id.toLowerCase() === id.toLowerCase())) as never,
    onDidChange: new EventEmitter<void>().event,
  } satisfies Partial<typeof vscode.extensions>;
}
