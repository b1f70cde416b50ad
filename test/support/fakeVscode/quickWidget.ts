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

/** What the window reports of an input. */
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
  /** All, with separators. */
  get items(): readonly Item[] {
    return this.#state.items ?? [];
  }
  get active(): Item | undefined {
    return this.#active === undefined ? undefined : this.items[this.#active];
  }
  get checked(): readonly Item[] {
    return this.items.filter((_item, index) => this.#checked.has(index));
  }

  apply(change: Partial<SessionState>): void {
    const { value, items, active, selected, ...others } = change;
    this.#state = { ...this.#state, ...others };
    if (value !== undefined && value !== this.#value) {
      this.#value = value;
      // VS Code reports a value that the extension has set, too.
      this.#reports.valueChanged(value);
      if (items === undefined && this.#filter()) this.#focus(this.#rows[0]?.index);
    }
    if (items !== undefined) {
      this.#state.items = items;
      this.#checked.clear();
      for (const [index, { picked }] of items.entries()) if (picked === true) this.#checked.add(index);
      this.#active = undefined;
      this.#filter();
      this.#focus(this.#rows[0]?.index, true);
    }
    if (active !== undefined) {
      const [first] = active;
      if (first === undefined || this.#rows.some(({ index }) => index === first)) this.#focus(first);
    }
    if (selected !== undefined && this.#state.canSelectMany === true) {
      this.#checked.clear();
      for (const index of selected) this.#checked.add(index);
    }
  }

  hasHidden(): void {
    if (!this.isVisible) return;
    this.isVisible = false;
    this.#reports.hidden();
  }

  /** False where nothing is filtered. The closest label comes first while a text is typed. */
  #filter(): boolean {
    const wanted = this.#value.trim();
    const rows = this.items.flatMap((item, index) =>
      item.kind === QuickPickItemKind.Separator ? [] : [{ item, index }],
    );
    if (wanted === "") {
      this.#rows = rows;
      return true;
    }
    const found = rows.filter(
      ({ item }) =>
        matches(item.label, wanted) ||
        (this.#state.matchOnDescription === true && matches(item.description, wanted)) ||
        (this.#state.matchOnDetail === true && matches(item.detail, wanted)) ||
        item.alwaysShow === true,
    );
    this.#rows = found.sort((one, other) => closer(one.item.label, other.item.label, wanted));
    return true;
  }

  #focus(index: number | undefined, isNew = false): void {
    if (this.#active === index && !isNew) return;
    this.#active = index;
    this.#reports.activeChanged(index === undefined ? [] : [index]);
  }

  // What the person does

  type(text: string): void {
    if (text === this.#value) return;
    this.#value = text;
    if (this.isPick && this.#filter()) this.#focus(this.#rows[0]?.index);
    this.#reports.valueChanged(text);
  }

  /** Arrow keys; the list begins again behind its end. */
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

  /** A click on a row: it is selected and accepted, in a list of several it changes its mark. */
  click(item: Item): void {
    const index = this.#indexOf(item);
    this.#focus(index);
    if (this.#state.canSelectMany !== true) {
      this.accept();
      return;
    }
    if (this.#checked.has(index)) this.#checked.delete(index);
    else this.#checked.add(index);
    this.#reports.selectionChanged([...this.#checked].sort((one, other) => one - other));
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

  /** Escape, or the focus that goes elsewhere. */
  close(): void {
    if (this.#visible) this.remove(this.#visible);
  }

  /** What has the focus is another part of the window now. */
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
    session.isVisible = true;
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

/** A part of the text, in any case; `*` is anything. */
function matches(text: string | undefined, wanted: string): boolean {
  if (text === undefined) return false;
  const pattern = wanted.replaceAll(/[-\\{}+?|^$.,[\]()#\s]/g, String.raw`\$&`).replaceAll("*", ".*");
  return new RegExp(pattern, "i").test(plain(text));
}

/** Labels that match come first, of these the ones that begin or end with the text, the shorter one before. */
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
