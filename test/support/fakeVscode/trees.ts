/** Tree views: their rows are what their providers return, and what is done with a row is reported as VS Code does. */
import type * as vscode from "vscode";
import { DataTransfer } from "./dataTypes";
import { neverCancelled } from "./documents";
import { TreeItemCollapsibleState } from "./enums";
import { EventEmitter } from "./events";
import type { Wire } from "./wire";

export interface TreeRow {
  readonly view: string;
  readonly depth: number;
  readonly label: string;
  readonly description: string;
  /** The text for screen readers; the label where the row says nothing else. */
  readonly spoken: string;
  readonly tooltip: string;
  /** A codicon. */
  readonly icon: string;
  readonly contextValue: string;
  readonly isExpanded: boolean;
  readonly isExpandable: boolean;
  readonly item: vscode.TreeItem;
  /** The provider's element for it. */
  readonly element: unknown;
}

export class FakeTree {
  readonly id: string;
  readonly #wire: Wire;
  readonly #listening: vscode.Disposable | undefined;
  readonly provider: vscode.TreeDataProvider<unknown>;
  readonly drag: vscode.TreeDragAndDropController<unknown> | undefined;
  readonly visibilityChanged = new EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly selectionChanged = new EventEmitter<vscode.TreeViewSelectionChangeEvent<unknown>>();
  readonly expanded = new EventEmitter<vscode.TreeViewExpansionEvent<unknown>>();
  readonly collapsed = new EventEmitter<vscode.TreeViewExpansionEvent<unknown>>();
  readonly checked = new EventEmitter<vscode.TreeCheckboxChangeEvent<unknown>>();
  readonly activeChanged = new EventEmitter<unknown>();
  /** Whether the person has opened a row, by its id or label; missing where they have not touched it. */
  readonly #open = new Map<string, boolean>();
  selection: readonly unknown[] = [];
  visible: boolean;
  title = "";
  message: string | undefined;
  description: string | undefined;
  badge: vscode.ViewBadge | undefined;
  /** Rows that `reveal` has shown, with its options. */
  readonly revealed: { readonly element: unknown; readonly options: unknown }[] = [];
  /** How many of the next reveals select nothing and report no error, as VS Code's do while it shows the view or asks for all rows again. */
  droppedReveals = 0;

  constructor(
    id: string,
    wire: Wire,
    { treeDataProvider, dragAndDropController }: vscode.TreeViewOptions<unknown>,
    visible: boolean,
  ) {
    this.id = id;
    this.#wire = wire;
    this.provider = treeDataProvider;
    this.drag = dragAndDropController;
    this.visible = visible;
    this.#listening = treeDataProvider.onDidChangeTreeData?.(() => wire.changes.note());
  }

  dispose(): void {
    this.#listening?.dispose();
  }

  async rows(): Promise<TreeRow[]> {
    const rows: TreeRow[] = [];
    const walk = async (parent: unknown, depth: number): Promise<void> => {
      for (const element of (await this.provider.getChildren(parent)) ?? []) {
        const item = await this.provider.getTreeItem(element);
        const row = this.#rowOf(item, element, depth);
        rows.push(row);
        if (row.isExpanded) await walk(element, depth + 1);
      }
    };
    await walk(undefined, 0);
    return rows;
  }

  #rowOf(item: vscode.TreeItem, element: unknown, depth: number): TreeRow {
    const label = (typeof item.label === "string" ? item.label : item.label?.label) ?? "";
    const icon =
      item.iconPath !== undefined && typeof item.iconPath === "object" && "id" in item.iconPath ? item.iconPath.id : "";
    const tooltip = typeof item.tooltip === "string" ? item.tooltip : (item.tooltip?.value ?? "");
    const state = item.collapsibleState ?? TreeItemCollapsibleState.None;
    return {
      ...{ view: this.id, depth, label, icon, tooltip, item, element },
      description: typeof item.description === "string" ? item.description : "",
      spoken: item.accessibilityInformation?.label ?? label,
      contextValue: item.contextValue ?? "",
      isExpandable: state !== TreeItemCollapsibleState.None,
      isExpanded:
        state !== TreeItemCollapsibleState.None &&
        (this.#open.get(keyOf(item)) ?? state === TreeItemCollapsibleState.Expanded),
    };
  }

  expand(row: TreeRow, isOpen: boolean): void {
    this.#open.set(keyOf(row.item), isOpen);
    (isOpen ? this.expanded : this.collapsed).fire({ element: row.element });
    this.#wire.changes.note();
  }

  select(elements: readonly unknown[]): void {
    this.selection = elements;
    this.selectionChanged.fire({ selection: elements });
    this.#wire.changes.note();
  }

  /** The tooltip of a row that the provider makes when it is asked for. */
  async tooltipOf(row: TreeRow): Promise<string> {
    if (row.item.tooltip !== undefined || !this.provider.resolveTreeItem) return row.tooltip;
    const item = await this.provider.resolveTreeItem(row.item, row.element, neverCancelled);
    const tooltip = item?.tooltip;
    return typeof tooltip === "string" ? tooltip : (tooltip?.value ?? "");
  }

  async dragged(rows: readonly TreeRow[]): Promise<DataTransfer> {
    const transfer = new DataTransfer();
    const elements = rows.map(({ element }) => element);
    await this.drag?.handleDrag?.(elements, transfer, neverCancelled);
    return transfer;
  }

  /** The object that the extension has. */
  get api(): vscode.TreeView<unknown> {
    const [selection, visible] = [() => this.selection, () => this.visible];
    return {
      get selection() {
        return selection();
      },
      get visible() {
        return visible();
      },
      activeItem: undefined,
      ...{ onDidChangeVisibility: this.visibilityChanged.event, onDidChangeSelection: this.selectionChanged.event },
      ...{ onDidExpandElement: this.expanded.event, onDidCollapseElement: this.collapsed.event },
      ...{ onDidChangeCheckboxState: this.checked.event, onDidChangeActiveItem: this.activeChanged.event },
      reveal: async (element: unknown, options?: unknown) => {
        await this.#wire.call(() => this.#reveal(element, options));
      },
      dispose: () => undefined,
    } as unknown as vscode.TreeView<unknown>;
  }

  /** Opens the rows above the element, and selects it unless the extension says otherwise. */
  async #reveal(element: unknown, options: unknown): Promise<void> {
    const { select = true, expand = false } = (options ?? {}) as { select?: boolean; expand?: boolean | number };
    if (!this.provider.getParent) throw new Error(`TreeError [${this.id}] Data provider must implement getParent`);
    if (this.droppedReveals > 0) {
      this.droppedReveals -= 1;
      return;
    }
    for (let parent = await this.provider.getParent(element); parent !== undefined && parent !== null;) {
      this.#open.set(keyOf(await this.provider.getTreeItem(parent)), true);
      parent = await this.provider.getParent(parent);
    }
    if (expand !== false) {
      this.#open.set(keyOf(await this.provider.getTreeItem(element)), true);
      this.expanded.fire({ element });
    }
    this.revealed.push({ element, options });
    if (select) this.select([element]);
    this.#wire.changes.note();
  }
}

function keyOf({ id, label }: vscode.TreeItem): string {
  return id ?? (typeof label === "string" ? label : (label?.label ?? ""));
}

export class Trees {
  readonly #wire: Wire;
  readonly #isVisible: (id: string) => boolean;
  readonly #trees = new Map<string, FakeTree>();

  constructor(wire: Wire, isVisible: (id: string) => boolean) {
    this.#wire = wire;
    this.#isVisible = isVisible;
  }

  find(id: string): FakeTree | undefined {
    return this.#trees.get(id);
  }

  register(id: string, treeDataProvider: vscode.TreeDataProvider<unknown>): vscode.Disposable {
    const tree = this.#add(id, { treeDataProvider });
    return { dispose: () => this.#remove(tree) };
  }

  create(id: string, options: vscode.TreeViewOptions<unknown>): vscode.TreeView<unknown> {
    const tree = this.#add(id, options);
    const { api } = tree;
    const note = (): void => this.#wire.changes.note();
    // Texts are read and set as properties.
    for (const key of ["title", "message", "description", "badge"] as const) {
      Object.defineProperty(api, key, {
        get: () => tree[key],
        set: (value: never) => {
          tree[key] = value;
          note();
        },
      });
    }
    api.dispose = () => this.#remove(tree);
    return api;
  }

  #add(id: string, options: vscode.TreeViewOptions<unknown>): FakeTree {
    if (this.#trees.has(id)) throw new Error(`The view ${id} has a data provider already.`);
    const tree = new FakeTree(id, this.#wire, options, this.#isVisible(id));
    this.#trees.set(id, tree);
    this.#wire.changes.note();
    return tree;
  }

  #remove(tree: FakeTree): void {
    tree.dispose();
    if (this.#trees.get(tree.id) === tree) this.#trees.delete(tree.id);
    this.#wire.changes.note();
  }

  setVisible(id: string, visible: boolean): void {
    const tree = this.find(id);
    if (!tree || tree.visible === visible) return;
    tree.visible = visible;
    tree.visibilityChanged.fire({ visible });
    this.#wire.changes.note();
  }
}
