/** CodeLenses above the prompts of `*.prompts.md` files, above texts that are edited for a task, and above references to results that are being made. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../../base/disposable";
import { isRunning } from "../../../../domain/task/phase";
import type { Task } from "../../../../domain/task/task";
import type { PromptProblem } from "../../../../prompts/directives";
import { type FilePrompt, parsePrompts } from "../../../../prompts/parsePrompts";
import type { TaskBoard } from "../../../../tasks/board/board";
import { taskActionLabel } from "../../../../domain/words/taskActionWords";
import { commandOf } from "../../../taskActionCommands";
import { type CommandId, commands } from "../../../ids";
import { shownLine } from "../../../interface/shownText";
import { describeProblem } from "./describeProblem";
import { registerDroppedImages } from "./droppedImages";
import type { EditedTexts } from "./editedTexts";
import { describeState } from "./lensWords";

export interface LensPorts {
  readonly board: Pick<TaskBoard, "tasks" | "onDidChange">;
  readonly editing: EditedTexts;
  /** Has VS Code ask for the lenses again. */
  readonly redraw: () => void;
}

/** Milliseconds; all changes within this time are one redraw. */
const redrawDelay = 200;
/** VS Code drops a request to redraw when the editor loses the focus: milliseconds between looks whether it has asked for the lenses, and how many. */
const reminderDelay = 1_000;
const maxReminders = 5;

/** Each is a provider of its own for VS Code. */
const lensKinds = ["prompts", "references"] as const;
type LensKind = (typeof lensKinds)[number];

export class PromptLenses implements vscode.CodeLensProvider, Disposable {
  readonly #ports: LensPorts;
  readonly #registrations = new DisposableStore();
  readonly #problems = vscode.languages.createDiagnosticCollection("sluice");
  readonly #referencesChanged = new vscode.EventEmitter<void>();
  /** What VS Code was last given for each open document, to be compared before it is made to ask again. */
  readonly #shown: Readonly<Record<LensKind, Map<string, string>>> = { prompts: new Map(), references: new Map() };
  /** The newest task of each prompt; made with the first lens. */
  #newest: Map<string, string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reminders = 0;

  constructor(ports: LensPorts) {
    this.#ports = ports;
    const add = (item: { dispose(): unknown }): void => {
      this.#registrations.add({ dispose: () => void item.dispose() });
    };
    add(this.#problems);
    add(this.#referencesChanged);
    this.#registrations.add(
      registerDroppedImages(({ uri }) => uri.path.endsWith(".prompts.md") || ports.editing.partOf(uri) === "prompt"),
    );
    this.#registrations.add(ports.board.onDidChange((ids) => this.#onTasks(ids)));
    add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        for (const kind of lensKinds) this.#shown[kind].delete(uri.toString());
        this.#problems.delete(uri);
        ports.editing.forget(uri);
      }),
    );
    add(
      vscode.languages.registerCodeLensProvider(
        [
          { scheme: "untitled", language: "markdown" },
          { scheme: "untitled", language: "json" },
        ],
        {
          provideCodeLenses: (document) => this.#editedLenses(document),
        },
      ),
    );
    add(
      vscode.languages.registerCodeLensProvider([{ language: "markdown" }, { language: "html" }], {
        onDidChangeCodeLenses: this.#referencesChanged.event,
        provideCodeLenses: (document) => this.#provided("references", document, this.#referenceLenses(document)),
      }),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { prompts, problems } = parsePrompts(document.getText());
    this.#problems.set(
      document.uri,
      problems.map((problem) => diagnosticOf(document, problem)),
    );
    return this.#provided("prompts", document, this.#promptLenses(document, prompts));
  }

  #provided(kind: LensKind, document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
    this.#shown[kind].set(document.uri.toString(), signatureOf(lenses));
    return lenses;
  }

  #promptLenses(document: vscode.TextDocument, prompts: readonly FilePrompt[]): vscode.CodeLens[] {
    const waiting = this.#countWaiting(prompts);
    // Those under one heading follow each other; the first one has the button for all.
    return prompts.flatMap((prompt, at) =>
      this.#lensesOf(
        document.uri,
        prompt,
        prompts[at - 1]?.heading === prompt.heading ? 0 : (waiting.get(prompt.heading) ?? 0),
      ),
    );
  }

  /** By heading, the number of prompts without a task. */
  #countWaiting(prompts: readonly FilePrompt[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { heading, text } of prompts)
      if (this.#taskOf(text) === undefined) counts.set(heading, (counts.get(heading) ?? 0) + 1);
    return counts;
  }

  #lensesOf(document: vscode.Uri, { line, text }: FilePrompt, waiting: number): vscode.CodeLens[] {
    const place = { document: document.toString(), line };
    const task = this.#taskOf(text);
    const lenses = task
      ? this.#stateLenses(line, task, place)
      : [lensOf(line, commands.submitPrompt, t("Submit"), place)];
    if (waiting > 1) lenses.push(lensOf(line, commands.submitHeading, t("Submit All {0}", waiting), place));
    return lenses;
  }

  #stateLenses(line: number, task: Task, place: unknown): vscode.CodeLens[] {
    const { state, action } = describeState(task);
    const row = { kind: "task", id: task.intent.id };
    const lenses = [lensOf(line, commands.revealTask, state, row)];
    if (isRunning(task)) lenses.push(lensOf(line, commands.revealTask, t("Open Task"), row));
    if (action) lenses.push(lensOf(line, commandOf[action], taskActionLabel(action), row));
    // Only once there is a result: before that, another task could be paid for beside this one.
    if (action === "open-result" && place) lenses.push(lensOf(line, commands.submitPrompt, t("Submit Again"), place));
    return lenses;
  }

  #editedLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const part = this.#ports.editing.partOf(document.uri);
    if (!part) return [];
    const label = part === "prompt" ? t("Go On with This Prompt") : t("Go On with This Metadata");
    return [lensOf(0, commands.finishEditing, `$(arrow-right) ${label}`, document.uri.toString())];
  }

  /** Above the line that names the file of a result that is being made, or that has just been made. */
  #referenceLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const own = document.uri.toString();
    const lenses: vscode.CodeLens[] = [];
    let lines: readonly string[] | undefined;
    for (const task of this.#ports.board.tasks.values()) {
      const { destination } = task.intent;
      if (destination?.document !== own) continue;
      const name = destination.file.slice(destination.file.lastIndexOf("/") + 1);
      lines ??= document.getText().split(/\r?\n/);
      const line = lines.findIndex((text) => text.includes(`${name}.`));
      if (line !== -1) lenses.push(...this.#stateLenses(line, task, undefined));
    }
    return lenses;
  }

  #taskOf(prompt: string): Task | undefined {
    const { board } = this.#ports;
    this.#newest ??= new Map([...board.tasks.values()].map(({ intent }) => [intent.prompt, intent.id]));
    const id = this.#newest.get(prompt);
    return id === undefined ? undefined : board.tasks.get(id);
  }

  /** Only a change of something that a lens shows draws them again: between two draws VS Code moves the text. */
  #onTasks(ids: ReadonlySet<string>): void {
    const { tasks } = this.#ports.board;
    for (const id of ids) {
      const intent = tasks.get(id)?.intent;
      if (intent) this.#newest?.set(intent.prompt, id);
      else this.#newest = undefined;
    }
    this.#reminders = 0;
    if (lensKinds.some((kind) => this.#shown[kind].size > 0))
      this.#timer ??= setTimeout(() => this.#compare(), redrawDelay);
  }

  #compare(): void {
    this.#timer = undefined;
    const changed = lensKinds.filter((kind) =>
      vscode.window.visibleTextEditors.some((editor) => this.#isOld(kind, editor)),
    );
    for (const kind of changed) {
      if (kind === "prompts") this.#ports.redraw();
      else this.#referencesChanged.fire();
    }
    if (changed.length === 0 || this.#reminders >= maxReminders) return;
    this.#reminders += 1;
    this.#timer = setTimeout(() => this.#compare(), reminderDelay);
  }

  #isOld(kind: LensKind, { document }: vscode.TextEditor): boolean {
    const before = this.#shown[kind].get(document.uri.toString());
    if (before === undefined) return false;
    const now =
      kind === "prompts"
        ? this.#promptLenses(document, parsePrompts(document.getText()).prompts)
        : this.#referenceLenses(document);
    return signatureOf(now) !== before;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#registrations.dispose();
  }
}

/** Those under a heading that no task was made of yet. */
export function waitingPrompts(
  prompts: readonly FilePrompt[],
  heading: number | undefined,
  { tasks }: Pick<TaskBoard, "tasks">,
): readonly FilePrompt[] {
  const known = new Set([...tasks.values()].map(({ intent }) => intent.prompt));
  return prompts.filter((prompt) => prompt.heading === heading && !known.has(prompt.text));
}

function lensOf(line: number, command: CommandId, title: string, ...args: readonly unknown[]): vscode.CodeLens {
  const icon = /^\$\([\w~-]+\) /.exec(title)?.[0] ?? "";
  const shown = icon + shownLine(title.slice(icon.length), 100);
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { command, title: shown, arguments: [...args] });
}

function signatureOf(lenses: readonly vscode.CodeLens[]): string {
  return lenses.map(({ range, command }) => `${range.start.line} ${command?.title ?? ""}`).join("\n");
}

function diagnosticOf(document: vscode.TextDocument, problem: PromptProblem): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(problem.start), document.positionAt(problem.end));
  const isHint = problem.reason === "unknown-front-matter";
  const severity = isHint ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, shownLine(describeProblem(problem)), severity);
  diagnostic.source = "Sluice";
  return diagnostic;
}
