/** The commands of the review (A16): *Keep* and *Undo* of a hunk, a file and all, moving from hunk to hunk, and the list of files. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../../base/async/systemClock";
import { SerialQueue } from "../../../base/async/serialQueue";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { plural } from "../../../domain/words/plural";
import { type CommandId, commands } from "../../../vscode/ids";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { openFile, peekLines } from "../../../vscode/interface/runCommand";
import {
  confirmAction,
  createPick,
  createSeparator,
  showUntilHidden,
  notifyInformation,
  shownItem,
  type ShownItem,
} from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import { type DocumentHunk, type ListedFile, type Review, tellNoHunk } from "./review";
import { hunkAt } from "./reviewMarks";

export interface ReviewCommandOptions {
  readonly review: Review;
  readonly dialogs: Dialogs;
  /** The address of a file's text without the undecided changes of that chat. */
  readonly formerUri: (path: string, chat: string) => vscode.Uri;
  /** Opens everything undecided in VS Code's editor of several diffs. */
  readonly showDiffs: (files: readonly ListedFile[]) => Promise<unknown>;
}

export function registerReviewCommands(options: ReviewCommandOptions): Disposable {
  const { review, dialogs } = options;
  const store = new DisposableStore();
  // A person who presses two keys quickly means the second one for where the first one leads, which is known only later.
  const queue = new SerialQueue();
  const inOrder = (id: CommandId, run: (args: readonly unknown[]) => Promise<void>): void => {
    store.add(dialogs.register(id, (...args) => queue.run(() => run(args))));
  };
  const decideHunk = async (args: readonly unknown[], isKept: boolean): Promise<void> => {
    const found = await findHunk(review, args);
    if (found === undefined) tellNoHunk();
    else await review.decide(found.document, found.hunk, isKept);
  };
  const decideFile = async (args: readonly unknown[], isKept: boolean): Promise<void> => {
    const [uri = vscode.window.activeTextEditor?.document.uri] = args;
    if (uri instanceof vscode.Uri) await review.decideFile(uri.fsPath, isKept);
  };
  inOrder(commands.keepHunk, (args) => decideHunk(args, true));
  inOrder(commands.undoHunk, (args) => decideHunk(args, false));
  store.add(dialogs.register(commands.keepFile, (...args) => decideFile(args, true)));
  store.add(dialogs.register(commands.undoFile, (...args) => decideFile(args, false)));
  inOrder(commands.nextHunk, () => goToHunk(review, 1));
  inOrder(commands.previousHunk, () => goToHunk(review, -1));
  store.add(
    dialogs.register(commands.showChanges, async (...args) => {
      const found = typeof args[1] === "string" ? await findHunk(review, args) : undefined;
      // A keybinding may pass `diff`, which skips the list.
      if (args.includes("diff")) await options.showDiffs(await review.list());
      else if (found?.hunk.chat === undefined) await showList(options);
      else await showFormer(options, found.document, found.hunk, found.hunk.chat);
    }),
  );
  return store;
}

export async function keepAll(review: Review): Promise<void> {
  const { paths } = review;
  if (paths.length === 0) tellNothing();
  for (const path of paths) await review.decideFile(path, true);
}

/** After a question, undoes the undecided changes of all files. */
export async function undoAll(review: Review): Promise<void> {
  const paths = [...new Set((await review.list()).map(({ path }) => path))];
  const question = plural(paths.length, {
    one: "Undo all changes by Sluice in 1 file?",
    other: "Undo all changes by Sluice in {0} files?",
  });
  if (paths.length === 0) tellNothing();
  else if (await confirmAction(question, t("Undo"), t("What you have written stays.")))
    for (const path of paths) await review.decideFile(path, false);
}

interface FoundHunk {
  readonly document: vscode.TextDocument;
  readonly hunk: DocumentHunk;
}

/** Finds the hunk of the lens or hover that was pressed, otherwise the hunk at the cursor. */
async function findHunk(review: Review, [uri, line]: readonly unknown[]): Promise<FoundHunk | undefined> {
  const editor = vscode.window.activeTextEditor;
  const isGiven = typeof uri === "string" && typeof line === "string";
  const document = isGiven
    ? vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri)
    : editor?.document;
  if (document === undefined) return undefined;
  const hunks = await review.hunksIn(document);
  const hunk = isGiven
    ? hunks.find(({ start }) => start === Number(line))
    : hunkAt(hunks, editor?.selection.active.line ?? -1);
  return hunk && { document, hunk };
}

/** Goes to the next hunk after the cursor, or the previous one before it. After the last hunk of a file follows the first one of the next file. */
async function goToHunk(review: Review, step: 1 | -1): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const hunks = editor ? await review.hunksIn(editor.document) : [];
  const line = editor?.selection.active.line ?? -1;
  const next =
    step > 0
      ? hunks.find(({ start }) => start > line)
      : hunks.findLast(({ start, end }) => Math.max(start + 1, end) <= line);
  if (editor && next) {
    await reveal(editor, next);
    return;
  }
  const files = (await review.list()).filter(({ hunks: { length } }) => length > 0);
  const paths = [...new Set(files.map(({ path }) => path))];
  if (paths.length === 0) {
    tellNothing();
    return;
  }
  const at = paths.indexOf(editor?.document.uri.fsPath ?? "");
  const path = paths.at((at < 0 && step < 0 ? 0 : at + step) % paths.length) ?? "";
  const shown = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
  const others = await review.hunksIn(shown.document);
  const other = others.at(step > 0 ? 0 : -1);
  if (other) await reveal(shown, other);
}

/** The most milliseconds to wait until VS Code tells of a move of the cursor. */
const arrivalLimit = 300;

/**
 * Puts the cursor on the hunk, and resolves once VS Code has told of it. Until then it may tell of an earlier place, as for a file that was just opened,
 * and the key that is pressed next would act there.
 */
async function reveal(editor: vscode.TextEditor, { start }: DocumentHunk): Promise<void> {
  const line = Math.min(start, editor.document.lineCount - 1);
  const target = new vscode.Selection(line, 0, line, 0);
  // VS Code tells of no move to where the cursor is already.
  const isThere = editor.selection.isEqual(target);
  const listening = new DisposableStore();
  const arrived = new Promise<void>((resolve) => {
    listening.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor === editor && selections[0]?.active.line === line) resolve();
      }),
    );
  });
  editor.selection = target;
  editor.revealRange(target, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (!isThere) await Promise.race([arrived, systemClock.delay(arrivalLimit)]);
  listening.dispose();
}

/** Opens VS Code's peek view of the former text, at the lines that were removed. */
async function showFormer(
  { formerUri }: ReviewCommandOptions,
  document: vscode.TextDocument,
  { start, formerStart, removed }: DocumentHunk,
  chat: string,
): Promise<void> {
  const line = Math.min(start, document.lineCount - 1);
  const last = formerStart + removed.length - 1;
  const range = new vscode.Range(
    formerStart,
    0,
    last,
    (removed.at(-1) ?? "").replace(/(?<![\r\n])[\r\n]+$/u, "").length,
  );
  await peekLines(document.uri, new vscode.Position(line, 0), formerUri(document.uri.fsPath, chat), range);
}

type FileItem = ShownItem & { readonly open?: () => Promise<unknown> };

/** *Show Changes by Sluice*: the files with something to decide, with their counts. Enter opens a file at its first hunk. */
async function showList(options: ReviewCommandOptions): Promise<void> {
  const { review } = options;
  if ((await review.list()).length === 0) {
    tellNothing();
    return;
  }
  const pick = createPick<FileItem>();
  pick.title = shownLine(t("Changes by Sluice"));
  pick.placeholder = shownLine(t("What is to be kept or undone. Enter opens a file at its first change."));
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const read = async (): Promise<readonly FileItem[]> => {
    const files = await review.list();
    if (files.length === 0) return [];
    return [...files.map((file) => itemOf(options, file)), createSeparator(""), ...actionItems(options, files)];
  };
  await showUntilHidden(pick, read, review.onDidChange, [
    pick.onDidAccept(() => {
      const { open } = pick.activeItems[0] ?? {};
      pick.hide();
      void open?.();
    }),
  ]);
}

function actionItems({ review, showDiffs }: ReviewCommandOptions, files: readonly ListedFile[]): FileItem[] {
  return [
    { ...shownItem({ label: t("Open All in a Diff"), icon: "go-to-file" }), open: () => showDiffs(files) },
    { ...shownItem({ label: t("Keep All"), icon: "check" }), open: () => keepAll(review) },
    { ...shownItem({ label: t("Undo All…"), icon: "discard" }), open: () => undoAll(review) },
  ];
}

function itemOf({ review }: ReviewCommandOptions, file: ListedFile): FileItem {
  const { path, label, hunks } = file;
  const decide = (isKept: boolean) => () => void review.decideFile(path, isKept);
  const buttons = [
    { icon: "check", tooltip: t("Keep File"), press: decide(true) },
    { icon: "discard", tooltip: t("Undo File"), press: decide(false) },
  ] as const;
  const open = async (): Promise<void> => {
    const [first] = hunks;
    await openFile(path, first === undefined ? undefined : first.start + 1);
  };
  return { ...shownItem({ label, description: describeCounts(file), buttons }), open };
}

function describeCounts({ hunks, before, changes }: ListedFile): string {
  if (hunks.length === 0) {
    if (changes.some(({ to }) => to !== undefined)) return t("renamed");
    const isGone = changes.findLast(({ to }) => to === undefined)?.after === undefined;
    return isGone ? t("deleted") : before === undefined ? t("new") : t("changed");
  }
  const added = hunks.reduce((sum, { start, end }) => sum + end - start, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  return plural(
    hunks.length,
    { one: "1 change · +{1} −{2}", other: "{0} changes · +{1} −{2}" },
    hunks.length,
    added,
    removed,
  );
}

function tellNothing(): void {
  void notifyInformation(t("Nothing that Sluice has changed is left to keep or undo."));
}
