/** A window of VS Code without its interface: it does what the parts of `vscode` do that Sluice uses, and has the person's side of them. */
import type * as vscode from "vscode";
import { computedContext, resourceKey } from "./contexts";
import { Configuration, type SharedStorage } from "./storage";
import { Documents } from "./documents";
import { Editors } from "./editors";
import { EventEmitter } from "./events";
import { FileSystems, Watchers } from "./files";
import { Languages } from "./languages";
import { ManifestView, type MenuRow } from "./manifest";
import { FileDialogs, Messages } from "./messages";
import { Models } from "./models";
import { Uri } from "./positions";
import { QuickWidget } from "./quickWidget";
import { type TreeRow, Trees } from "./trees";
import { Webviews, type FakePage } from "./webviews";
import { WaitingClock } from "./waitingClock";
import type { Contexts } from "./whenClause";
import { Wire } from "./wire";

/** A folder of the workspace. */
export interface FolderToOpen {
  /** A path on the disk, or an address such as `memory:/harbour`. */
  readonly at: string;
  /** Its name in the workspace; by default the last part of its path. */
  readonly name?: string;
}

export interface FakeWindowOptions {
  /** The folder with package.json and dist. */
  readonly root: string;
  readonly storage: SharedStorage;
  /** An empty window has none. */
  readonly folders: readonly FolderToOpen[];
  /** The value of `env.language`. */
  readonly language?: string;
  readonly isTrusted?: boolean;
  readonly clock?: WaitingClock;
  /** Where it is false, pauses take their time, as in two windows that have to agree on it. */
  readonly skipsPauses?: boolean;
}

/** The part of the window that has the focus while no list is open. */
export type Focus = "editor" | "terminal" | "explorer" | "none" | { readonly view: string };

export interface Terminal {
  readonly name: string;
  readonly cwd: string | undefined;
  readonly isShown: boolean;
  readonly sent: readonly { readonly text: string; readonly isRun: boolean }[];
}

/** Real milliseconds. Only a wait that hangs takes so long, even on a busy machine. */
const waitLimit = 60_000;
/** Real milliseconds in which nothing has changed before a pause of the extension ends. */
const idleTime = 4;

export class FakeWindow {
  readonly options: FakeWindowOptions;
  readonly wire = new Wire();
  readonly clock: WaitingClock;
  readonly manifest: ManifestView;
  readonly configuration: Configuration;
  readonly fileSystems = new FileSystems();
  readonly documents: Documents;
  readonly editors: Editors;
  readonly watchers: Watchers;
  readonly widget: QuickWidget;
  readonly messages: Messages;
  readonly dialogs = new FileDialogs();
  readonly trees: Trees;
  readonly webviews: Webviews;
  readonly languages: Languages;
  readonly models: Models;
  readonly folders: vscode.WorkspaceFolder[];
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  /** Commands of VS Code that the extension ran and that do nothing here, with their arguments. */
  readonly ran: (readonly [string, ...unknown[]])[] = [];
  readonly openedOutside: string[] = [];
  readonly terminals: Terminal[] = [];
  terminalSelection = "";
  clipboard = "";
  isFocused = true;
  isTrusted: boolean;
  uriHandler: vscode.UriHandler | undefined;
  readonly stateChanged = new EventEmitter<vscode.WindowState>();
  readonly trustGranted = new EventEmitter<void>();
  readonly foldersChanged = new EventEmitter<vscode.WorkspaceFoldersChangeEvent>();
  readonly filesCreated = new EventEmitter<vscode.FileCreateEvent>();
  readonly extensions: vscode.Extension<unknown>[] = [];
  readonly #contexts = new Map<string, unknown>();
  readonly #visibleViews = new Set<string>();
  #focus: Focus = "none";

  constructor(options: FakeWindowOptions) {
    const { root, storage, folders, language = "en", isTrusted = true, clock = new WaitingClock() } = options;
    this.options = options;
    this.isTrusted = isTrusted;
    this.clock = clock;
    const { changes } = this.wire;
    this.manifest = new ManifestView(root, language);
    this.folders = folders.map(({ at, name }, index) => {
      const uri = /^\w{2,}:/.test(at) ? Uri.parse(at) : Uri.file(at);
      return { uri, name: name ?? uri.path.split("/").at(-1) ?? "", index };
    });
    this.configuration = new Configuration(
      new Map([...builtInSettings, ...this.manifest.defaults]),
      storage,
      this.workspaceName,
    );
    this.documents = new Documents(changes, (scheme) => this.fileSystems.of(scheme));
    this.editors = new Editors(this.wire, this.documents);
    this.watchers = new Watchers(() => this.folders, this.documents, changes);
    for (const { uri } of this.folders) this.watchers.watch(uri);
    this.widget = new QuickWidget(changes);
    this.messages = new Messages(this.wire);
    this.trees = new Trees(this.wire, (id) => this.#visibleViews.has(id));
    this.webviews = new Webviews(this.wire, this.editors);
    this.languages = new Languages(() => this.folders, changes);
    this.models = new Models(changes);
  }

  /** The name by which the storage keeps what belongs to the workspace. */
  get workspaceName(): string {
    return this.folders.map(({ name }) => name).join("-") || "empty";
  }

  // Waiting

  /**
   * Resolves with what `holds` returns once that is true or an object. It is called after each change of what is shown. While nothing
   * changes, time passes: pauses of the extension end.
   */
  async until<T>(what: string, holds: () => T | PromiseLike<T>): Promise<NonNullable<Exclude<T, false>>> {
    const end = performance.now() + waitLimit;
    for (;;) {
      const seen = this.wire.changes.version;
      const found = await holds();
      if (found !== undefined && found !== null && found !== false) return found as NonNullable<Exclude<T, false>>;
      if (performance.now() > end) throw new Error(`Never: ${what}\n${await this.describe()}`);
      const hasChanged = await this.wire.changes.after(seen, idleTime);
      if (!hasChanged && this.options.skipsPauses !== false && this.wire.underWay === 0) this.clock.skipPause();
    }
  }

  /** Waits for work of the extension while time passes. */
  async during<T>(what: string, work: PromiseLike<T>): Promise<T> {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    void Promise.resolve(work).then(
      (value) => {
        outcome = { value };
        this.wire.changes.note();
      },
      (error: unknown) => {
        outcome = { error };
        this.wire.changes.note();
      },
    );
    const ended = await this.until(what, () => outcome);
    if ("error" in ended) throw ended.error;
    return ended.value;
  }

  /** Resolves when all that was sent between extension and window has arrived, with what it set off there. */
  settled(): Promise<void> {
    return this.wire.settled();
  }

  // Contexts, menus, keys

  setContext(key: string, value: unknown): void {
    this.#contexts.set(key, value);
    this.wire.changes.note();
  }

  /** The value of a context key now; `local` are those of a row or a title. */
  contexts(local: Readonly<Record<string, unknown>> = {}): Contexts {
    return (key) => {
      if (Object.hasOwn(local, key)) return local[key];
      if (this.#contexts.has(key)) return this.#contexts.get(key);
      return computedContext(this, key);
    };
  }

  /** The keys of a file for menus such as that of the explorer. */
  static resourceKeys(uri: vscode.Uri): Readonly<Record<string, unknown>> {
    const keys = [
      "resource",
      "resourceScheme",
      "resourceFilename",
      "resourceExtname",
      "resourcePath",
      "resourceDirname",
    ];
    return Object.fromEntries(keys.map((key) => [key, resourceKey(key, uri)]));
  }

  /** The menu of a row. `others` are the other selected rows. */
  menuOf(row: TreeRow, others: readonly TreeRow[] = []): MenuRow[] {
    return this.manifest.menu(
      "view/item/context",
      this.contexts({ view: row.view, viewItem: row.contextValue, listMultiSelection: others.length > 0 }),
    );
  }

  /** Buttons and menu of a view's title. */
  titleMenu(view: string): MenuRow[] {
    return this.manifest.menu("view/title", this.contexts({ view }));
  }

  /** Any other menu of package.json, such as `editor/title`. */
  menu(id: string, local: Readonly<Record<string, unknown>> = {}): MenuRow[] {
    return this.manifest.menu(id, this.contexts(local));
  }

  palette(): { readonly title: string; readonly command: string }[] {
    return this.manifest.palette(this.contexts());
  }

  keyFor(command: string): string | undefined {
    return this.manifest.keyFor(command, this.contexts());
  }

  /** The lines that a view without rows shows. */
  async welcome(view: string): Promise<string[]> {
    return (await this.rowsOf(view)).length > 0 ? [] : this.manifest.welcome(view, this.contexts());
  }

  // Views

  async rowsOf(view: string): Promise<TreeRow[]> {
    return (await this.trees.find(view)?.rows()) ?? [];
  }

  /** Opens the view; the page of a webview view begins its work with a message of the test. */
  async showView(view: string, state?: unknown): Promise<FakePage | undefined> {
    this.#visibleViews.add(view);
    this.trees.setVisible(view, true);
    const page = this.webviews.hasProvider(view) ? await this.webviews.showView(view, state) : undefined;
    this.wire.changes.note();
    return page;
  }

  hideView(view: string): void {
    this.#visibleViews.delete(view);
    this.trees.setVisible(view, false);
    this.webviews.view(view)?.setVisible(false);
    this.wire.changes.note();
  }

  isViewVisible(view: string): boolean {
    return this.#visibleViews.has(view);
  }

  // Focus and the state of the window

  get focus(): Focus {
    return this.#focus;
  }

  /** Moves the focus: a list that does not ignore that closes. */
  moveFocus(focus: Focus): void {
    this.widget.blur();
    this.#focus = focus;
    this.editors.focus(focus === "editor");
    this.wire.changes.note();
  }

  setFocused(isFocused: boolean): void {
    this.isFocused = isFocused;
    if (!isFocused) this.widget.blur();
    this.stateChanged.fire({ focused: isFocused, active: isFocused });
    this.wire.changes.note();
  }

  trust(): void {
    this.isTrusted = true;
    this.trustGranted.fire();
    this.wire.changes.note();
  }

  // Documents

  /** Opens a file of the folder, or any uri, in an editor that has the focus. */
  async openFile(file: string | Uri): Promise<vscode.TextEditor> {
    const uri = typeof file === "string" ? this.uri(file) : file;
    const editor = this.editors.show(await this.documents.open(uri));
    this.moveFocus("editor");
    await this.settled();
    return editor.shown;
  }

  /** A file of the folder that is open, by its path there. */
  uri(file: string): Uri {
    const [folder] = this.folders;
    if (!folder) throw new Error("No folder is open.");
    return Uri.joinPath(folder.uri, file);
  }

  /** The text of what is shown, for an error. */
  async describe(): Promise<string> {
    const lines: string[] = [];
    const pick = this.widget.visible;
    if (pick) {
      const { title, placeholder, prompt, busy, ignoreFocusOut } = pick.state;
      lines.push(`list: ${JSON.stringify({ title, placeholder, prompt, value: pick.value, busy, ignoreFocusOut })}`);
      for (const row of pick.rows)
        lines.push(`  ${row === pick.active ? ">" : " "} ${row.label} – ${row.description ?? ""}`);
    }
    for (const { severity, text, actions } of this.messages.shown)
      lines.push(`${severity}: ${text} [${actions.join(", ")}]`);
    for (const { place, title } of this.messages.progress) lines.push(`progress in ${place}: ${title ?? ""}`);
    for (const { text } of this.messages.status) lines.push(`status bar: ${text}`);
    for (const tab of this.editors.tabs) lines.push(`tab${tab.isActive ? ", active" : ""}: ${tab.label}`);
    for (const view of this.manifest.viewIds) {
      const rows = await this.rowsOf(view).catch((error: unknown) => [
        { depth: 0, label: String(error), description: "" },
      ]);
      if (rows.length > 0) lines.push(`view ${view}:`);
      for (const { depth, label, description } of rows.slice(0, 30))
        lines.push(`${"  ".repeat(depth + 1)}${label} – ${description}`);
    }
    lines.push("last lines of the log:", ...this.messages.log.slice(-10).map((line) => `  ${line.slice(0, 300)}`));
    return lines.join("\n");
  }

  dispose(): void {
    this.wire.cut();
    this.watchers.dispose();
  }
}

/** The settings of VS Code that Sluice reads. */
const builtInSettings: readonly (readonly [string, unknown])[] = [
  ["files.exclude", { "**/.git": true }],
  ["search.exclude", { "**/node_modules": true }],
  ["files.eol", "auto"],
  ["files.encoding", "utf8"],
  ["diffEditor.ignoreTrimWhitespace", true],
  ["editor.tabSize", 4],
];
