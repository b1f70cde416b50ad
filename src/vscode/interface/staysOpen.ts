/** Which lists stay when the focus moves, as a page that has just loaded moves it: those that would lose what the person has typed or checked. */
import type { Disposable } from "../../base/disposable";

/** What of a step decides about it. */
export interface HeldStep {
  /** One of several: the answers before it would be lost. */
  readonly position?: object;
  /** Its answer is typed, or copied from elsewhere. */
  readonly typed?: unknown;
  readonly staysOpen?: boolean;
}

/** `text`: in the input box. A list in which nothing was done yet closes, as VS Code's own do. */
export function staysOpen({ position, typed, staysOpen: isAsked }: HeldStep, text: string): boolean {
  return position !== undefined || typed !== undefined || isAsked === true || text !== "";
}

/** What VS Code has of a list, as far as it concerns the text in it. */
interface TextPick {
  readonly value: string;
  ignoreFocusOut: boolean;
  readonly onDidChangeValue: (listener: (text: string) => void) => Disposable;
}

/** The same for a list that is not a step: with text in it, it stays. */
export function keepOpenWithText(pick: TextPick, step: HeldStep = {}): Disposable {
  pick.ignoreFocusOut = staysOpen(step, pick.value);
  return pick.onDidChangeValue((text) => (pick.ignoreFocusOut = staysOpen(step, text)));
}
