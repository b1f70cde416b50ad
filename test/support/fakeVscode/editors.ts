/** The editor area: text editors with selections, the tabs of one or more columns, and which of them is active. */
import type * as vscode from "vscode";
import { TabInputCustom, TabInputText, TabInputTextDiff, TabInputWebview, type ThemeIcon } from "./dataTypes";
import { TextEditorSelectionChangeKind, ViewColumn } from "./enums";
import type { Documents, FakeDocument } from "./documents";
import { TextEdit } from "./edits";
import { EventEmitter } from "./events";
import { Range, Selection, type Uri } from "./positions";
import type { Wire } from "./wire";

export interface ShowOptions {
  readonly viewColumn?: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
  readonly preview?: boolean;
  readonly selection?: vscode.Range;
}

type Decorations = readonly (vscode.Range | vscode.DecorationOptions)[];

export class FakeEditor {
  readonly document: vscode.TextDocument;
  readonly model: FakeDocument;
  readonly #editors: Editors;
  #selections: readonly vscode.Selection[] = [new Selection(0, 0, 0, 0)];
  viewColumn: vscode.ViewColumn | undefined;
  options: vscode.TextEditorOptions = { tabSize: 4, insertSpaces: true, cursorStyle: 1, lineNumbers: 1 };
  /** The decorations by their type. */
  readonly decorations = new Map<unknown, Decorations>();
  visibleRanges: readonly vscode.Range[];
  revealed: vscode.Range | undefined;

  constructor(model: FakeDocument, column: vscode.ViewColumn | undefined, editors: Editors) {
    this.model = model;
    this.document = model.shown;
    this.viewColumn = column;
    this.#editors = editors;
    this.visibleRanges = [new Range(0, 0, Math.min(model.lineCount - 1, 50), 0)];
  }

  get selections(): readonly vscode.Selection[] {
    return this.#selections;
  }
  set selections(selections: readonly vscode.Selection[]) {
    this.#selections = selections;
    this.#editors.tellSelection(this, TextEditorSelectionChangeKind.Command);
  }
  get selection(): vscode.Selection {
    return this.#selections[0] ?? new Selection(0, 0, 0, 0);
  }
  set selection(selection: vscode.Selection) {
    this.selections = [selection];
  }

  select(selections: readonly vscode.Selection[], kind: vscode.TextEditorSelectionChangeKind): void {
    this.#selections = selections;
    this.#editors.tellSelection(this, kind);
  }

  revealRange(range: vscode.Range): void {
    this.revealed = range;
  }

  setDecorations(type: vscode.TextEditorDecorationType, decorations: Decorations): void {
    this.decorations.set(type, decorations);
    this.#editors.note();
  }

  /** Resolves with false where the document changed meanwhile. Rejects where the editor is not visible. */
  async edit(fill: (builder: vscode.TextEditorEdit) => void): Promise<boolean> {
    if (!this.#editors.visible.includes(this)) throw new Error("TextEditor#edit not possible on closed editors");
    const { version } = this.model;
    const edits: TextEdit[] = [];
    const rangeOf = (place: vscode.Range | vscode.Position): vscode.Range =>
      "line" in place ? new Range(place, place) : place;
    fill({
      replace: (place, text) => void edits.push(new TextEdit(rangeOf(place), text)),
      insert: (place, text) => void edits.push(new TextEdit(new Range(place, place), text)),
      delete: (place) => void edits.push(new TextEdit(place, "")),
      setEndOfLine: () => undefined,
    });
    return this.#editors.wire.call(() => {
      if (this.model.version !== version) return false;
      const { end } = this.selection;
      const wasAt = this.model.offsetAt(end);
      const before = this.model.getText().length;
      const isAtCursor = edits.some(({ range }) => this.model.offsetAt(range.start) <= wasAt);
      this.model.change(edits);
      if (isAtCursor) {
        const at = this.model.positionAt(wasAt + this.model.getText().length - before);
        this.select([new Selection(at, at)], TextEditorSelectionChangeKind.Command);
      }
      return true;
    });
  }

  get shown(): vscode.TextEditor {
    return this as unknown as vscode.TextEditor;
  }
}

export interface FakeTab {
  label: string;
  readonly input: unknown;
  readonly group: FakeGroup;
  readonly editor: FakeEditor | undefined;
  readonly others: readonly FakeDocument[];
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isPinned: boolean;
  readonly isPreview: boolean;
  icon?: ThemeIcon;
  /** Called when the tab is closed; only for a webview. */
  readonly onClose?: () => void;
}

interface FakeGroup {
  readonly viewColumn: vscode.ViewColumn;
  readonly tabs: FakeTab[];
  activeTab: FakeTab | undefined;
  /** Its tabs in the order of their use, the one that was active last first. */
  readonly recent: FakeTab[];
  readonly isActive: boolean;
}

export class Editors {
  readonly wire: Wire;
  readonly #documents: Documents;
  readonly #groups: FakeGroup[] = [];
  #activeColumn: vscode.ViewColumn = 1;
  #active: FakeEditor | undefined;
  #visible: readonly FakeEditor[] = [];
  /** Whether an editor has the focus. */
  #hasFocus = false;

  readonly activeChanged = new EventEmitter<vscode.TextEditor | undefined>();
  readonly visibleChanged = new EventEmitter<readonly vscode.TextEditor[]>();
  readonly selectionChanged = new EventEmitter<vscode.TextEditorSelectionChangeEvent>();
  readonly tabsChanged = new EventEmitter<vscode.TabChangeEvent>();
  readonly groupsChanged = new EventEmitter<vscode.TabGroupChangeEvent>();

  constructor(wire: Wire, documents: Documents) {
    this.wire = wire;
    this.#documents = documents;
    this.#groupAt(1);
  }

  get active(): FakeEditor | undefined {
    return this.#active;
  }
  get visible(): readonly FakeEditor[] {
    return this.#visible;
  }
  get groups(): readonly FakeGroup[] {
    return this.#groups;
  }
  get activeGroup(): FakeGroup {
    return this.#groupAt(this.#activeColumn);
  }
  get tabs(): readonly FakeTab[] {
    return this.#groups.flatMap(({ tabs }) => tabs);
  }

  note(): void {
    this.wire.changes.note();
  }

  #groupAt(column: vscode.ViewColumn): FakeGroup {
    const known = this.#groups.find(({ viewColumn }) => viewColumn === column);
    if (known) return known;
    const isActive = (): boolean => this.#activeColumn === column;
    const group: FakeGroup = {
      ...{ viewColumn: column, tabs: [], activeTab: undefined, recent: [] },
      get isActive() {
        return isActive();
      },
    };
    this.#groups.push(group);
    return group;
  }

  #columnOf(column: vscode.ViewColumn | undefined): vscode.ViewColumn {
    if (column === undefined || column === ViewColumn.Active) return this.#activeColumn;
    return column === ViewColumn.Beside ? this.#activeColumn + 1 : column;
  }

  show(document: FakeDocument, { viewColumn, preserveFocus = false, selection }: ShowOptions = {}): FakeEditor {
    const group = this.#groupAt(this.#columnOf(viewColumn));
    const isMeant = ({ input }: FakeTab): boolean => input instanceof TabInputText && sameUri(input.uri, document.uri);
    const tab =
      group.tabs.find(isMeant) ??
      this.#addTab(group, baseName(document.uri), new TabInputText(document.uri), { model: document });
    this.#activate(tab, preserveFocus);
    const editor = tab.editor!;
    if (selection) {
      editor.select([new Selection(selection.start, selection.end)], TextEditorSelectionChangeKind.Command);
      editor.revealed = selection;
    }
    return editor;
  }

  /** The right side is the editor that is active. */
  showDiff(
    original: FakeDocument,
    modified: FakeDocument,
    title: string,
    { viewColumn, preserveFocus = false }: ShowOptions = {},
  ): void {
    const group = this.#groupAt(this.#columnOf(viewColumn));
    const known = group.tabs.find(
      ({ input }) =>
        input instanceof TabInputTextDiff &&
        sameUri(input.original, original.uri) &&
        sameUri(input.modified, modified.uri),
    );
    const tab =
      known ??
      this.#addTab(group, title, new TabInputTextDiff(original.uri, modified.uri), {
        model: modified,
        others: [original],
      });
    this.#activate(tab, preserveFocus);
  }

  showCustom(uri: Uri, viewType: string): void {
    const group = this.activeGroup;
    const tab =
      group.tabs.find(({ input }) => input instanceof TabInputCustom && sameUri(input.uri, uri)) ??
      this.#addTab(group, baseName(uri), new TabInputCustom(uri, viewType));
    this.#activate(tab, false);
  }

  /** Shows the tab of a webview or of another editor without a text. `input` may be undefined, as for an editor of several diffs. */
  showOther(
    title: string,
    input: unknown,
    column?: vscode.ViewColumn,
    onClose?: () => void,
    preserveFocus = false,
  ): FakeTab {
    const tab = this.#addTab(this.#groupAt(this.#columnOf(column)), title, input, onClose ? { onClose } : {});
    this.#activate(tab, preserveFocus);
    return tab;
  }

  reveal(tab: FakeTab, preserveFocus = false): void {
    this.#activate(tab, preserveFocus);
  }

  #addTab(
    group: FakeGroup,
    label: string,
    input: unknown,
    {
      model,
      others = [],
      onClose,
    }: { model?: FakeDocument; others?: readonly FakeDocument[]; onClose?: () => void } = {},
  ): FakeTab {
    const editor = model && new FakeEditor(model, group.viewColumn, this);
    const tab: FakeTab = {
      ...{ label, input, group, editor, others, isPinned: false, isPreview: false },
      get isActive() {
        return group.activeTab === tab;
      },
      get isDirty() {
        return model?.isDirty ?? false;
      },
      ...(onClose ? { onClose } : {}),
    };
    group.tabs.push(tab);
    this.#tellTabs({ opened: [tab] });
    return tab;
  }

  #activate(tab: FakeTab, preserveFocus: boolean): void {
    const { group } = tab;
    const isOther = group.activeTab !== tab;
    group.activeTab = tab;
    forget(group.recent, tab);
    group.recent.unshift(tab);
    const formerColumn = this.#activeColumn;
    if (!preserveFocus || this.#groups.length === 1) this.#activeColumn = group.viewColumn;
    if (!preserveFocus) this.#hasFocus = true;
    if (isOther) this.#tellTabs({ changed: [tab] });
    if (formerColumn !== this.#activeColumn) this.#tellGroups();
    this.#update();
  }

  /** Derives from the tabs what is active and visible. */
  #update(): void {
    const active = this.activeGroup.activeTab?.editor;
    const visible = this.#groups.flatMap(({ activeTab }) => activeTab?.editor ?? []);
    const isVisibleOther =
      visible.length !== this.#visible.length || visible.some((one, at) => one !== this.#visible[at]);
    this.#visible = visible;
    if (isVisibleOther) this.visibleChanged.fire(visible.map(({ shown }) => shown));
    if (active !== this.#active) {
      this.#active = active;
      this.activeChanged.fire(active?.shown);
    }
    this.note();
  }

  /** Notes that the focus is in the active tab, or elsewhere. VS Code keeps the active editor while a view has the focus. */
  focus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    this.note();
  }
  get hasFocus(): boolean {
    return this.#hasFocus && this.activeGroup.activeTab !== undefined;
  }

  close(tabs: readonly FakeTab[]): void {
    for (const tab of tabs) {
      const { group } = tab;
      const at = group.tabs.indexOf(tab);
      if (at === -1) continue;
      group.tabs.splice(at, 1);
      forget(group.recent, tab);
      // The setting workbench.editor.focusRecentEditorAfterClose does so by default.
      if (group.activeTab === tab) group.activeTab = group.recent[0] ?? group.tabs[Math.max(0, at - 1)];
      if (group.tabs.length === 0 && this.#groups.length > 1) {
        this.#groups.splice(this.#groups.indexOf(group), 1);
        if (this.#activeColumn === group.viewColumn) this.#activeColumn = this.#groups[0]?.viewColumn ?? 1;
        this.#tellGroups();
      }
      tab.onClose?.();
      this.#tellTabs({ closed: [tab] });
      this.#update();
      for (const document of [...(tab.editor ? [tab.editor.model] : []), ...tab.others]) this.#forget(document);
    }
  }

  /** A document closes with its last tab. */
  #forget(document: FakeDocument): void {
    const isShown = this.tabs.some(({ editor, others }) => editor?.model === document || others.includes(document));
    if (!isShown) this.#documents.close(document);
  }

  tellSelection(editor: FakeEditor, kind: vscode.TextEditorSelectionChangeKind): void {
    this.selectionChanged.fire({ textEditor: editor.shown, selections: editor.selections, kind });
    this.note();
  }

  #tellTabs({
    opened = [],
    closed = [],
    changed = [],
  }: Readonly<Partial<Record<"opened" | "closed" | "changed", readonly FakeTab[]>>>): void {
    this.tabsChanged.fire({ opened, closed, changed });
    this.note();
  }

  #tellGroups(): void {
    const changed = this.#groups as unknown as readonly vscode.TabGroup[];
    this.groupsChanged.fire({ opened: [], closed: [], changed });
  }

  /** The value of `window.tabGroups`. */
  get tabGroups(): vscode.TabGroups {
    const all = (): readonly FakeGroup[] => this.#groups;
    const active = (): FakeGroup => this.activeGroup;
    return {
      get all() {
        return all() as unknown as readonly vscode.TabGroup[];
      },
      get activeTabGroup() {
        return active() as unknown as vscode.TabGroup;
      },
      onDidChangeTabs: this.tabsChanged.event,
      onDidChangeTabGroups: this.groupsChanged.event,
      close: async (what: unknown): Promise<boolean> => {
        const tabs = (Array.isArray(what) ? what : [what]).flatMap((one: FakeTab | FakeGroup) =>
          "tabs" in one ? [...one.tabs] : [one],
        );
        await this.wire.call(() => this.close(tabs));
        return true;
      },
    };
  }
}

export function webviewTabInput(viewType: string): TabInputWebview {
  // VS Code puts a prefix of its own before the type.
  return new TabInputWebview(`mainThreadWebview-${viewType}`);
}

function forget(tabs: FakeTab[], tab: FakeTab): void {
  const at = tabs.indexOf(tab);
  if (at !== -1) tabs.splice(at, 1);
}

function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function sameUri(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
