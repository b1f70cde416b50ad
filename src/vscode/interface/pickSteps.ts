/** Several questions in one place: steps of a quick pick, with step numbers and Back. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { contextKeys } from "../ids";
import { waitForQuiet, staysOpen } from "./pickRules";
import { setContext } from "./runCommand";
import { createPick, type ShownPick, type PickItem, shownItem, type ShownItem } from "./show";
import { shownLine } from "./shownText";

export class StepPicker implements Disposable {
  readonly #heading: string;
  /**
   * One quick pick for all steps, which stays open between them: no key press reaches the editor, and an Esc closes the list, also when it is
   * pressed while the next step is on its way to the window.
   */
  #pick: ShownPick<Item> | undefined;
  #step: { close(): void } | undefined;
  #isHidden = false;

  constructor(title: string) {
    this.#heading = title;
  }

  /** Shows the next question in place of the last one. Esc is `cancelled`. */
  async ask<T>(step: ChoiceStep<T>): Promise<StepResult<T>> {
    const shown = this.#pick;
    if (shown && step.paid === true) {
      const left = await waitForPause(shown);
      if (left) return left;
    }
    if (shown && this.#isHidden) return "cancelled";
    this.#step?.close();
    const reportsBefore = shown && windowReports();
    const pick = shown ?? this.#create();
    const open = new OpenStep(pick, step);
    this.#step = open;
    if (reportsBefore) {
      // An Enter that crosses a paid step on its way to the window was pressed before that step could be read: it counts for neither step.
      const acceptable = step.paid === true ? windowReports() : reportsBefore;
      void reportsBefore.then(() => open.listen());
      void acceptable.then(() => open.listenToAccept());
    } else {
      open.listen();
      open.listenToAccept();
      pick.show();
    }
    return open.result;
  }

  /** Closes the quick pick for another dialog of VS Code; the next step opens it again. */
  stepAside(): void {
    const pick = this.#pick;
    this.#pick = undefined;
    this.#step?.close();
    pick?.dispose();
  }

  /**
   * Calls `show` to open another dialog in place of the quick pick, which closes afterwards: if it closed first, VS Code would give the focus back to
   * a page for a moment. Returns false and shows nothing when the person has left.
   */
  giveWay(show: () => void): boolean {
    if (this.#pick && this.#isHidden) return false;
    show();
    this.stepAside();
    return true;
  }

  dispose(): void {
    this.stepAside();
  }

  #create(): ShownPick<Item> {
    const pick = createPick<Item>();
    pick.title = shownLine(this.#heading);
    pick.matchOnDescription = true;
    pick.onDidHide(() => {
      if (this.#pick === pick) this.#isHidden = true;
    });
    this.#pick = pick;
    this.#isHidden = false;
    return pick;
  }
}

/** Resolves when a paid step may be shown. The value says how the person has left the answered step during the pause, if at all. */
async function waitForPause(pick: ShownPick<Item>): Promise<"back" | "cancelled" | undefined> {
  let left: "back" | "cancelled" | undefined;
  pick.busy = true;
  await waitForQuiet({
    clock: systemClock,
    askWindow: roundTrip,
    onDidPress: (listener) => pick.onDidAccept(listener),
    onDidLeave(listener) {
      const leave = (how: "back" | "cancelled") => (): void => {
        left ??= how;
        listener();
      };
      const listeners = new DisposableStore();
      listeners.add(pick.onDidTriggerButton(leave("back")));
      listeners.add(pick.onDidHide(leave("cancelled")));
      return listeners;
    },
  });
  return left;
}

/**
 * Resolves when all reports of the window about what it has been sent so far have arrived. Called before the next step is set, it separates the
 * reports of the earlier step from those of the next one: VS Code collects changes and sends them in the next task, right after this request. A
 * report identifies the accepted item only by its index, which could be that of another item in the next step's list.
 */
async function windowReports(): Promise<void> {
  await nextTask();
  await roundTrip();
}

/** Resolves after all timers without delay that were set before, such as that of VS Code. Only the order matters. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Resolves when the window has received all earlier messages and its own have arrived here, because messages keep their order. */
function roundTrip(): Promise<void> {
  return setContext(contextKeys.roundTrip, true);
}

/** The choice for an id that is not in the list. */
export function typedId(id: string): PickChoice<string> {
  return { label: id, description: t("as typed"), value: id };
}

// Asks one question in a quick pick that several questions use one after the other.

export type StepResult<T> = { readonly value: T } | "back" | "cancelled";

export interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

export interface PickChoice<T> extends PickItem {
  readonly value: T;
}

interface ChoiceStep<T> {
  /** Missing for a single question. */
  readonly position?: StepPosition;
  /** Whether the step has Back. Missing: every step after the first one has it. */
  readonly hasBack?: boolean;
  /** Keeps the list of a single question open when the focus moves, because the action before it moves the focus. A typed question stays anyway. */
  readonly staysOpen?: boolean;
  readonly placeholder: string;
  /** A choice without a `value` is shown but can't be accepted. */
  readonly choices: readonly (PickChoice<T> | PickItem)[];
  /** This choice is active at first, so that Enter accepts it. */
  readonly preselected?: PickChoice<T> | undefined;
  /** Makes a choice of typed text that is not in the list. A choice without a `value` is shown but can't be accepted. */
  readonly typed?: (text: string) => PickChoice<T> | PickItem;
  /** Calls `redraw` when `typed` has another choice for the same text. */
  readonly retyped?: (redraw: () => void) => Disposable;
  /** These choices are last in the list, whatever is typed. */
  readonly after?: readonly PickChoice<T>[];
  /** Loads further choices while the step is open; `show` adds them at the end. The step shows that it waits until the first call. */
  readonly later?: (show: (choices: readonly PickChoice<T>[]) => void) => Disposable;
  /**
   * Rows that change while the step is open, in place of `choices`; `end` answers the step. None of them can be accepted: by the time an Enter
   * arrives, the row may be another one.
   */
  readonly live?: (show: (rows: readonly PickItem[]) => void, end: (value: T) => void) => Disposable;
  /** Returns the choices again after a button of a row was pressed, with the changes that it made. */
  readonly redraw?: () => readonly (PickChoice<T> | PickItem)[];
  /** The text of the input box at first. */
  readonly value?: string;
  /** Called with each text in the input box. */
  readonly onText?: (text: string) => void;
  /** Shown instead of an empty list. */
  readonly empty?: string;
  /** Accepting this step costs money. It is shown only after a pause without input, so that a held Enter or a double click can't accept it. */
  readonly paid?: boolean;
}

type Item = ShownItem & {
  /** Undefined for an item that can't be accepted. */
  readonly accept: (() => void) | undefined;
};

/** One question: fills the quick pick, and resolves with what the person does in it. */
class OpenStep<T> {
  readonly result: Promise<StepResult<T>>;
  readonly #pick: ShownPick<Item>;
  readonly #step: ChoiceStep<T>;
  readonly #resolve: (result: StepResult<T>) => void;
  #items: readonly Item[];
  readonly #after: readonly Item[];
  readonly #labels = new Set<string>();
  #later: readonly Item[] = [];
  #own: Item | undefined;
  readonly #ended = new DisposableStore();

  constructor(pick: ShownPick<Item>, step: ChoiceStep<T>) {
    this.#pick = pick;
    this.#step = step;
    const { promise, resolve } = Promise.withResolvers<StepResult<T>>();
    this.result = promise;
    this.#resolve = resolve;
    const {
      position,
      hasBack = position !== undefined && position.step > 1,
      placeholder,
      choices,
      preselected,
      after = [],
      later,
      live,
      value = "",
    } = step;
    for (const { label } of choices) this.#labels.add(label);
    this.#items = choices.map((choice) => this.#itemOf(choice));
    this.#after = after.map((choice) => this.#itemOf({ alwaysShow: true, ...choice }));
    pick.step = position?.step;
    pick.totalSteps = position?.totalSteps;
    pick.buttons = hasBack ? [vscode.QuickInputButtons.Back] : [];
    pick.ignoreFocusOut = staysOpen(step, value);
    pick.placeholder = shownLine(placeholder);
    pick.value = value;
    pick.keepScrollPosition = false;
    pick.busy = later !== undefined || live !== undefined;
    this.#show(value);
    const first = preselected && this.#items[choices.indexOf(preselected)];
    if (first) pick.activeItems = [first];
    this.#ended.add(pick.onDidHide(() => resolve("cancelled")));
    if (later) this.#ended.add(later((more) => this.#add(more)));
    if (live) this.#listenToLive(live);
    if (step.retyped) this.#ended.add(step.retyped(() => this.#retype()));
    void promise.then(() => this.#ended.dispose());
  }

  /** Listens to the text and the buttons: from now on the window's reports of them concern this step. */
  listen(): void {
    const pick = this.#pick;
    const take = (text: string): void => {
      pick.ignoreFocusOut = staysOpen(this.#step, text);
      this.#step.onText?.(text);
      this.#show(text);
    };
    for (const listener of [
      pick.onDidChangeValue(take),
      pick.onDidTriggerButton(() => this.#resolve("back")),
      pick.onDidTriggerItemButton(({ button }) => {
        if ("press" in button && typeof button.press === "function") (button.press as () => void)();
        this.#redraw();
      }),
    ]) {
      this.#ended.add(listener);
    }
    // The text was typed after the window showed the step and before these listeners were added, so nothing has handled its report.
    if (pick.value !== (this.#step.value ?? "")) take(pick.value);
  }

  /** Listens to accepted items: from now on the window's reports of them concern this step. */
  listenToAccept(): void {
    const pick = this.#pick;
    let selected: Item | undefined;
    for (const listener of [
      pick.onDidChangeSelection(([item]) => (selected = item)),
      // On Enter right after a paste VS Code reports no selection, because its list does not have the typed item yet.
      pick.onDidAccept(() => (selected && pick.items.includes(selected) ? selected : this.#own)?.accept?.()),
    ]) {
      this.#ended.add(listener);
    }
  }

  /** Ends the step without an answer. */
  close(): void {
    this.#resolve("cancelled");
    this.#ended.dispose();
  }

  #listenToLive(live: NonNullable<ChoiceStep<T>["live"]>): void {
    const show = (rows: readonly PickItem[]): void => {
      this.#items = rows.map(({ label, ...row }) => this.#itemOf({ ...row, label, alwaysShow: true }));
      this.#show(this.#pick.value);
    };
    this.#ended.add(live(show, (value) => this.#resolve({ value })));
  }

  #itemOf(choice: PickChoice<T> | PickItem): Item {
    return {
      ...shownItem(choice),
      accept: "value" in choice ? () => this.#resolve({ value: choice.value }) : undefined,
    };
  }

  #redraw(): void {
    const [current] = this.#pick.activeItems;
    const active = current ? this.#items.indexOf(current) : -1;
    this.#items = this.#step.redraw?.().map((choice) => this.#itemOf(choice)) ?? this.#items;
    this.#show(this.#pick.value);
    const again = this.#items[active];
    if (again) this.#pick.activeItems = [again];
  }

  #retype(): void {
    const [current] = this.#pick.activeItems;
    const active = current ? this.#pick.items.indexOf(current) : -1;
    this.#show(this.#pick.value);
    const again = this.#pick.items[active];
    if (again) this.#pick.activeItems = [again];
  }

  #add(choices: readonly PickChoice<T>[]): void {
    this.#pick.busy = false;
    const fresh = choices.filter(({ label }) => !this.#labels.has(label));
    if (fresh.length === 0) return;
    for (const { label } of fresh) this.#labels.add(label);
    this.#later = [...this.#later, ...fresh.map((choice) => this.#itemOf(choice))];
    const active = this.#pick.activeItems[0];
    this.#pick.keepScrollPosition = true;
    this.#show(this.#pick.value);
    // A new list makes its first row the active one.
    if (active && this.#pick.items.includes(active)) this.#pick.activeItems = [active];
  }

  /** The typed item stays after the first choices, so that an index that VS Code reports for an earlier list still means the same item. */
  #show(text: string): void {
    const { typed, empty } = this.#step;
    const wanted = text.trim();
    this.#own =
      typed && wanted !== "" && !this.#labels.has(wanted)
        ? this.#itemOf({ alwaysShow: true, ...typed(wanted) })
        : undefined;
    // VS Code sorts the closest label first, so an item that can't be accepted would come before the intended choice.
    if (this.#own && !this.#own.accept && [...this.#labels].some((label) => includesText(label, wanted)))
      this.#own = undefined;
    const listed = [...this.#items, ...(this.#own ? [this.#own] : []), ...this.#later];
    const hint = listed.length === 0 && empty !== undefined ? [this.#itemOf({ label: empty, alwaysShow: true })] : [];
    this.#pick.items = [...listed, ...hint, ...this.#after];
    // The text may match the label of a row below it, which VS Code would then put first.
    if (this.#own && this.#after.length > 0) this.#pick.activeItems = [this.#own];
  }
}

function includesText(label: string, text: string): boolean {
  return label.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}
