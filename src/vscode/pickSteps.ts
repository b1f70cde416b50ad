/** Several questions in one quick pick, with step numbers and Back. The next step replaces the open one, so no key press falls through to the editor. */
import { setTimeout as delay } from "node:timers/promises";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Disposable } from "../base/disposable";
import { createPick, type PickItem, shownItem, type ShownItem } from "./show";
import { shownLine } from "./shownText";

/** What a step came to: a value, one step back, or the end. */
export type Step<T> = { readonly value: T } | "back" | "cancelled";

export interface Place {
  readonly step: number;
  readonly totalSteps: number;
}

export interface Choice<T> extends PickItem {
  readonly value: T;
}

export interface ChoiceStep<T> {
  /** Absent for a single question. */
  readonly place?: Place;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The one that Enter takes. */
  readonly preselected?: Choice<T> | undefined;
  /** Makes a choice of what is typed and is not in the list. Without a `value` the item is shown and can't be taken. */
  readonly typed?: (text: string) => Choice<T> | PickItem;
  /** What stands in the box at first. */
  readonly value?: string;
  /** Said where there is nothing to choose yet. */
  readonly empty?: string;
  /** Accepting this step is paid: it is shown only when the keyboard and mouse rest, so that a held Enter or a double click stops before it. */
  readonly paid?: boolean;
}

type Item = ShownItem & {
  /** Undefined for a line that only says something. */
  readonly take: (() => void) | undefined;
};

/** Longer than the pause between the clicks of a double click and the repeats of a held key, in ms. */
const restBeforePaidStep = 300;
const patience = 10;

export class StepPicker implements Disposable {
  readonly #heading: string;
  /** Of the last step: it stays on the screen after its answer, until the next step replaces it. */
  #pick: vscode.QuickPick<Item> | undefined;
  #hidden = false;

  constructor(title: string) {
    this.#heading = title;
  }

  /** Asks the next question in the same place. Esc is `cancelled`. */
  async ask<T>(step: ChoiceStep<T>): Promise<Step<T>> {
    const last = this.#pick;
    if (last && step.paid === true) {
      const left = await untilInputRests(last);
      if (left) return left;
    }
    if (last && this.#hidden) return "cancelled";
    // Each step is a quick pick of its own: an Enter is delivered to the one that was on the screen when it was pressed. In one quick pick
    // for all steps it would not be known, as VS Code identifies an accepted item by its index only.
    const pick = createPick<Item>();
    this.#pick = pick;
    this.#hidden = false;
    const answer = this.#answer(pick, step);
    pick.show();
    last?.dispose();
    return answer;
  }

  #answer<T>(pick: vscode.QuickPick<Item>, step: ChoiceStep<T>): Promise<Step<T>> {
    const { place, placeholder, choices, preselected, typed, value = "", empty } = step;
    return new Promise((resolve) => {
      const itemOf = (choice: Choice<T> | PickItem): Item => ({
        ...shownItem(choice),
        take: "value" in choice ? () => resolve({ value: choice.value }) : undefined,
      });
      const items = choices.map(itemOf);
      let own: Item | undefined;
      const show = (text: string): void => {
        const wanted = text.trim();
        const isNew = wanted !== "" && !choices.some(({ label }) => label === wanted);
        own = typed && isNew ? itemOf({ alwaysShow: true, ...typed(wanted) }) : undefined;
        // VS Code puts the closest label first: a line that can't be taken would stand before the choice that is meant.
        if (own && !own.take && choices.some(({ label }) => includesText(label, wanted))) own = undefined;
        const hint = empty === undefined ? [] : [{ ...shownItem({ label: empty, alwaysShow: true }), take: undefined }];
        // What is typed comes last: an index that VS Code still reports for the list before it means the same item.
        const all = own ? [...items, own] : items;
        pick.items = all.length > 0 ? all : hint;
      };
      pick.title = shownLine(this.#heading);
      pick.step = place?.step;
      pick.totalSteps = place?.totalSteps;
      pick.buttons = place && place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
      pick.ignoreFocusOut = place !== undefined;
      pick.matchOnDescription = true;
      pick.placeholder = shownLine(placeholder);
      pick.value = value;
      show(value);
      const first = preselected && items[choices.indexOf(preselected)];
      if (first) pick.activeItems = [first];
      pick.onDidChangeValue(show);
      pick.onDidTriggerButton(() => resolve("back"));
      // Enter right after a paste: what was pasted is not in VS Code's list yet, so nothing is selected there.
      pick.onDidAccept(() => {
        const selected = pick.selectedItems.find((item) => pick.items.includes(item));
        (selected ?? own)?.take?.();
      });
      pick.onDidHide(() => {
        if (this.#pick === pick) this.#hidden = true;
        resolve("cancelled");
      });
    });
  }

  /** Asks for a line of text. `submit` makes the line that Enter takes; what is empty can't be taken. */
  async askText(
    place: Place,
    placeholder: string,
    value: string,
    submit: (text: string) => PickItem,
  ): Promise<Step<string>> {
    const typed = (text: string): Choice<string> => ({ ...submit(text), value: text });
    // An empty box takes no Enter anyway.
    const paid = value.trim() !== "";
    return this.ask({ place, placeholder, choices: [], typed, value, empty: t("Nothing is typed yet."), paid });
  }

  dispose(): void {
    this.#pick?.dispose();
  }
}

/**
 * Resolves when a step that was answered gets no more Enter or click for a while, or with how the person left it meanwhile. A window that
 * answers late may have key presses waiting: then the time counts anew, `patience` times at most.
 */
async function untilInputRests(pick: vscode.QuickPick<Item>): Promise<"back" | "cancelled" | undefined> {
  let presses = 0;
  let left: "back" | "cancelled" | undefined;
  pick.busy = true;
  pick.onDidAccept(() => (presses += 1));
  pick.onDidTriggerButton(() => (left ??= "back"));
  pick.onDidHide(() => (left ??= "cancelled"));
  for (let late = 0; late < patience && !left;) {
    const before = { presses, at: performance.now() };
    await delay(restBeforePaidStep);
    // Any request that the window answers: its events from before arrive before the answer.
    await vscode.languages.getLanguages();
    const isLate = performance.now() - before.at > restBeforePaidStep + 100;
    if (presses === before.presses && !isLate) break;
    if (isLate) late += 1;
  }
  return left;
}

function includesText(label: string, text: string): boolean {
  return label.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

/** An id that is not in the list. */
export function typedId(id: string): Choice<string> {
  return { label: id, description: t("as typed"), value: id };
}
