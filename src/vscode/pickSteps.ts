/** Several questions in one quick pick, with step numbers and Back. It stays open between them, so no key press falls through to the editor. */
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
  readonly place: Place;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The one that Enter takes. */
  readonly preselected?: Choice<T> | undefined;
  /** Makes a choice of what is typed and is not in the list. */
  readonly typed?: (text: string) => Choice<T>;
  /** What stands in the box at first. */
  readonly value?: string;
  /** Said where there is nothing to choose yet. */
  readonly empty?: string;
}

type Item = ShownItem & {
  /** Undefined for a line that only says something. */
  readonly take: (() => void) | undefined;
};

export class StepPicker implements Disposable {
  readonly #pick = createPick<Item>();
  #step: { leave: (step: "back" | "cancelled") => void; type: (text: string) => void } | undefined;
  /** The items of this step are on the screen: an Enter that was meant for the last one does not count for it. */
  #shown = false;

  constructor(title: string) {
    const pick = this.#pick;
    pick.title = shownLine(title);
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    pick.onDidChangeActive(() => (this.#shown = true));
    pick.onDidChangeValue((text) => this.#step?.type(text));
    pick.onDidTriggerButton(() => this.#step?.leave("back"));
    pick.onDidAccept(() => {
      if (this.#shown) pick.selectedItems[0]?.take?.();
    });
    pick.onDidHide(() => this.#step?.leave("cancelled"));
  }

  /** Asks the next question in the same place. Esc is `cancelled`. */
  ask<T>({ place, placeholder, choices, preselected, typed, value = "", empty }: ChoiceStep<T>): Promise<Step<T>> {
    const pick = this.#pick;
    return new Promise((resolve) => {
      const settle = (step: Step<T>): void => {
        this.#step = undefined;
        resolve(step);
      };
      const itemOf = (choice: Choice<T>): Item => ({
        ...shownItem(choice),
        take: () => settle({ value: choice.value }),
      });
      const items = choices.map(itemOf);
      const show = (text: string): void => {
        const wanted = text.trim();
        const own =
          typed && wanted !== "" && !choices.some(({ label }) => label === wanted) ? [itemOf(typed(wanted))] : [];
        const hint = empty === undefined ? [] : [{ ...shownItem({ label: empty, alwaysShow: true }), take: undefined }];
        pick.items = items.length + own.length > 0 ? [...items, ...own] : hint;
      };
      this.#shown = false;
      this.#step = { leave: settle, type: show };
      pick.step = place.step;
      pick.totalSteps = place.totalSteps;
      pick.buttons = place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
      pick.placeholder = shownLine(placeholder);
      pick.value = value;
      show(value);
      const first = preselected && items[choices.indexOf(preselected)];
      if (first) pick.activeItems = [first];
      pick.show();
    });
  }

  /** Asks for a line of text. `submit` makes the line that Enter takes; what is empty can't be taken. */
  async askText(
    place: Place,
    placeholder: string,
    value: string,
    submit: (text: string) => PickItem,
  ): Promise<Step<string>> {
    const typed = (text: string): Choice<string> => ({ ...submit(text), alwaysShow: true, value: text });
    return this.ask({ place, placeholder, choices: [], typed, value, empty: t("Nothing is typed yet.") });
  }

  dispose(): void {
    this.#step = undefined;
    this.#pick.dispose();
  }
}

/** An id that is not in the list. */
export function typedId(id: string): Choice<string> {
  return { label: id, description: t("as typed"), alwaysShow: true, value: id };
}
