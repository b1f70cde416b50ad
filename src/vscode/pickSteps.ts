/** Several questions in one place: a quick pick for each step, with step numbers and Back. */
import { setTimeout as delay } from "node:timers/promises";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { createPick, type PickItem, shownItem, type ShownItem } from "./show";
import { shownLine } from "./shownText";

export type StepResult<T> = { readonly value: T } | "back" | "cancelled";

export interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

export interface PickChoice<T> extends PickItem {
  readonly value: T;
}

export interface ChoiceStep<T> {
  /** Missing for a single question. */
  readonly position?: StepPosition;
  readonly placeholder: string;
  readonly choices: readonly PickChoice<T>[];
  /** Active at first, so that Enter accepts it. */
  readonly preselected?: PickChoice<T> | undefined;
  /** Makes a choice of typed text that is not in the list. One without a `value` is shown but can't be accepted. */
  readonly typed?: (text: string) => PickChoice<T> | PickItem;
  /** The text of the input box at first. */
  readonly value?: string;
  /** Shown instead of an empty list. */
  readonly empty?: string;
  /** Accepting this step costs money. It is shown only after a pause without input, so that a held Enter or a double click can't accept it. */
  readonly paid?: boolean;
}

type Item = ShownItem & {
  /** Undefined for an item that can't be accepted. */
  readonly accept: (() => void) | undefined;
};

/** Milliseconds without input before a paid step; longer than the pause in a double click or between the repeats of a held key. */
const pauseBeforePaidStep = 300;
/** Longest wait for a slow window, in pauses. */
const mostPauses = 10;

export class StepPicker implements Disposable {
  readonly #heading: string;
  /** The quick pick of the last step. It stays open after its result until the next one replaces it, so no key press reaches the editor. */
  #pick: vscode.QuickPick<Item> | undefined;
  #isHidden = false;

  constructor(title: string) {
    this.#heading = title;
  }

  /** Shows the next question in place of the last one. Esc is `cancelled`. */
  async ask<T>(step: ChoiceStep<T>): Promise<StepResult<T>> {
    const last = this.#pick;
    if (last && step.paid === true) {
      const left = await waitForPause(last);
      if (left) return left;
    }
    if (last && this.#isHidden) return "cancelled";
    // A quick pick of its own for each step: VS Code delivers an Enter to the quick pick that was shown when it was pressed, but within one
    // quick pick identifies the accepted item by its index only, which could be that of the next step's list.
    const pick = createPick<Item>();
    this.#pick = pick;
    this.#isHidden = false;
    const result = this.#listen(pick, step);
    pick.show();
    last?.dispose();
    return result;
  }

  /** Fills the quick pick and resolves with what the person does in it. */
  #listen<T>(pick: vscode.QuickPick<Item>, step: ChoiceStep<T>): Promise<StepResult<T>> {
    const { position, placeholder, choices, preselected, typed, value = "", empty } = step;
    return new Promise((resolve) => {
      const itemOf = (choice: PickChoice<T> | PickItem): Item => ({
        ...shownItem(choice),
        accept: "value" in choice ? () => resolve({ value: choice.value }) : undefined,
      });
      const items = choices.map(itemOf);
      let own: Item | undefined;
      const show = (text: string): void => {
        const wanted = text.trim();
        const isNew = wanted !== "" && !choices.some(({ label }) => label === wanted);
        own = typed && isNew ? itemOf({ alwaysShow: true, ...typed(wanted) }) : undefined;
        // VS Code sorts the closest label first, so an item that can't be accepted would come before the choice that is meant.
        if (own && !own.accept && choices.some(({ label }) => includesText(label, wanted))) own = undefined;
        const hint =
          empty === undefined ? [] : [{ ...shownItem({ label: empty, alwaysShow: true }), accept: undefined }];
        // The typed item comes last: an index that VS Code reports for the list before this change then means the same item.
        const all = own ? [...items, own] : items;
        pick.items = all.length > 0 ? all : hint;
      };
      pick.title = shownLine(this.#heading);
      pick.step = position?.step;
      pick.totalSteps = position?.totalSteps;
      pick.buttons = position && position.step > 1 ? [vscode.QuickInputButtons.Back] : [];
      pick.ignoreFocusOut = position !== undefined;
      pick.matchOnDescription = true;
      pick.placeholder = shownLine(placeholder);
      pick.value = value;
      show(value);
      const first = preselected && items[choices.indexOf(preselected)];
      if (first) pick.activeItems = [first];
      pick.onDidChangeValue(show);
      pick.onDidTriggerButton(() => resolve("back"));
      // On Enter right after a paste VS Code reports no selection, because its list does not have the typed item yet.
      pick.onDidAccept(() => {
        const selected = pick.selectedItems.find((item) => pick.items.includes(item));
        (selected ?? own)?.accept?.();
      });
      pick.onDidHide(() => {
        if (this.#pick === pick) this.#isHidden = true;
        resolve("cancelled");
      });
    });
  }

  /** Asks for a line of text. `submit` makes the item that Enter accepts; empty text can't be accepted. */
  async askText(
    position: StepPosition,
    placeholder: string,
    value: string,
    submit: (text: string) => PickItem,
  ): Promise<StepResult<string>> {
    const typed = (text: string): PickChoice<string> => ({ ...submit(text), value: text });
    // Enter in an empty box accepts nothing, so there is nothing to protect.
    const paid = value.trim() !== "";
    return this.ask({ position, placeholder, choices: [], typed, value, empty: t("Nothing is typed yet."), paid });
  }

  dispose(): void {
    this.#pick?.dispose();
  }
}

/**
 * Resolves after a pause without Enter or click in an answered step, or with how the person left it meanwhile. A window that reacts late may
 * still have key presses queued: then the pause begins anew, `mostPauses` times at most.
 */
async function waitForPause(pick: vscode.QuickPick<Item>): Promise<"back" | "cancelled" | undefined> {
  let presses = 0;
  let left: "back" | "cancelled" | undefined;
  pick.busy = true;
  pick.onDidAccept(() => (presses += 1));
  pick.onDidTriggerButton(() => (left ??= "back"));
  pick.onDidHide(() => (left ??= "cancelled"));
  for (let late = 0; late < mostPauses && !left;) {
    const before = { presses, at: performance.now() };
    await delay(pauseBeforePaidStep);
    // Any request that the window answers will do: messages keep their order, so events before it have arrived by then.
    await vscode.languages.getLanguages();
    const isLate = performance.now() - before.at > pauseBeforePaidStep + 100;
    if (presses === before.presses && !isLate) break;
    if (isLate) late += 1;
  }
  return left;
}

function includesText(label: string, text: string): boolean {
  return label.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

/** The choice for an id that is not in the list. */
export function typedId(id: string): PickChoice<string> {
  return { label: id, description: t("as typed"), value: id };
}
