/** CodeLenses above the prompts of `*.prompts.md` files, above texts that are edited for a task, and above references to results that are being made. */
import { isRehearsed } from "../../view/taskActions";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Coalescer } from "../../../base/async/serialQueue";
import { systemClock } from "../../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { acceptedOf, hasSucceeded, isOver, isRunning } from "../../../domain/task/phase";
import type { Task, TaskType } from "../../../domain/task/task";
import type { PromptProblem, PromptSettings } from "../../prompts/directives";
import type { FilePrompt, ParsedPrompts, UnreadLines } from "../../prompts/parsePrompts";
import type { TaskBoard } from "../../board/board";
import { plural } from "../../../domain/words/plural";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { type CommandAction, commandOf } from "../tree/taskActionCommands";
import { type CommandId, commands, internalCommands } from "../../../vscode/ids";
import { shownLine } from "../../../vscode/interface/shownText";
import { describeSettings, describeProblem, describeState, modelMisfits } from "../../view/promptWords";
import { registerDroppedImages } from "./droppedImages";
import type { EditedTexts } from "../submit/editedTexts";
import { loadPrompts, submittingFiles } from "../submit/promptAt";

export interface LensOptions {
  readonly board: Pick<TaskBoard, "all" | "onDidChange">;
  readonly editing: EditedTexts;
  /** The task types of the model with that id; `undefined` where the gateway's list of models does not name them. */
  readonly typesOf: (model: string) => readonly TaskType[] | undefined;
  /** Makes VS Code ask for the lenses again. */
  readonly redraw: () => void;
}

/** Milliseconds; all changes within this time are one redraw. */
const redrawDelay = 200;
/** Milliseconds between two requests to redraw, and the most repeats: VS Code drops a request when the editor loses the focus. */
const reminderDelay = 1_000;
const maxReminders = 5;

/** Each kind has its own CodeLens provider. */
const lensKinds = ["prompts", "references"] as const;
type LensKind = (typeof lensKinds)[number];

export class PromptLenses implements vscode.CodeLensProvider, Disposable {
  readonly #options: LensOptions;
  readonly #registrations = new DisposableStore();
  readonly #problems = vscode.languages.createDiagnosticCollection("sluice");
  readonly #referencesChanged = new vscode.EventEmitter<void>();
  /** The lenses that VS Code last got for each open document, as one string. It is asked to redraw only if they differ from the current ones. */
  readonly #shown: Readonly<Record<LensKind, Map<string, string>>> = { prompts: new Map(), references: new Map() };
  /** The tasks of each prompt, the newest last; made with the first lens. */
  #tasks: Map<string, Set<string>> | undefined;
  /** Gathers changes. They do not wait for the reminder, so that a lens is never older than the row of its task. */
  readonly #changes = new Coalescer<"board">({ clock: systemClock, delay: redrawDelay, flush: () => this.#compare() });
  #reminder: AbortController | undefined;
  #reminders = 0;
  /** The parser, which is loaded with the first prompt file. */
  #parse: ((text: string) => ParsedPrompts) | undefined;

  constructor(options: LensOptions) {
    this.#options = options;
    const add = (item: { dispose(): unknown }): void => {
      this.#registrations.add({ dispose: () => void item.dispose() });
    };
    add(this.#problems);
    add(this.#referencesChanged);
    this.#registrations.add(
      registerDroppedImages(({ uri }) => uri.path.endsWith(".prompts.md") || options.editing.partOf(uri) === "prompt"),
    );
    this.#registrations.add(options.board.onDidChange((ids) => this.#onTasks(ids)));
    this.#registrations.add(submittingFiles.onDidChange(() => this.#compareSoon()));
    add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        for (const kind of lensKinds) this.#shown[kind].delete(uri.toString());
        this.#problems.delete(uri);
        options.editing.forget(uri);
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

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { parsePrompts } = await loadPrompts();
    this.#parse = parsePrompts;
    const { prompts, problems, unread } = parsePrompts(document.getText());
    this.#problems.set(document.uri, [
      ...problems.map((problem) => diagnosticOf(document, problem)),
      ...unread
        .filter(({ line }) => problems.every(({ start }) => document.positionAt(start).line !== line))
        .map(hintOf),
      ...modelMisfits(prompts, this.#options.typesOf).map(({ line, lastLine, message }) =>
        createDiagnostic(new vscode.Range(line, 0, lastLine, 1000), message),
      ),
    ]);
    return this.#provided("prompts", document, this.#promptLenses(document, prompts));
  }

  #provided(kind: LensKind, document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
    this.#shown[kind].set(document.uri.toString(), signatureOf(lenses));
    return lenses;
  }

  #promptLenses(document: vscode.TextDocument, prompts: readonly FilePrompt[]): vscode.CodeLens[] {
    const waiting = this.#countWaiting(prompts);
    // Prompts under one heading are adjacent, so the first of them gets the button for all.
    return prompts.flatMap((prompt, at) =>
      this.#lensesOf(
        document.uri,
        prompt,
        prompts[at - 1]?.heading === prompt.heading ? 0 : (waiting.get(prompt.heading) ?? 0),
      ),
    );
  }

  /** The number of variants without a task, by the line of the heading. A single prompt under a heading has its own button and is left out. */
  #countWaiting(prompts: readonly FilePrompt[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const [at, prompt] of prompts.entries()) {
      const { heading } = prompt;
      const missing = prompt.variants.length - this.#tasksOf(prompt).length;
      const isAlone = prompts[at - 1]?.heading !== heading && prompts[at + 1]?.heading !== heading;
      if (missing > 0 && !isAlone) counts.set(heading, (counts.get(heading) ?? 0) + missing);
    }
    return counts;
  }

  #lensesOf(document: vscode.Uri, prompt: FilePrompt, waiting: number): vscode.CodeLens[] {
    const { line, variants } = prompt;
    const place = { document: document.toString(), line };
    const tasks = this.#tasksOf(prompt);
    const [task] = tasks;
    const submit: SubmitLens = (title, only = {}) => lensOf(line, commands.submitPrompt, title, { ...place, ...only });
    const isSubmitting = submittingFiles.has(document.toString());
    const lenses: vscode.CodeLens[] = [];
    // While the file is being submitted, tasks that are not on disk yet would be counted as missing variants.
    if (variants.length > 1 && isSubmitting && task)
      lenses.push(lensOf(line, internalCommands.revealTask, t("Submitting…"), { kind: "task", id: task.intent.id }));
    else if (variants.length > 1) lenses.push(...variantLenses(line, variants.length, tasks, submit));
    else if (task) lenses.push(...this.#stateLenses(line, task, place));
    else if (variants.length === 1) lenses.push(submit(t("Submit")));
    else lenses.push(submit(t("Can't Be Submitted: See Problems")));
    if (tasks.length === 0 && variants.length > 0) lenses.push(submit(t("Rehearse"), { isRehearsal: true }));
    if (tasks.length === 0) lenses.push(lensOf(line, commands.improvePrompt, t("Improve…"), place));
    const applied = describeSettings(settingsOf(prompt, tasks));
    if (applied !== "") lenses.push(wordsLens(line, applied));
    // The button is above the heading, because it submits all prompts under it.
    if (waiting > 1)
      lenses.push(lensOf(prompt.heading, commands.submitPrompt, t("Submit All {0}", waiting), place, "heading"));
    return lenses;
  }

  #stateLenses(line: number, task: Task, place: unknown): vscode.CodeLens[] {
    const { state, action } = describeState(task);
    const row = { kind: "task", id: task.intent.id };
    const lenses = [lensOf(line, internalCommands.revealTask, state, row)];
    if (isRunning(task)) lenses.push(lensOf(line, commands.openTask, taskActionLabel("open-task"), row));
    if (action) lenses.push(actionLens(line, action, row));
    // Submitting again is offered only once there is a result, because until then the person could pay for a second task by mistake.
    if (action !== "open-result") return lenses;
    if (place) lenses.push(lensOf(line, commands.submitPrompt, t("Submit Again"), place));
    lenses.push(actionLens(line, "more", row));
    return lenses;
  }

  #editedLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const part = this.#options.editing.partOf(document.uri);
    if (!part) return [];
    const label = part === "prompt" ? t("Go On with This Prompt") : t("Go On with This Metadata");
    return [lensOf(0, commands.finishEditing, `$(arrow-right) ${label}`, document.uri.toString())];
  }

  /** Lenses above each line that names the file of a result that is being made or has just been made. */
  #referenceLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const own = document.uri.toString();
    const lenses: vscode.CodeLens[] = [];
    let lines: readonly string[] | undefined;
    for (const task of this.#options.board.all.values()) {
      const { destination } = task.intent;
      if (destination?.document !== own) continue;
      const name = destination.file.slice(destination.file.lastIndexOf("/") + 1);
      lines ??= document.getText().split(/\r?\n/);
      const line = lines.findIndex((text) => text.includes(`${name}.`));
      if (line !== -1) lenses.push(...this.#stateLenses(line, task, undefined));
    }
    return lenses;
  }

  /** The tasks of a prompt. For each text the newest come first, and there are at most as many as variants with that text. */
  #tasksOf({ variants }: FilePrompt): readonly Task[] {
    const { all: tasks } = this.#options.board;
    if (this.#tasks === undefined) {
      this.#tasks = new Map();
      for (const { intent } of tasks.values()) addTask(this.#tasks, intent);
    }
    const counts = new Map<string, number>();
    for (const { text } of variants) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts].flatMap(([text, count]) =>
      [...(this.#tasks?.get(text) ?? [])]
        .slice(-count)
        .toReversed()
        .flatMap((id) => tasks.get(id) ?? []),
    );
  }

  /** Redraws the lenses only if what they show has changed, because VS Code moves the text between two draws. */
  #onTasks(ids: ReadonlySet<string>): void {
    const { all: tasks } = this.#options.board;
    for (const id of ids) {
      const intent = tasks.get(id)?.intent;
      if (intent === undefined) this.#tasks = undefined;
      else if (this.#tasks) addTask(this.#tasks, intent);
    }
    this.#compareSoon();
  }

  #compareSoon(): void {
    this.#reminders = 0;
    if (lensKinds.some((kind) => this.#shown[kind].size > 0)) this.#changes.add(["board"]);
  }

  #compare(): void {
    this.#reminder?.abort();
    const changed = lensKinds.filter((kind) =>
      vscode.window.visibleTextEditors.some((editor) => this.#isOld(kind, editor)),
    );
    for (const kind of changed) {
      if (kind === "prompts") this.#options.redraw();
      else this.#referencesChanged.fire();
    }
    if (changed.length === 0 || this.#reminders >= maxReminders) return;
    this.#reminders += 1;
    const reminder = new AbortController();
    this.#reminder = reminder;
    systemClock.delay(reminderDelay, reminder.signal).then(
      () => this.#compare(),
      () => undefined,
    );
  }

  #isOld(kind: LensKind, { document }: vscode.TextEditor): boolean {
    const before = this.#shown[kind].get(document.uri.toString());
    if (before === undefined) return false;
    const now =
      kind === "prompts"
        ? this.#promptLenses(document, this.#parse?.(document.getText()).prompts ?? [])
        : this.#referenceLenses(document);
    return signatureOf(now) !== before;
  }

  dispose(): void {
    this.#changes.dispose();
    this.#reminder?.abort();
    this.#registrations.dispose();
  }
}

function addTask(byPrompt: Map<string, Set<string>>, { prompt, id }: Task["intent"]): void {
  const ids = byPrompt.get(prompt);
  if (ids) ids.add(id);
  else byPrompt.set(prompt, new Set([id]));
}

/** `only`: fields that are added to the place which the command gets. */
type SubmitLens = (title: string, only?: { readonly isFailed?: true; readonly isRehearsal?: true }) => vscode.CodeLens;

/** The lenses of a prompt with several variants: how many have succeeded, and buttons that submit the rest. */
function variantLenses(line: number, count: number, tasks: readonly Task[], submit: SubmitLens): vscode.CodeLens[] {
  const [newest] = tasks;
  if (newest === undefined) return [submit(plural(count, { other: "Submit {0} Variants" }, count))];
  const rehearsed = tasks.filter(isRehearsed);
  const [placeholder] = rehearsed;
  const succeeded = tasks.filter(hasSucceeded).length - rehearsed.length;
  const good = succeeded + rehearsed.length;
  const icon = tasks.some((task) => !isOver(task)) ? "sync" : good === tasks.length ? "check" : "error";
  const words =
    placeholder === undefined
      ? t("{0} of {1} succeeded", succeeded, count)
      : t("{0} of {1} rehearsed", rehearsed.length, count);
  const row = { kind: "task", id: newest.intent.id };
  const missing = count - tasks.length;
  const failed = tasks.filter((task) => isOver(task) && !hasSucceeded(task)).length;
  // While a variant still runs, submitting all again could pay for it twice.
  const isAgain = missing === 0 && succeeded > 0 && placeholder === undefined && tasks.every(isOver);
  return [
    lensOf(line, internalCommands.revealTask, `$(${icon}) ${words}`, row),
    ...(newest.intent.batch === undefined ? [] : [lensOf(line, internalCommands.openBatch, t("Open Batch"), row)]),
    ...(placeholder === undefined ? [] : [actionLens(line, "make-real", { kind: "task", id: placeholder.intent.id })]),
    ...(missing > 0 ? [submit(t("Submit {0} More", missing))] : []),
    ...(failed > 0 ? [submit(t("Submit Again ({0} Without Result)", failed), { isFailed: true })] : []),
    ...(isAgain ? [submit(t("Submit Again (All {0})", count))] : []),
  ];
}

function actionLens(line: number, action: CommandAction, row: unknown): vscode.CodeLens {
  const { command, choice } = commandOf(action);
  return lensOf(line, command, taskActionLabel(action), row, undefined, choice);
}

function lensOf(line: number, command: CommandId, title: string, ...args: readonly unknown[]): vscode.CodeLens {
  const icon = /^\$\([\w~-]+\) /.exec(title)?.[0] ?? "";
  const shown = icon + shownLine(title.slice(icon.length), 100);
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { command, title: shown, arguments: [...args] });
}

/** Shows the settings that apply to a prompt. A lens without a command can't be clicked. */
function wordsLens(line: number, words: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { command: "", title: shownLine(words, 160) });
}

/**
 * The settings of a prompt, with the file that its task was given as the destination. Where several prompts share a destination, the names of their
 * files have numbers that the prompts do not show.
 */
function settingsOf({ settings, variants }: FilePrompt, [task]: readonly Task[]): PromptSettings {
  const { destination } = task?.intent ?? {};
  if (destination === undefined || variants.length > 1) return settings;
  const placement = acceptedOf(task)?.placement;
  const file = placement?.state === "placed" ? placement.file : `${destination.file}${endingOf(settings)}`;
  return { ...settings, destination: vscode.workspace.asRelativePath(vscode.Uri.parse(file)) };
}

/** The ending that the prompt asks for. It is added because the file of a task has none until its result is there. */
function endingOf({ destination = "" }: PromptSettings): string {
  return /\.(?:png|jpe?g|webp|gif|mp4|webm)$/i.exec(destination)?.[0] ?? "";
}

function signatureOf(lenses: readonly vscode.CodeLens[]): string {
  return lenses.map(({ range, command }) => `${range.start.line} ${command?.title ?? ""}`).join("\n");
}

function diagnosticOf(document: vscode.TextDocument, problem: PromptProblem): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(problem.start), document.positionAt(problem.end));
  const isHint = problem.reason === "unused-variable" || problem.reason === "no-heading";
  return createDiagnostic(range, describeProblem(problem), isHint);
}

/** A hint draws dots below the text and no row in the Problems view, because text may be left out on purpose, as a quote is. */
function hintOf({ line, lastLine }: UnreadLines): vscode.Diagnostic {
  const hint = createDiagnostic(
    new vscode.Range(line, 0, lastLine, 1000),
    t("This belongs to no prompt, so nothing is made of it."),
  );
  hint.severity = vscode.DiagnosticSeverity.Hint;
  return hint;
}

function createDiagnostic(range: vscode.Range, message: string, isInformation = false): vscode.Diagnostic {
  const severity = isInformation ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, shownLine(message), severity);
  diagnostic.source = "Sluice";
  return diagnostic;
}
