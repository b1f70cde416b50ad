/**
 * Shows undecided changes in editors (A16): added lines are tinted, a line marks where lines were removed, *Keep* and *Undo* are above each hunk, and
 * a hover shows the former lines.
 */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Coalescer } from "../../../base/async/serialQueue";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { commands, contextKeys } from "../../../vscode/ids";
import { setContext } from "../../../vscode/interface/runCommand";
import { createChangeHover, createLens } from "../../../vscode/interface/show";
import type { DocumentHunk, Review } from "./review";

/** Milliseconds after a change until the marks are drawn again. VS Code moves the old ones meanwhile. */
const drawDelay = 120;
/** The maximum number of lines of a hunk in its hover. */
const maxHoverLines = 60;

export interface ReviewMarksOptions {
  readonly review: Review;
  readonly clock: Clock;
  /** Whether the person can ask the model for more about the lines of that hunk. */
  readonly canSayMore: (document: vscode.TextDocument, hunk: DocumentHunk) => boolean;
}

export class ReviewMarks implements Disposable {
  readonly #options: ReviewMarksOptions;
  readonly #store = new DisposableStore();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  /** Themes of high contrast define only this border and no background. */
  readonly #added = createMark({
    borderWidth: "1px",
    borderColor: "diffEditor.insertedTextBorder",
    ruler: "editorGutter.addedBackground",
    background: "diffEditor.insertedLineBackground",
  });
  readonly #removedAbove = createMark({ ...removedLine, borderWidth: "2px 0 0 0" });
  readonly #removedBelow = createMark({ ...removedLine, borderWidth: "0 0 2px 0" });
  readonly #draws: Coalescer<"all">;
  /** The editors that have marks. */
  readonly #marked = new WeakSet<vscode.TextEditor>();
  /** Registered only while there is something to decide, so that VS Code requests no lenses and hovers otherwise. */
  #providers: vscode.Disposable | undefined;
  #listed = "";

  constructor(options: ReviewMarksOptions) {
    this.#options = options;
    this.#draws = this.#store.add(
      new Coalescer<"all">({ clock: options.clock, delay: drawDelay, flush: () => void this.#drawAll() }),
    );
    for (const mark of [this.#added, this.#removedAbove, this.#removedBelow, this.#lensesChanged])
      this.#store.add(mark);
    this.#store.add({ dispose: () => void this.#providers?.dispose() });
    this.#store.add(options.review.onDidChange(() => this.#follow()));
    this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => void this.#drawAll()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (options.review.has(document)) this.#draws.add(["all"]);
      }),
    );
    this.#follow();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #follow(): void {
    const { paths } = this.#options.review;
    if (paths.length > 0) this.#providers ??= this.#provide();
    else {
      this.#providers?.dispose();
      this.#providers = undefined;
    }
    this.#draws.add(["all"]);
  }

  #provide(): vscode.Disposable {
    const documents = { pattern: "**" };
    return vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider(documents, {
        onDidChangeCodeLenses: this.#lensesChanged.event,
        provideCodeLenses: async (document) => this.#lensesOf(document, await this.#options.review.hunksIn(document)),
      }),
      vscode.languages.registerHoverProvider(documents, {
        provideHover: async (document, { line }) => {
          const hunk = hunkAt(await this.#options.review.hunksIn(document), line);
          return hunk && hoverOf(document, hunk);
        },
      }),
    );
  }

  async #drawAll(): Promise<void> {
    const { review } = this.#options;
    const decided = new Set<string>();
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      // The editors inside an editor of several diffs have no column. Their new lines are marked by the diff itself.
      if (editor.viewColumn === undefined) continue;
      if (!review.has(document) && !this.#marked.has(editor)) continue;
      const { version } = document;
      const hunks = await review.hunksIn(document);
      // The document has changed meanwhile, and another draw follows for the newer text.
      if (document.version !== version) continue;
      this.#draw(editor, hunks);
      if (hunks.length === 0) decided.add(document.uri.fsPath);
    }
    this.#lensesChanged.fire();
    // A shown file without hunks has nothing left to decide, for example because the person reverted the change in the editor.
    const paths = review.paths.filter((path) => !decided.has(path));
    const listed = JSON.stringify(paths);
    if (listed === this.#listed) return;
    this.#listed = listed;
    await setContext(contextKeys.changedFiles, paths);
    await setContext(contextKeys.hasChanges, paths.length > 0);
  }

  #draw(editor: vscode.TextEditor, hunks: readonly DocumentHunk[]): void {
    const { lineCount } = editor.document;
    const lines = (start: number, end: number): vscode.Range => new vscode.Range(start, 0, Math.max(start, end - 1), 0);
    // Only hunks without lines of their own get a mark. For the others the lens states how many lines were removed.
    const removed = hunks.filter(({ start, end }) => start === end);
    const isAtEnd = ({ start }: DocumentHunk): boolean => start >= lineCount;
    editor.setDecorations(
      this.#added,
      hunks.flatMap(({ start, end }) => (start < end ? [lines(start, end)] : [])),
    );
    editor.setDecorations(
      this.#removedAbove,
      removed.flatMap((hunk) => (isAtEnd(hunk) ? [] : [lines(hunk.start, hunk.start)])),
    );
    editor.setDecorations(
      this.#removedBelow,
      removed.flatMap((hunk) => (isAtEnd(hunk) ? [lines(lineCount - 1, lineCount - 1)] : [])),
    );
    if (hunks.length > 0) this.#marked.add(editor);
    else this.#marked.delete(editor);
  }

  #lensesOf(document: vscode.TextDocument, hunks: readonly DocumentHunk[]): vscode.CodeLens[] {
    const uri = document.uri.toString();
    const last = document.lineCount - 1;
    return hunks.flatMap((hunk, at) => {
      const line = Math.min(hunk.start, last);
      const args = [uri, String(hunk.start)];
      const added = hunk.end - hunk.start;
      const removed = hunk.removed.length;
      const counts = t("{0} of {1} · +{2} −{3}", at + 1, hunks.length, added, removed);
      // Also for a screen reader, which does not read the signs alike.
      const inWords = t(
        "Change {0} of {1}. Lines added: {2}. Lines removed: {3}.",
        at + 1,
        hunks.length,
        added,
        removed,
      );
      const more = this.#options.canSayMore(document, hunk);
      return [
        createLens(line, t("Keep"), commands.keepHunk, args),
        createLens(line, t("Undo"), commands.undoHunk, args),
        ...(more ? [createLens(line, t("Say More…"), commands.sayMoreToEdit, args)] : []),
        createLens(line, counts, commands.showChanges, removed > 0 ? args : [], inWords),
      ];
    });
  }
}

/** The width of the border, and names of theme colours. */
interface MarkColors {
  readonly borderWidth: string;
  readonly borderColor: string;
  readonly ruler: string;
  readonly background?: string;
}

const removedLine = { borderColor: "editorGutter.deletedBackground", ruler: "editorGutter.deletedBackground" };

function createMark(colors: MarkColors): vscode.TextEditorDecorationType {
  const { borderWidth, borderColor, ruler, background } = colors;
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: "solid",
    borderWidth,
    borderColor: new vscode.ThemeColor(borderColor),
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...(background === undefined ? {} : { backgroundColor: new vscode.ThemeColor(background) }),
  });
}

/** The hunk that contains the line, or whose removed lines were next to it. */
export function hunkAt(hunks: readonly DocumentHunk[], line: number): DocumentHunk | undefined {
  return (
    hunks.find(({ start, end }) => line >= start && line < end) ??
    hunks.find(({ start, end }) => start === end && (line === start || line === start - 1))
  );
}

function hoverOf(document: vscode.TextDocument, hunk: DocumentHunk): vscode.Hover {
  const { start, end, removed } = hunk;
  const lastLine = Math.min(Math.max(start, end - 1), document.lineCount - 1);
  const added = Array.from(
    { length: end - start },
    (_, at) => document.lineAt(Math.min(start + at, document.lineCount - 1)).text,
  );
  const lines = [
    ...removed.map((line) => `-${line.replace(/(?<![\r\n])[\r\n]+$/u, "")}`),
    ...added.map((line) => `+${line}`),
  ];
  const args = [document.uri.toString(), String(start)];
  return createChangeHover(
    lines.slice(0, maxHoverLines),
    [
      { title: t("Keep"), command: commands.keepHunk, args },
      { title: t("Undo"), command: commands.undoHunk, args },
    ],
    new vscode.Range(Math.min(start, lastLine), 0, lastLine, document.lineAt(lastLine).text.length),
  );
}
