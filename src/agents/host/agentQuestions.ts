/**
 * Shows the questions of programs that call over MCP. Such a question must not take the focus, because a key that was meant for the editor would
 * answer it: a notification that stays and an item of the status bar announce it, and only *Review* opens the dialog. A question ends when its
 * program goes.
 */
import { t } from "@vscode/l10n";
import { abortable, abortReason } from "../../base/async/abort";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { quoteForeign } from "../../domain/words/quoteForeign";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import { commands, contextKeys } from "../../vscode/ids";
import { setContext } from "../../vscode/interface/runCommand";
import { createStatusItem, notifyInformation, type StatusItem } from "../../vscode/interface/show";
import { amongOthers, askAsItIs } from "./questionText";
import { askInDialog, notifyUntil } from "./showQuestion";

interface WaitingQuestion {
  readonly question: () => TaskQuestion;
  readonly asker: string;
  readonly signal: AbortSignal;
  readonly answer: (allowed: boolean) => void;
}

/** Characters of a program's name. */
const maxNameLength = 60;

export class AgentQuestions implements Disposable {
  readonly #registrations = new DisposableStore();
  readonly #item: StatusItem;
  readonly #onSilence: () => void;
  /** Oldest first. */
  readonly #waiting = new Set<WaitingQuestion>();
  #isOpen = false;

  /** `onSilence` is called after *Refuse This and Later Ones*. */
  constructor(
    handle: (id: typeof commands.reviewAgent, run: () => Promise<void>) => Disposable,
    onSilence: () => void,
  ) {
    this.#onSilence = onSilence;
    this.#item = this.#registrations.add(createStatusItem("sluice.agents", t("Sluice: Agents"), commands.reviewAgent));
    this.#registrations.add(handle(commands.reviewAgent, () => this.#review()));
  }

  async ask(question: () => TaskQuestion, client: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) throw abortReason(signal);
    const ended = new AbortController();
    const asker = client.trim() === "" ? t("A program") : quoteForeign(client, maxNameLength);
    let answer: WaitingQuestion["answer"] = () => undefined;
    const answered = new Promise<boolean>((resolve) => (answer = resolve));
    const waiting = { question, asker, signal, answer };
    this.#waiting.add(waiting);
    this.#draw();
    const message = t("{0} asks over MCP: {1}", asker, question().title);
    void notifyUntil(ended.signal, message, { label: t("Review…"), command: commands.reviewAgent }).then(
      (isRefused) => isRefused && answer(false),
    );
    try {
      return await abortable(answered, signal);
    } finally {
      ended.abort();
      this.#waiting.delete(waiting);
      this.#draw();
    }
  }

  dispose(): void {
    this.#refuseAll();
    this.#registrations.dispose();
  }

  /** Shows the oldest question in a dialog, one dialog at a time. */
  async #review(): Promise<void> {
    const [waiting] = this.#waiting;
    if (!waiting || this.#isOpen) return;
    this.#isOpen = true;
    try {
      const { asker, signal, answer } = waiting;
      const never = t("Refuse This and Later Ones");
      const { pressed, isYes } = await askAsItIs(
        () => this.#asItIs(waiting),
        (shown) => askInDialog(t("{0} asks over MCP: {1}", asker, shown.title), shown, never),
        () => !signal.aborted,
      );
      if (pressed === never) this.#silence();
      // VS Code can't close a dialog: a yes after the program has gone does nothing.
      else if (signal.aborted) void notifyInformation(t("{0} no longer waits. Nothing was done.", asker));
      else answer(isYes);
    } finally {
      this.#isOpen = false;
    }
  }

  #asItIs(waiting: WaitingQuestion): TaskQuestion {
    const others = [...this.#waiting].filter((other) => other !== waiting);
    return amongOthers(
      waiting.question(),
      others.map((other) => other.question()),
    );
  }

  #silence(): void {
    this.#onSilence();
    this.#refuseAll();
    void notifyInformation(
      t(
        "Nothing was done. Programs ask nothing more over MCP in this window, until it is loaded again or you run Copy MCP Configuration.",
      ),
    );
  }

  #refuseAll(): void {
    for (const { answer } of this.#waiting) answer(false);
  }

  #draw(): void {
    const count = this.#waiting.size;
    void setContext(contextKeys.agentAsks, count > 0);
    if (count === 0) this.#item.hide();
    else
      this.#item.show(
        [{ icon: "bell", text: t("Agent asks") }],
        t("A program asks over MCP. Click to review what it wants."),
      );
  }
}
