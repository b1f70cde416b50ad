/**
 * *Edit Selection*: the model rewrites the selected lines in their document while the person watches. They are kept or undone like any change of a
 * model (V7, A16).
 */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { abortable, isAbort } from "../../../base/async/abort";
import { SerialQueue } from "../../../base/async/serialQueue";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type ChangedMiddle, changedMiddle } from "../../../base/text/changedMiddle";
import { moveRange, replaceRange, type TextRange } from "../../../base/text/trackedRange";
import { arrivingText, type EditedPlace, editRequest, linesIn, type EditExchange } from "../../request/editRequest";
import { streamText } from "../../../gateway/textRequest";
import {
  changedByModel,
  changedByPerson,
  decidedRows,
  textAfterUndo,
  type ReviewRows,
  withEditsOfPerson,
} from "../../undo/reviewRows";
import type { Connections, Log } from "../../../domain/ports";
import { describeFailure } from "../../../domain/words/describeAnswer";
import { plural } from "../../../domain/words/plural";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import { isSecretPath } from "../../../tools/gate/sensitiveNames";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { confirmAction, askText, notifyInformation, notifyWarning, showProgress } from "../../../vscode/interface/show";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { addReplacement } from "../../../vscode/replaceText";
import { type ArrivingText, type DocumentHunk, type Review } from "./review";

export interface EditSelectionOptions {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly review: Pick<Review, "begin">;
  readonly dialogs: Dialogs;
  readonly clock: Clock;
  readonly log: Log;
}

const chatView = "sluice.chat";
/** Milliseconds between two updates of the document while the model writes. Language services process each update as a change. */
const updateGap = 120;
const maxWishLength = 10_000;
/** The number of edits that are kept for *Say More…*; a new edit drops the oldest one. */
const maxEdits = 20;

/** The answer of the model, or the reason why there was no request. */
type Made = Awaited<ReturnType<typeof streamText>> | "no-model" | "too-long";

export class SelectionEdits implements Disposable {
  readonly #options: EditSelectionOptions;
  readonly #store = new DisposableStore();
  readonly #open = new Map<string, OpenEdit>();

  constructor(options: EditSelectionOptions) {
    this.#options = options;
    this.#store.add(vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        // Changes of a closed document are not followed, so its edits end.
        for (const edit of this.#open.values()) if (edit.document === document) this.#end(edit.id);
      }),
    );
  }

  dispose(): void {
    for (const id of [...this.#open.keys()]) this.#end(id);
    this.#store.dispose();
  }

  /** `args`: the document and range of the light bulb, and the wish. Without them, the active editor is used and the person is asked. */
  async begin([uri, given, wanted]: readonly unknown[]): Promise<void> {
    const editor = targetEditor();
    const document = uri instanceof vscode.Uri ? await vscode.workspace.openTextDocument(uri) : editor?.document;
    const range = given instanceof vscode.Range ? given : editor?.selection;
    if (document === undefined || range === undefined) {
      void notifyWarning(t("No text is open in an editor: open the code first."));
      return;
    }
    const path = vscode.workspace.asRelativePath(document.uri);
    if (vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false) {
      void notifyWarning(t("{0} can't be written, so nothing of it can be edited.", path));
      return;
    }
    const lines = wholeLines(document, document.validateRange(range));
    const id = randomUUID();
    const selected = document.getText().slice(lines.start, lines.end);
    const shared = { id, document, range: lines, selected, place: editedPlace(document, lines, path) };
    const edit: OpenEdit = { ...shared, exchanges: [], queue: new SerialQueue(), ended: new AbortController() };
    // The edit follows what is typed from here on, also while the person is asked.
    this.#open.set(id, edit);
    const wish = await wishFor(edit.place, wanted);
    if (wish === undefined || !this.#isUnchanged(edit)) {
      this.#end(id);
      return;
    }
    edit.place = editedPlace(document, edit.range, path);
    for (const id of [...this.#open.keys()].slice(0, -maxEdits)) this.#end(id);
    await this.#write(edit, wish);
  }

  /** Whether the lines still read as they were selected. If not, a warning says why nothing is sent. */
  #isUnchanged(edit: OpenEdit): boolean {
    if (isAsSelected(edit)) return true;
    const { path } = edit.place;
    void notifyWarning(t("These lines of {0} were changed meanwhile. Nothing was sent: select them again.", path));
    return false;
  }

  canSayMore(document: vscode.TextDocument, { start, end, arriving }: DocumentHunk): boolean {
    return arriving === undefined && this.#editAt(document, start, end) !== undefined;
  }

  /** Has the model continue from what it wrote. `args`: the document and line of the lens. */
  async sayMore([uri, line]: readonly unknown[]): Promise<void> {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
    const edit = document && this.#editAt(document, Number(line), Number(line));
    if (edit === undefined || this.#isBusy(edit)) return;
    const wish = await askWish(edit.place);
    if (wish === undefined || wish.trim() === "" || this.#isBusy(edit)) return;
    await this.#write(edit, wish);
  }

  #editAt(document: vscode.TextDocument, start: number, end: number): OpenEdit | undefined {
    return [...this.#open.values()].findLast((edit) => {
      if (edit.document !== document || edit.exchanges.length === 0) return false;
      const first = document.positionAt(edit.range.start).line;
      const last = document.positionAt(edit.range.end).line;
      return start <= last && Math.max(start, end - 1) >= first;
    });
  }

  /** Has the model write. If the request fails, what it wrote is removed again. */
  async #write(edit: OpenEdit, wish: string): Promise<void> {
    const ended = new AbortController();
    const arriving = await this.#options.review.begin(edit.document, () => ended.abort());
    if (arriving === undefined) return;
    const start = textOf(edit);
    const writing: Writing = { arriving, ended, start, written: start, rows: decidedRows(start) };
    edit.writing = writing;
    const end = await this.#request(edit, writing, wish).then(
      (made) => () => this.#take(edit, writing, wish, made),
      (failure: unknown) => async () => {
        await this.#put(edit, writing, writing.start);
        return () => this.#showFailure(edit, wish, failure);
      },
    );
    const tell = await end();
    await edit.queue.idle();
    delete edit.writing;
    await arriving.end(() => formerText(edit, writing));
    // Messages are shown only after the last change of the document.
    await tell?.();
  }

  /** Requests the lines, and draws them as they arrive. */
  #request(edit: OpenEdit, writing: Writing, wish: string): Promise<Made> {
    const { connections, models, log } = this.#options;
    const count = countLines(edit.selected);
    const title = plural(count, { one: "Editing 1 line", other: "Editing {0} lines" }, count);
    return showProgress(chatView, title, async (cancelled) => {
      const signal = AbortSignal.any([cancelled, edit.ended.signal, writing.ended.signal]);
      const { gateway } = await connections.ready(signal);
      const model = await abortable(models.chatModel(), signal);
      if (!model) return "no-model";
      const request = editRequest(model, edit.place, edit.exchanges, wish);
      if (request === undefined) return "too-long";
      const draw = this.#drawing(edit, writing, signal);
      const answer = await streamText(gateway, request, signal, draw.add);
      signal.throwIfAborted();
      log.info("A selection was edited.", { model: model.id, ...answer.tokens });
      return answer;
    });
  }

  /** Resolves with a function that shows the message for the person, or with `undefined` for none. */
  async #take(edit: OpenEdit, writing: Writing, wish: string, made: Made): Promise<(() => unknown) | undefined> {
    const lines = typeof made === "string" ? undefined : linesIn(made.text, edit.selected);
    if (typeof made === "string" || lines === undefined) {
      await this.#put(edit, writing, writing.start);
      if (made === "too-long") return () => notifyWarning(t("These lines are too many for the model: select fewer."));
      if (made !== "no-model") return () => notifyWarning(t("The model wrote no lines."));
      const problem = describeFailure({ failure: { type: "no-model" }, blocks: [] });
      return problem && (() => this.#options.dialogs.showError(problem));
    }
    edit.exchanges.push({ wish, answer: made.text });
    await this.#put(edit, writing, withLineEnds(lines, edit));
    if (made.isWhole) return undefined;
    return () => notifyWarning(t("The new lines may be cut: the answer did not come to its end."));
  }

  async #showFailure(edit: OpenEdit, wish: string, failure: unknown): Promise<void> {
    if (edit.ended.signal.aborted || isAbort(failure)) return;
    await this.#options.dialogs.showFailure(failure, "chat", () => {
      if (!this.#isBusy(edit)) void this.#write(edit, wish);
    });
  }

  #drawing(edit: OpenEdit, writing: Writing, signal: AbortSignal): { readonly add: (piece: string) => void } {
    let text = "";
    let isDue = false;
    const draw = (): void => {
      isDue = false;
      const lines = linesIn(text, edit.selected);
      if (lines !== undefined && edit.writing === writing && !signal.aborted)
        void this.#put(edit, writing, withLineEnds(arrivingText(writing.start, lines), edit));
    };
    return {
      add: (piece) => {
        text += piece;
        if (isDue) return;
        isDue = true;
        this.#options.clock.delay(updateGap, signal).then(draw, () => undefined);
      },
    };
  }

  /** Replaces what was written last by `next`. What the person has typed into these lines stays. */
  #put(edit: OpenEdit, writing: Writing, next: string): Promise<void> {
    return edit.queue.run(async () => {
      const { document } = edit;
      // An edit fails if the person types at that moment, so it is tried five times.
      for (let tries = 0; tries < 5 && this.#open.has(edit.id) && !document.isClosed; tries += 1) {
        const now = textOf(edit);
        const target = withEditsOfPerson(writing.written, now, next);
        const rows = changedByModel(changedByPerson(writing.rows, now), target);
        if (target !== now && !(await replaceIn(edit, changedMiddle(now, target)))) continue;
        writing.written = next;
        writing.rows = rows;
        writing.arriving.show(formerText(edit, writing));
        return;
      }
    });
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    for (const edit of this.#open.values()) {
      if (contentChanges.length === 0 || edit.document !== document) continue;
      // VS Code lists the changes from the end of the document to its start, with offsets in the text before all of them.
      for (const { rangeOffset, rangeLength, text } of contentChanges) {
        const { own } = edit;
        if (own?.start === rangeOffset && own.removed === rangeLength && own.inserted === text) {
          edit.range = { ...edit.range, end: edit.range.end + text.length - rangeLength };
          delete edit.own;
        } else {
          const change = { start: rangeOffset, removed: rangeLength, inserted: text };
          edit.range = moveRange(edit.range, change);
          if (own) edit.own = { ...own, start: own.start + (rangeOffset < own.start ? text.length - rangeLength : 0) };
        }
      }
    }
  }

  #isBusy(edit: OpenEdit): boolean {
    if (edit.writing) void notifyInformation(t("The model is still writing. Undo ends it."));
    return edit.writing !== undefined || !this.#open.has(edit.id);
  }

  #end(id: string): void {
    this.#open.get(id)?.ended.abort();
    this.#open.delete(id);
  }
}

/** `undefined` where the person cancels. */
async function wishFor(place: EditedPlace, wanted: unknown): Promise<string | undefined> {
  const wish = typeof wanted === "string" ? wanted : await askWish(place);
  if (wish === undefined || wish.trim() === "") return undefined;
  const { path } = place;
  return !isSecretPath(path) || (await confirmAction(t("Send {0} to the model?", path), t("Send"))) ? wish : undefined;
}

async function askWish({ path, selected }: EditedPlace): Promise<string | undefined> {
  const count = countLines(selected);
  const prompt =
    selected === ""
      ? t("What should be written here?")
      : plural(count, { one: "What should become of 1 line?", other: "What should become of {0} lines?" }, count);
  return askText({ title: t("Edit {0}", path), prompt, value: "", longest: maxWishLength });
}

const countLines = (text: string): number => text.split("\n").length;

/** One edited range: what is rewritten, and where it is by now. */
interface OpenEdit {
  readonly id: string;
  readonly document: vscode.TextDocument;
  /** The range of whole lines. It moves while the person types elsewhere. */
  range: TextRange;
  /** The text of the lines when they were selected. */
  readonly selected: string;
  place: EditedPlace;
  readonly exchanges: EditExchange[];
  readonly queue: SerialQueue;
  readonly ended: AbortController;
  writing?: Writing;
  /** A change of these lines that was made here and that VS Code has not reported yet. */
  own?: { readonly start: number; readonly removed: number; readonly inserted: string };
}

/** One answer that arrives in the lines. */
interface Writing {
  readonly arriving: ArrivingText;
  readonly ended: AbortController;
  /** The text of the lines before this answer. */
  readonly start: string;
  /** The text that the model has written, without what the person typed into it. */
  written: string;
  rows: ReviewRows;
}

const textOf = ({ document, range }: OpenEdit): string => document.getText().slice(range.start, range.end);

/** The current text of the document without what the model writes. */
function formerText(edit: OpenEdit, { rows }: Writing): string {
  const { document, range } = edit;
  return replaceRange(document.getText(), range, textAfterUndo(changedByPerson(rows, textOf(edit))));
}

/** Replaces text in the document. A visible editor gets no undo stop, so that one undo there reverts the whole answer. */
async function replaceIn(edit: OpenEdit, { start, end, text }: ChangedMiddle): Promise<boolean> {
  const { document, range } = edit;
  const place = { start: range.start + start, end: range.start + end };
  edit.own = { start: place.start, removed: end - start, inserted: text };
  const replaced = new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  try {
    if (editor) {
      const options = { undoStopBefore: false, undoStopAfter: false };
      return await editor.edit((change) => change.replace(replaced, text), options);
    }
    const change = new vscode.WorkspaceEdit();
    addReplacement(change, document.uri, replaced, text);
    return await vscode.workspace.applyEdit(change);
  } catch {
    return false;
  } finally {
    delete edit.own;
  }
}

function isAsSelected(edit: OpenEdit): boolean {
  return textOf(edit) === edit.selected;
}

/** The range from the start of the first line to the end of the last one, without its line end. It is empty for a cursor in an empty line. */
function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): TextRange {
  // A selection that ends before the first character of a line does not include that line.
  const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
  return {
    start: document.offsetAt(start.with({ character: 0 })),
    end: document.offsetAt(document.lineAt(last).range.end),
  };
}

function editedPlace(document: vscode.TextDocument, { start, end }: TextRange, path: string): EditedPlace {
  const text = document.getText();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter((one) => one.range.intersection(range) !== undefined)
    .slice(0, 20)
    .map(({ message, range: { start: at } }) => `line ${at.line - range.start.line + 1}: ${message.slice(0, 500)}`);
  const selected = text.slice(start, end);
  const parts = {
    selected: selected.trim() === "" ? "" : selected,
    before: text.slice(0, start),
    after: text.slice(end),
  };
  return { path, language: document.languageId, ...parts, problems };
}

/** Converts the line ends to those of the document, and drops a last line end that the selected lines do not have. */
function withLineEnds(lines: string, { document, selected }: OpenEdit): string {
  const bare = selected.endsWith("\n") ? lines : lines.replace(/\r?\n$/, "");
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  return bare.replace(/\r\n|\r|\n/g, lineEnd);
}
