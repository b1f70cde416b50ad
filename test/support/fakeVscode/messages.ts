/** Messages, progress, status bar, output and file dialogs: what is shown, and what the person answers. */
import type * as vscode from "vscode";
import { CancellationTokenSource } from "./events";
import type { Uri } from "./positions";
import type { Wire } from "./wire";

export interface ShownMessage {
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  readonly detail: string | undefined;
  readonly isModal: boolean;
  readonly actions: readonly string[];
  /** Presses the button; without a label the message is closed. */
  answer(action?: string): void;
}

export interface ShownProgress {
  readonly title: string | undefined;
  /** A view, or one of VS Code's places. */
  readonly place: string;
  readonly isCancellable: boolean;
  readonly reports: readonly string[];
  cancel(): void;
}

export interface ShownStatus {
  readonly id: string;
  readonly text: string;
  readonly tooltip: string;
  readonly command: string | undefined;
}

type MessageItem = string | vscode.MessageItem;

export class Messages {
  readonly #wire: Wire;
  readonly #shown: ShownMessage[] = [];
  readonly #progress: ShownProgress[] = [];
  readonly #status = new Map<vscode.StatusBarItem, ShownStatus>();
  /** Texts of the status bar that disappear automatically. */
  readonly flashed: string[] = [];
  /** Each line of the output channels. */
  readonly log: string[] = [];
  /** All messages since the start, also those that were answered. */
  readonly history: string[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get shown(): readonly ShownMessage[] {
    return this.#shown;
  }
  get progress(): readonly ShownProgress[] {
    return this.#progress;
  }
  get status(): readonly ShownStatus[] {
    return [...this.#status.values()];
  }

  readonly show =
    (severity: ShownMessage["severity"]) =>
    <T extends MessageItem>(text: string, ...rest: readonly (vscode.MessageOptions | T)[]): Promise<T | undefined> =>
      new Promise((resolve) => {
        const [first] = rest;
        const hasOptions = typeof first === "object" && !("title" in first);
        const { modal = false, detail } = hasOptions ? first : {};
        const items = (hasOptions ? rest.slice(1) : rest) as readonly T[];
        const titleOf = (item: T): string => (typeof item === "string" ? item : item.title);
        const message: ShownMessage = {
          ...{ severity, text, detail, isModal: modal, actions: items.map(titleOf) },
          answer: (action) => {
            const at = this.#shown.indexOf(message);
            if (at === -1) throw new Error(`The message is not shown any more: ${text}`);
            const chosen = items.find((item) => titleOf(item) === action);
            if (action !== undefined && chosen === undefined)
              throw new Error(`The message has no ${action}, but ${items.map(titleOf).join(", ")}: ${text}`);
            this.#shown.splice(at, 1);
            this.#wire.changes.note();
            this.#wire.send(() => resolve(chosen));
          },
        };
        this.#wire.send(() => {
          this.#shown.push(message);
          this.history.push(text);
          this.#wire.changes.note();
        });
      });

  readonly withProgress = <R>(
    { location, title, cancellable = false }: vscode.ProgressOptions,
    task: (
      progress: vscode.Progress<{ message?: string; increment?: number }>,
      token: vscode.CancellationToken,
    ) => Thenable<R>,
  ): Promise<R> => {
    const source = new CancellationTokenSource();
    const reports: string[] = [];
    const shown: ShownProgress = {
      ...{ title, reports, isCancellable: cancellable },
      place: typeof location === "object" ? location.viewId : String(location),
      cancel: () => this.#wire.send(() => source.cancel()),
    };
    this.#progress.push(shown);
    this.#wire.changes.note();
    const report = ({ message }: { message?: string }): void => {
      if (message !== undefined) reports.push(message);
      this.#wire.changes.note();
    };
    return Promise.resolve(task({ report }, source.token)).finally(() => {
      this.#progress.splice(this.#progress.indexOf(shown), 1);
      this.#wire.changes.note();
    });
  };

  readonly flash = (text: string): vscode.Disposable => {
    this.flashed.push(text);
    this.#wire.changes.note();
    return { dispose: () => undefined };
  };

  createStatusItem(id: string, alignment: vscode.StatusBarAlignment = 1, priority?: number): vscode.StatusBarItem {
    let isShown = false;
    const update = (): void => {
      const { text, tooltip, command } = item;
      if (!isShown) this.#status.delete(item);
      else {
        this.#status.set(item, {
          ...{ id, text },
          tooltip: typeof tooltip === "string" ? tooltip : (tooltip?.value ?? ""),
          command: typeof command === "string" ? command : command?.command,
        });
      }
      this.#wire.changes.note();
    };
    const values: Record<string, unknown> = { text: "" };
    const item = {
      ...{ id, alignment, priority },
      show: () => {
        isShown = true;
        update();
      },
      hide: () => {
        isShown = false;
        update();
      },
      dispose: () => {
        isShown = false;
        update();
      },
    } as unknown as vscode.StatusBarItem;
    for (const key of ["text", "tooltip", "command", "name", "color", "backgroundColor", "accessibilityInformation"]) {
      Object.defineProperty(item, key, {
        get: () => values[key],
        set: (value: unknown) => {
          values[key] = value;
          if (isShown) update();
        },
      });
    }
    return item;
  }

  createOutput(name: string): vscode.LogOutputChannel {
    const write =
      (level: string) =>
      (line: unknown, ...others: readonly unknown[]): void => {
        this.log.push([level, String(line), ...others.map((other) => JSON.stringify(other))].join(" "));
        this.#wire.changes.note();
      };
    const nothing = (): void => undefined;
    // VS Code's declarations call one of its overloads deprecated.
    const shown: Pick<vscode.LogOutputChannel, "show"> = Object.fromEntries([
      ["show", () => this.flash(`output ${name}`)],
    ]) as never;
    return {
      ...{ name, logLevel: 2, onDidChangeLogLevel: () => ({ dispose: nothing }) },
      ...{
        trace: write("trace"),
        debug: write("debug"),
        info: write("info"),
        warn: write("warning"),
        error: write("error"),
      },
      ...{ append: write("text"), appendLine: write("text"), replace: write("text"), clear: nothing },
      ...{ hide: nothing, dispose: nothing },
      ...shown,
    };
  }
}

/** Dialogs of the system: a test says what will be chosen before they are opened. */
export class FileDialogs {
  /** The answers to come, in order; `undefined` is *Cancel*. */
  readonly answers: (Uri | readonly Uri[] | undefined)[] = [];
  /** The options that each was opened with. */
  readonly asked: (vscode.OpenDialogOptions | vscode.SaveDialogOptions)[] = [];

  open(options: vscode.OpenDialogOptions = {}): Promise<vscode.Uri[] | undefined> {
    const answer = this.#next(options);
    return Promise.resolve(answer === undefined ? undefined : "scheme" in answer ? [answer] : [...answer]);
  }

  save(options: vscode.SaveDialogOptions = {}): Promise<vscode.Uri | undefined> {
    const answer = this.#next(options);
    return Promise.resolve(answer === undefined || "scheme" in answer ? answer : answer[0]);
  }

  #next(options: vscode.OpenDialogOptions | vscode.SaveDialogOptions): Uri | readonly Uri[] | undefined {
    this.asked.push(options);
    if (this.answers.length === 0)
      throw new Error(`A file dialog was opened, and the test has no answer to it: ${options.title ?? ""}`);
    return this.answers.shift();
  }
}
