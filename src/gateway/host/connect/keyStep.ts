/** Asks for the key of the chosen address; the key is checked before the next step (C2, C3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CheckReport, CheckContext } from "../../../domain/gateway/connectionCheck";
import { isKey } from "../../../domain/gateway/account";
import { refusalOf } from "../../../domain/words/describeCheck";
import type { StepPosition, StepResult } from "../../../vscode/interface/pickSteps";
import type { Connecting } from "../../connecting";
import { createSecretBox, type Icon, type ShownSecretBox } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";

/** The problem of a typed text as a key. An empty text has none. */
export function keyProblem(value: string): string | undefined {
  return value === "" || isKey(value.trim()) ? undefined : t("A key has no blanks and only plain characters.");
}

/** Keeps the typed key in the draft, also when the person leaves. An empty box takes the known key. `place`: as in `SecretQuestion`. */
export async function askForKeyStep(
  connecting: Connecting,
  title: string,
  checkContext: CheckContext,
  position: StepPosition,
  place: (show: () => void) => boolean,
): Promise<StepResult<CheckReport>> {
  const { draft, origin } = connecting;
  const source = await connecting.keySource();
  let refused: string | undefined;
  return askSecret<CheckReport>({
    title,
    position,
    place,
    placeholder:
      source === "typed"
        ? t("Enter takes the key that was typed before")
        : source === "kept"
          ? t("Enter takes the key that is kept for this gateway")
          : t("The key from the gateway's console"),
    prompt: t(
      "The key for {0}: sent to it only, checked with Enter, then kept in this machine's secret storage.",
      origin,
    ),
    problemOf: keyProblem,
    onLeave(value) {
      const key = value.trim();
      if (isKey(key) && key !== refused) draft.setKey(origin, key);
    },
    async check(value, signal) {
      // Pasted text often ends with a line break. A typed key is checked even if it was refused before: without it, the kept one would be sent.
      if (value !== "") draft.setKey(origin, value.trim());
      const report = await connecting.check(() => undefined, signal);
      const problem = refusalOf(report, checkContext);
      if (problem === undefined) return { value: report };
      refused = draft.keyFor(origin);
      draft.forgetKey();
      return { problem };
    },
  });
}

// Asks for a key in a password box, alone or as one of several steps (C2). The typed text is never shown, and never put back into the box.

interface SecretQuestion<T> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  /** Missing for a single question. From the second step on the box has Back. */
  readonly position?: StepPosition;
  /** Why the typed text can't be accepted. */
  readonly problemOf: (value: string) => string | undefined;
  /**
   * Checks the typed text, which may be empty, while the box shows that it is busy; with a `problem` the box stays. `signal` aborts when the person
   * types on or leaves. The question rejects if the check rejects.
   */
  readonly check: (value: string, signal: AbortSignal) => Promise<{ readonly problem: string } | { readonly value: T }>;
  /** A button in the title of a single question, which ends it without an answer. */
  readonly button?: { readonly icon: Icon; readonly tooltip: string; readonly press: () => void };
  /** Calls `show`, or returns false if the person has left the dialog that was shown before. */
  readonly place?: (show: () => void) => boolean;
  /** Called with the typed text when the person leaves without an answer. */
  readonly onLeave?: (value: string) => void;
}

/** Resolves with the value that `check` returned for the typed text. */
export function askSecret<T>(question: SecretQuestion<T>): Promise<StepResult<T>> {
  const { position } = question;
  const box = createSecretBox();
  box.title = shownLine(question.title);
  box.prompt = shownLine(question.prompt, 400);
  box.placeholder = shownLine(question.placeholder ?? "");
  box.step = position?.step;
  box.totalSteps = position?.totalSteps;
  const { button } = question;
  const shown = button && { iconPath: new vscode.ThemeIcon(button.icon), tooltip: shownLine(button.tooltip) };
  if (position && position.step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  else if (shown) box.buttons = [shown];
  const { promise, resolve, reject } = Promise.withResolvers<StepResult<T>>();
  const open = new OpenSecret(box, question, resolve, reject);
  box.onDidChangeValue(() => open.change());
  box.onDidAccept(() => void open.accept());
  box.onDidTriggerButton((pressed) => {
    open.leave(pressed === shown ? "cancelled" : "back");
    if (pressed === shown) button?.press();
  });
  box.onDidHide(() => open.leave("cancelled"));
  if (question.place === undefined) box.show();
  else if (!question.place(() => box.show())) open.leave("cancelled");
  return promise.finally(() => box.dispose());
}

class OpenSecret<T> {
  readonly #box: ShownSecretBox;
  readonly #question: SecretQuestion<T>;
  readonly #resolve: (result: StepResult<T>) => void;
  readonly #reject: (failure: unknown) => void;
  #checking: AbortController | undefined;
  #isAnswered = false;

  constructor(
    box: ShownSecretBox,
    question: SecretQuestion<T>,
    resolve: (result: StepResult<T>) => void,
    reject: (failure: unknown) => void,
  ) {
    this.#box = box;
    this.#question = question;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  change(): void {
    this.#stop();
    this.#show(this.#question.problemOf(this.#box.value));
  }

  async accept(): Promise<void> {
    const { value } = this.#box;
    const problem = this.#question.problemOf(value);
    this.#show(problem);
    // A second Enter during a check is ignored.
    if (problem !== undefined || this.#checking) return;
    const checking = new AbortController();
    this.#checking = checking;
    this.#box.busy = true;
    try {
      const answer = await this.#question.check(value, checking.signal);
      if (checking.signal.aborted) return;
      this.#stop();
      if ("problem" in answer) this.#show(answer.problem);
      else {
        this.#isAnswered = true;
        this.#resolve(answer);
      }
    } catch (failure) {
      if (!checking.signal.aborted) this.#reject(failure);
    }
  }

  leave(how: "back" | "cancelled"): void {
    // The box is hidden after an answer too.
    if (!this.#isAnswered) this.#question.onLeave?.(this.#box.value);
    this.#isAnswered = true;
    this.#stop();
    this.#resolve(how);
  }

  #stop(): void {
    this.#checking?.abort();
    this.#checking = undefined;
    this.#box.busy = false;
  }

  #show(problem: string | undefined): void {
    if (problem === undefined) this.#box.validationMessage = undefined;
    else this.#box.validationMessage = shownLine(problem, 400);
  }
}
