/**
 * Quick picks and input boxes as the extension has them, and the one widget of the window that shows them: what the extension sets arrives
 * in batches, what the person does comes back later, items are reported by their index, and only one input is visible.
 */
import type * as vscode from "vscode";
import { InputBoxValidationSeverity } from "./enums";
import { EventEmitter } from "./events";
import { type QuickWidget, Session, type SessionState } from "./quickWidget";
import type { Wire } from "./wire";

type Item = vscode.QuickPickItem;

abstract class QuickInput<State extends SessionState> {
  readonly session: Session;
  readonly #wire: Wire;
  readonly #widget: QuickWidget;
  readonly #hidden = new EventEmitter<void>();
  readonly #accepted = new EventEmitter<void>();
  readonly #valueChanged = new EventEmitter<string>();
  readonly #buttonTriggered = new EventEmitter<vscode.QuickInputButton>();
  protected readonly own: State;
  #pending: Partial<SessionState> & { visible?: boolean } = {};
  #timer: NodeJS.Timeout | undefined;
  #isVisible = false;
  #expectsHide = false;
  #isDisposed = false;

  readonly onDidHide = this.#hidden.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidChangeValue = this.#valueChanged.event;
  readonly onDidTriggerButton = this.#buttonTriggered.event;

  protected constructor(wire: Wire, widget: QuickWidget, state: State) {
    this.#wire = wire;
    this.#widget = widget;
    this.own = state;
    this.session = new Session(state.isPick, {
      accepted: () => this.report(() => this.#accepted.fire()),
      hidden: () => this.report(() => this.#fireHidden()),
      valueChanged: (value) =>
        this.report(() => {
          this.own.value = value;
          this.#valueChanged.fire(value);
        }),
      buttonTriggered: (index) =>
        this.report(() => {
          const button = this.own.buttons[index];
          if (button) this.#buttonTriggered.fire(button);
        }),
      activeChanged: (indexes) => this.report(() => this.activeReported(indexes)),
      selectionChanged: (indexes) => this.report(() => this.selectionReported(indexes)),
      itemButtonTriggered: (item, button) => this.report(() => this.itemButtonReported(item, button)),
    });
  }

  protected activeReported(_indexes: readonly number[]): void {
    return;
  }
  protected selectionReported(_indexes: readonly number[]): void {
    return;
  }
  protected itemButtonReported(_item: number, _button: number): void {
    return;
  }

  /** What the window sends is heard unless the input was disposed meanwhile. */
  protected report(event: () => void): void {
    this.#wire.send(() => {
      if (!this.#isDisposed) event();
    });
  }

  /** Sets of one turn are sent together, those before `show` and with it at once. */
  protected update(change: Partial<SessionState> & { visible?: boolean }): void {
    if (this.#isDisposed) return;
    Object.assign(this.#pending, change);
    if ("visible" in this.#pending) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#dispatch();
    } else if (this.#isVisible && this.#timer === undefined) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#dispatch();
      }, 0);
    }
  }

  #dispatch(): void {
    const change = this.#pending;
    this.#pending = {};
    this.#wire.send(() => this.#widget.update(this.session, change));
  }

  #fireHidden(): void {
    if (!this.#expectsHide) return;
    this.#expectsHide = this.#isVisible;
    this.#hidden.fire();
  }

  show(): void {
    this.#isVisible = true;
    this.#expectsHide = true;
    this.update({ visible: true });
  }

  hide(): void {
    this.#isVisible = false;
    this.update({ visible: false });
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isVisible = false;
    this.#fireHidden();
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    for (const emitter of [this.#hidden, this.#accepted, this.#valueChanged, this.#buttonTriggered]) emitter.dispose();
    this.#wire.send(() => this.#widget.remove(this.session));
  }

  get title(): string | undefined {
    return this.own.title;
  }
  set title(title: string | undefined) {
    this.own.title = title;
    this.update({ title });
  }
  get step(): number | undefined {
    return this.own.step;
  }
  set step(step: number | undefined) {
    this.own.step = step;
    this.update({ step });
  }
  get totalSteps(): number | undefined {
    return this.own.totalSteps;
  }
  set totalSteps(totalSteps: number | undefined) {
    this.own.totalSteps = totalSteps;
    this.update({ totalSteps });
  }
  get enabled(): boolean {
    return this.own.enabled;
  }
  set enabled(enabled: boolean) {
    this.own.enabled = enabled;
    this.update({ enabled });
  }
  get busy(): boolean {
    return this.own.busy;
  }
  set busy(busy: boolean) {
    this.own.busy = busy;
    this.update({ busy });
  }
  get ignoreFocusOut(): boolean {
    return this.own.ignoreFocusOut;
  }
  set ignoreFocusOut(ignoreFocusOut: boolean) {
    this.own.ignoreFocusOut = ignoreFocusOut;
    this.update({ ignoreFocusOut });
  }
  get value(): string {
    return this.own.value;
  }
  set value(value: string) {
    this.own.value = value;
    this.update({ value });
  }
  get placeholder(): string | undefined {
    return this.own.placeholder;
  }
  set placeholder(placeholder: string | undefined) {
    this.own.placeholder = placeholder;
    this.update({ placeholder });
  }
  get prompt(): string | undefined {
    return this.own.prompt;
  }
  set prompt(prompt: string | undefined) {
    this.own.prompt = prompt;
    this.update({ prompt });
  }
  get buttons(): readonly vscode.QuickInputButton[] {
    return this.own.buttons;
  }
  set buttons(buttons: readonly vscode.QuickInputButton[]) {
    this.own.buttons = [...buttons];
    this.update({ buttons: [...buttons] });
  }
}

export class FakeQuickPick<T extends Item> extends QuickInput<SessionState> implements vscode.QuickPick<T> {
  #items: readonly T[] = [];
  #activeItems: readonly T[] = [];
  #selectedItems: readonly T[] = [];
  readonly #activeChanged = new EventEmitter<readonly T[]>();
  readonly #selectionChanged = new EventEmitter<readonly T[]>();
  readonly #itemButtonTriggered = new EventEmitter<vscode.QuickPickItemButtonEvent<T>>();

  readonly onDidChangeActive = this.#activeChanged.event;
  readonly onDidChangeSelection = this.#selectionChanged.event;
  readonly onDidTriggerItemButton = this.#itemButtonTriggered.event;

  constructor(wire: Wire, widget: QuickWidget) {
    super(wire, widget, initialState(true));
  }

  /** An index that the window reports means the item that has it now, also if that is another one than the window showed. */
  #at(indexes: readonly number[]): T[] {
    return indexes.flatMap((index) => this.#items[index] ?? []);
  }

  protected override activeReported(indexes: readonly number[]): void {
    this.#activeItems = this.#at(indexes);
    this.#activeChanged.fire(this.#activeItems);
  }

  protected override selectionReported(indexes: readonly number[]): void {
    this.#selectedItems = this.#at(indexes);
    this.#selectionChanged.fire(this.#selectedItems);
  }

  protected override itemButtonReported(index: number, buttonIndex: number): void {
    const item = this.#items[index];
    const button = item?.buttons?.[buttonIndex];
    if (item && button) this.#itemButtonTriggered.fire({ item, button });
  }

  get items(): readonly T[] {
    return this.#items;
  }
  set items(items: readonly T[]) {
    this.#items = [...items];
    this.update({ items: [...items] });
  }
  get activeItems(): readonly T[] {
    return this.#activeItems;
  }
  set activeItems(items: readonly T[]) {
    const known = items.filter((item) => this.#items.includes(item));
    this.#activeItems = known;
    this.update({ active: known.map((item) => this.#items.indexOf(item)) });
  }
  get selectedItems(): readonly T[] {
    return this.#selectedItems;
  }
  set selectedItems(items: readonly T[]) {
    const known = items.filter((item) => this.#items.includes(item));
    this.#selectedItems = known;
    this.update({ selected: known.map((item) => this.#items.indexOf(item)) });
  }
  get canSelectMany(): boolean {
    return this.own.canSelectMany;
  }
  set canSelectMany(canSelectMany: boolean) {
    this.own.canSelectMany = canSelectMany;
    this.update({ canSelectMany });
  }
  get matchOnDescription(): boolean {
    return this.own.matchOnDescription;
  }
  set matchOnDescription(matchOnDescription: boolean) {
    this.own.matchOnDescription = matchOnDescription;
    this.update({ matchOnDescription });
  }
  get matchOnDetail(): boolean {
    return this.own.matchOnDetail;
  }
  set matchOnDetail(matchOnDetail: boolean) {
    this.own.matchOnDetail = matchOnDetail;
    this.update({ matchOnDetail });
  }
  get keepScrollPosition(): boolean {
    return this.own.keepScrollPosition;
  }
  set keepScrollPosition(keepScrollPosition: boolean) {
    this.own.keepScrollPosition = keepScrollPosition;
    this.update({ keepScrollPosition });
  }
}

export class FakeInputBox extends QuickInput<SessionState> implements vscode.InputBox {
  constructor(wire: Wire, widget: QuickWidget) {
    super(wire, widget, initialState(false));
  }

  get password(): boolean {
    return this.own.password;
  }
  set password(password: boolean) {
    this.own.password = password;
    this.update({ password });
  }
  get valueSelection(): readonly [number, number] | undefined {
    return this.own.valueSelection;
  }
  set valueSelection(valueSelection: readonly [number, number] | undefined) {
    this.own.valueSelection = valueSelection;
    this.update({ valueSelection });
  }
  get validationMessage(): string | vscode.InputBoxValidationMessage | undefined {
    return this.own.validationMessage;
  }
  set validationMessage(validationMessage: string | vscode.InputBoxValidationMessage | undefined) {
    this.own.validationMessage = validationMessage;
    this.update({ validationMessage });
  }
}

function initialState(isPick: boolean): SessionState {
  return {
    ...{ isPick, title: undefined, step: undefined, totalSteps: undefined, enabled: true, busy: false },
    ...{ ignoreFocusOut: false, value: "", placeholder: undefined, prompt: undefined, buttons: [], items: [] },
    ...{
      active: undefined,
      selected: undefined,
      canSelectMany: false,
      matchOnDescription: false,
      matchOnDetail: false,
    },
    ...{ keepScrollPosition: false, password: false, valueSelection: undefined, validationMessage: undefined },
  };
}

/** The question of `showInputBox`, with the same widget. Resolves with `undefined` when it is closed. */
export function showInputBox(
  create: () => FakeInputBox,
  options: vscode.InputBoxOptions = {},
  token?: vscode.CancellationToken,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const box = create();
    const {
      title,
      prompt,
      placeHolder,
      value = "",
      valueSelection,
      password = false,
      ignoreFocusOut = false,
    } = options;
    Object.assign(box, { title, prompt, placeholder: placeHolder, value, valueSelection, password, ignoreFocusOut });
    const judge = async (text: string): Promise<void> => {
      box.validationMessage = (await options.validateInput?.(text)) ?? undefined;
    };
    box.onDidChangeValue((text) => void judge(text));
    box.onDidAccept(() => {
      const fault = box.validationMessage;
      if (fault !== undefined && (typeof fault === "string" || fault.severity === InputBoxValidationSeverity.Error))
        return;
      resolve(box.value);
      box.dispose();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    token?.onCancellationRequested(() => box.hide());
    if (options.validateInput) void judge(value);
    box.show();
  });
}
