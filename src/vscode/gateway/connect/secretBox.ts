/** Asks for a key in a password box, alone or as a step of several (C2). What is typed is never shown, and never put back into the box. */
import * as vscode from "vscode";
import type { StepPosition, StepResult } from "../../interface/openStep";
import { createSecretBox } from "../../interface/show";
import { shownLine } from "../../interface/shownText";

export interface SecretQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  /** Missing for a single question; from the second step on there is Back. */
  readonly position?: StepPosition;
  /** Why the typed text can't be accepted. */
  readonly problemOf: (value: string) => string | undefined;
  /** Called with what was typed when the person leaves without an answer. */
  readonly onLeave?: (value: string) => void;
}

/** Resolves with the typed text, which may be empty. */
export function askSecret(question: SecretQuestion): Promise<StepResult<string>> {
  const { title, prompt, placeholder = "", position, problemOf, onLeave } = question;
  const { promise, resolve } = Promise.withResolvers<StepResult<string>>();
  const box = createSecretBox();
  box.title = shownLine(title);
  box.prompt = shownLine(prompt, 400);
  box.placeholder = shownLine(placeholder);
  box.step = position?.step;
  box.totalSteps = position?.totalSteps;
  if (position && position.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const refuse = (): boolean => {
    const problem = problemOf(box.value);
    if (problem === undefined) box.validationMessage = undefined;
    else box.validationMessage = shownLine(problem);
    return problem !== undefined;
  };
  let isAnswered = false;
  const leave = (how: "back" | "cancelled"): void => {
    // The box is hidden after an answer too.
    if (!isAnswered) onLeave?.(box.value);
    isAnswered = true;
    resolve(how);
  };
  box.onDidChangeValue(refuse);
  box.onDidAccept(() => {
    if (refuse()) return;
    isAnswered = true;
    resolve({ value: box.value });
  });
  box.onDidTriggerButton(() => leave("back"));
  box.onDidHide(() => leave("cancelled"));
  box.show();
  return promise.finally(() => box.dispose());
}
