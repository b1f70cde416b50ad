/** Several questions in one place: steps of a quick pick, with step numbers and Back. */
import { t } from "@vscode/l10n";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ChoiceStep, type Item, OpenStep, type PickChoice, type StepPosition, type StepResult } from "./openStep";
import { contextKeys } from "../ids";
import { waitForQuiet } from "./paidPause";
import { setContext } from "./runCommand";
import { createPick, type ShownPick } from "./show";
import { shownLine } from "./shownText";

export type { ChoiceStep, PickChoice, StepPosition, StepResult };

export class StepPicker implements Disposable {
  readonly #heading: string;
  /**
   * One quick pick for all steps, which stays open between them: no key press reaches the editor, and an Esc closes what is shown, also one
   * that is pressed while the next step is on its way to the window.
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
   * Has `show` open another dialog in the place of the quick pick, which closes behind it: closed before, VS Code would give the focus back to a
   * page for a moment. False, and nothing is shown, where the person has left.
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

/** Resolves before a paid step is shown, with how the person has left the answered one meanwhile. */
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
 * Resolves when all has arrived that the window reports of what it has been sent so far. Called before the next step is set, it separates the reports
 * of the step before from those of the next: VS Code collects what is set and sends it in the next task, right behind this request. What the
 * window reports identifies the accepted item by its index only, which could be that of another item in the next step's list.
 */
async function windowReports(): Promise<void> {
  await nextTask();
  await roundTrip();
}

/** Behind the timers of no delay that were set before, such as that of VS Code: an order, not a time. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Resolves when the window has received all that was sent to it before, and what it sent until then has arrived here: messages keep their order. */
function roundTrip(): Promise<void> {
  return setContext(contextKeys.roundTrip, true);
}

/** The choice for an id that is not in the list. */
export function typedId(id: string): PickChoice<string> {
  return { label: id, description: t("as typed"), value: id };
}
