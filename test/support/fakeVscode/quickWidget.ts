/** The widget of VS Code's window that shows a quick pick or an input box: its list, its filter, its focus, and what a person does in it. */
import type * as vscode from "vscode";
import { QuickPickItemKind } from "./enums";
import type { Changes } from "./wire";

type Item = vscode.QuickPickItem;

export interface SessionState {
  readonly isPick: boolean;
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  enabled: boolean;
  busy: boolean;
  ignoreFocusOut: boolean;
  value: string;
  placeholder: string | undefined;
  prompt: string | undefined;
  buttons: readonly vscode.QuickInputButton[];
  items: readonly Item[];
  /** Indexes of items that are to be active. */
  active: readonly number[] | undefined;
  selected: readonly number[] | undefined;
  canSelectMany: boolean;
  matchOnDescription: boolean;
  matchOnDetail: boolean;
  keepScrollPosition: boolean;
  password: boolean;
  valueSelection: readonly [number, number] | undefined;
  validationMessage: string | vscode.InputBoxValidationMessage | undefined;
}

/** The reports of the window about an input. */
export interface Reports {
  accepted(): void;
  hidden(): void;
  valueChanged(value: string): void;
  buttonTriggered(index: number): void;
  activeChanged(indexes: readonly number[]): void;
  selectionChanged(indexes: readonly number[]): void;
  itemButtonTriggered(item: number, button: number): void;
}

interface Row {
  readonly index: number;
  readonly item: Item;
}

/** An input in the window. */
export class Session {
  readonly #reports: Reports;
  #state: Partial<SessionState> = {};
  #value = "";
  #rows: readonly Row[] = [];
  #active: number | undefined;
  readonly #checked = new Set<number>();
  #toldChecked = "";
  #hasNewItems = false;
  /** The row that the extension has made the active one before the list shows it. */
  #wanted: number | undefined;
  isVisible = false;

  readonly isPick: boolean;
  constructor(isPick: boolean, reports: Reports) {
    this.isPick = isPick;

    this.#reports = reports;
  }

  get state(): Partial<SessionState> {
    return this.#state;
  }
  get value(): string {
    return this.#value;
  }
  /** The rows that the filter leaves, without separators. */
  get rows(): readonly Item[] {
    return this.#rows.map(({ item }) => item);
  }
  /** All rows, with separators. */
  get items(): readonly Item[] {
    return this.#state.items ?? [];
  }
  get active(): Item | undefined {
    return this.#active === undefined ? undefined : this.items[this.#active];
  }
  get checked(): readonly Item[] {
    return this.items.filter((_item, index) => this.#checked.has(index));
  }

  /** Applies one set after the other, in the order in which the extension made them. */
  apply(change: Partial<SessionState>): void {
    for (const [key, value] of Object.entries(change)) {
      if (key === "value") this.#setValue(value as string);
      else if (key === "items") this.#setItems(value as readonly Item[]);
      else if (key === "active") this.#setActive(value as readonly number[]);
      else if (key === "selected") this.#check(value as readonly number[]);
      else this.#state = { ...this.#state, [key]: value };
    }
  }

  /** VS Code reports a text that the extension has set in a pick, in an input box it does not. */
  #setValue(value: string): void {
    if (value === this.#value) return;
    this.#value = value;
    if (!this.isPick) return;
    if (this.isVisible) this.#refilter();
    this.#reports.valueChanged(value);
  }

  #setItems(items: readonly Item[]): void {
    this.#state.items = items;
    this.#checked.clear();
    for (const [index, { picked }] of items.entries()) if (picked === true) this.#checked.add(index);
    this.#hasNewItems = true;
    if (this.isVisible) this.#showItems();
  }

  #setActive(indexes: readonly number[]): void {
    this.#wanted = indexes[0];
    if (this.isVisible) this.#focusWanted();
  }

  #check(indexes: readonly number[]): void {
    this.#checked.clear();
    for (const index of indexes) this.#checked.add(index);
    this.#tellChecked();
  }

  /** Rows that the extension marks are reported as the person's. */
  #tellChecked(): void {
    if (!this.isVisible || this.#state.canSelectMany !== true) return;
    const indexes = [...this.#checked].sort((one, other) => one - other);
    if (indexes.join() === this.#toldChecked) return;
    this.#toldChecked = indexes.join();
    this.#reports.selectionChanged(indexes);
  }

  /** The widget is empty when it is shown: a list that was hidden has its rows again only if the extension sets them again. */
  hasShown(): void {
    if (this.isVisible) return;
    this.isVisible = true;
    this.#rows = [];
    this.#focus(undefined);
    if (this.#hasNewItems) this.#showItems();
    this.#tellChecked();
  }

  /** New rows are filtered by the text, and the first of them becomes the active one; before the list is shown none is. */
  #showItems(): void {
    this.#hasNewItems = false;
    this.#filter();
    if (this.#rows.length === 0) this.#focus(undefined);
    this.#active = undefined;
    if (this.#wanted === undefined) this.#focusFirst();
    else this.#focusWanted();
    this.#tellChecked();
  }

  #focusWanted(): void {
    const index = this.#wanted;
    this.#wanted = undefined;
    if (index === undefined || this.#rows.some((row) => row.index === index)) this.#focus(index);
  }

  /** A list that is filtered again has no active row until its first row is active, and both changes are reported. */
  #refilter(): void {
    this.#filter();
    this.#focus(undefined);
    this.#focusFirst();
  }

  /** Where several can be selected none is active until the person moves to it. */
  #focusFirst(): void {
    if (this.#state.canSelectMany !== true) this.#focus(this.#rows[0]?.index);
  }

  hasHidden(): void {
    if (!this.isVisible) return;
    this.isVisible = false;
    this.#reports.hidden();
  }

  /** The closest label comes first while a text is typed. */
  #filter(): void {
    const wanted = this.#value.trim();
    const rows = this.items.flatMap((item, index) =>
      item.kind === QuickPickItemKind.Separator ? [] : [{ item, index }],
    );
    if (wanted === "") {
      this.#rows = rows;
      return;
    }
    const found = rows.filter(
      ({ item }) =>
        matches(item.label, wanted) ||
        (this.#state.matchOnDescription === true && matches(item.description, wanted)) ||
        (this.#state.matchOnDetail === true && matches(item.detail, wanted)) ||
        item.alwaysShow === true,
    );
    this.#rows = found.sort((one, other) => closer(one.item.label, other.item.label, wanted));
  }

  #focus(index: number | undefined): void {
    if (this.#active === index) return;
    this.#active = index;
    this.#reports.activeChanged(index === undefined ? [] : [index]);
  }

  // What the person does

  type(text: string): void {
    if (text === this.#value) return;
    this.#value = text;
    if (this.isPick) this.#refilter();
    this.#reports.valueChanged(text);
  }

  /** Moves as by the arrow keys; the list begins again behind its end. */
  move(by: number): void {
    if (this.#rows.length === 0) return;
    const at = this.#rows.findIndex(({ index }) => index === this.#active);
    const next = at === -1 ? (by > 0 ? 0 : -1) : at + by;
    this.#focus(this.#rows.at(((next % this.#rows.length) + this.#rows.length) % this.#rows.length)?.index);
  }

  accept(): void {
    if (this.#state.enabled === false) return;
    if (this.#state.canSelectMany === true) {
      if (this.#checked.size === 0) this.#reports.selectionChanged([]);
    } else if (this.#active !== undefined) {
      this.#reports.selectionChanged([this.#active]);
    }
    this.#reports.accepted();
  }

  /** Clicks a row: it is selected and accepted; where several can be selected its mark changes. */
  click(item: Item): void {
    const index = this.#indexOf(item);
    this.#focus(index);
    if (this.#state.canSelectMany !== true) {
      this.accept();
      return;
    }
    if (this.#checked.has(index)) this.#checked.delete(index);
    else this.#checked.add(index);
    this.#tellChecked();
  }

  focusItem(item: Item): void {
    this.#focus(this.#indexOf(item));
  }

  pressButton(index: number): void {
    this.#reports.buttonTriggered(index);
  }

  pressItemButton(item: Item, button: number): void {
    this.#reports.itemButtonTriggered(this.#indexOf(item), button);
  }

  #indexOf(item: Item): number {
    return this.items.indexOf(item);
  }
}

export class QuickWidget {
  readonly #changes: Changes;
  #visible: Session | undefined;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get visible(): Session | undefined {
    return this.#visible;
  }

  update(session: Session, { visible, ...change }: Partial<SessionState> & { visible?: boolean }): void {
    session.apply(change);
    if (visible === true) this.#show(session);
    else if (visible === false) this.#hide(session);
    this.#changes.note();
  }

  remove(session: Session): void {
    this.#hide(session);
    this.#changes.note();
  }

  /** Closes the input, by Escape or because the focus goes elsewhere. */
  close(): void {
    if (this.#visible) this.remove(this.#visible);
  }

  /** Notes that another part of the window has the focus now. */
  blur(): void {
    if (this.#visible?.state.ignoreFocusOut !== true) this.close();
  }

  note(): void {
    this.#changes.note();
  }

  #show(session: Session): void {
    if (this.#visible === session) return;
    const former = this.#visible;
    this.#visible = session;
    session.hasShown();
    former?.hasHidden();
  }

  #hide(session: Session): void {
    if (this.#visible === session) this.#visible = undefined;
    session.hasHidden();
  }
}

/** Icons in labels are not searched. */
function plain(label: string): string {
  return label.replaceAll(/\$\([\w-]+(?:~\w+)?\)\s?/g, "").trim();
}

/** Whether a text has the wanted part, in any case; `*` is anything. */
function matches(text: string | undefined, wanted: string): boolean {
  if (text === undefined) return false;
  const pattern = wanted.replaceAll(/[-\\{}+?|^$.,[\]()#\s]/g, String.raw`\$&`).replaceAll("*", ".*");
  return new RegExp(pattern, "i").test(plain(text));
}

/** Orders labels: those that match come first, of these the ones that begin or end with the text, the shorter one before. */
function closer(one: string, other: string, wanted: string): number {
  const [a, b, text] = [plain(one).toLowerCase(), plain(other).toLowerCase(), wanted.toLowerCase()];
  const [isOne, isOther] = [matches(one, wanted), matches(other, wanted)];
  if (isOne !== isOther) return isOne ? -1 : 1;
  if (!isOne) return 0;
  const [oneBegins, otherBegins] = [a.startsWith(text), b.startsWith(text)];
  if (oneBegins !== otherBegins) return oneBegins ? -1 : 1;
  if (oneBegins && a.length !== b.length) return a.length - b.length;
  const [oneEnds, otherEnds] = [a.endsWith(text), b.endsWith(text)];
  if (oneEnds !== otherEnds) return oneEnds ? -1 : 1;
  return a.localeCompare(b, "en", { numeric: true });
}
