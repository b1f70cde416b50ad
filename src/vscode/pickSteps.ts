/** Several questions in one quick pick, with step numbers and Back; Esc ends them all and loses nothing. */
import * as vscode from "vscode";

/** What a step came to: a value, one step back, or the end. */
export type Step<T> = { readonly value: T } | "back" | "cancelled";

export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface Choice<T> extends vscode.QuickPickItem {
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
}

export function askChoice<T>({ place, placeholder, choices, preselected, typed }: ChoiceStep<T>): Promise<Step<T>> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Choice<T>>();
    pick.title = place.title;
    pick.step = place.step;
    pick.totalSteps = place.totalSteps;
    pick.placeholder = placeholder;
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    pick.items = choices;
    if (preselected) pick.activeItems = [preselected];
    if (place.step > 1) pick.buttons = [vscode.QuickInputButtons.Back];
    let answer: Step<T> = "cancelled";
    if (typed) {
      pick.onDidChangeValue((text) => {
        const known = text.trim() === "" || choices.some(({ label }) => label === text.trim());
        pick.items = known ? choices : [...choices, typed(text.trim())];
      });
    }
    pick.onDidTriggerButton(() => {
      answer = "back";
      pick.hide();
    });
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (!chosen) return;
      answer = { value: chosen.value };
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(answer);
    });
    pick.show();
  });
}

export interface TextStep {
  readonly place: Place;
  readonly prompt: string;
  readonly value: string;
  /** Says what is wrong, or nothing. */
  readonly check: (text: string) => string | undefined;
}

export function askText({ place, prompt, value, check }: TextStep): Promise<Step<string>> {
  return new Promise((resolve) => {
    const input = vscode.window.createInputBox();
    input.title = place.title;
    input.step = place.step;
    input.totalSteps = place.totalSteps;
    input.prompt = prompt;
    input.value = value;
    input.ignoreFocusOut = true;
    if (place.step > 1) input.buttons = [vscode.QuickInputButtons.Back];
    let answer: Step<string> = "cancelled";
    input.onDidChangeValue((text) => (input.validationMessage = text === "" ? undefined : check(text)));
    input.onDidTriggerButton(() => {
      answer = "back";
      input.hide();
    });
    input.onDidAccept(() => {
      input.validationMessage = check(input.value);
      if (input.validationMessage) return;
      answer = { value: input.value };
      input.hide();
    });
    input.onDidHide(() => {
      input.dispose();
      resolve(answer);
    });
    input.show();
  });
}
