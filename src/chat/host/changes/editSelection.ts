/** *Edit Selection*: the model rewrites the selected lines in a diff of the file, which the buttons of its title accept, discard or ask for more (V7, A5). */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { abortable, isAbort } from "../../../base/async/abort";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { moveRange, replaceRange, type TextRange } from "../../../base/text/trackedRange";
import { arrivingText, type EditedPlace, editRequest, linesIn, type EditExchange } from "../../request/editRequest";
import { streamText } from "../../request/textRequest";
import type { ChangeLedgers } from "../../undo/changeLedger";
import type { Connections, Log } from "../../../domain/ports";
import { ToolRefusal } from "../../../domain/tools/tool";
import { isWithoutLinks } from "../../../tools/gate/heldFiles";
import { describeFailure } from "../../../domain/words/describeAnswer";
import { plural } from "../../../domain/words/plural";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import { isSecretPath } from "../../../tools/gate/sensitiveNames";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { askBefore, askText, notifyInformation, notifyWarning, showProgress } from "../../../vscode/interface/show";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { createProposalDocuments, type ProposalDocuments } from "./proposalDocuments";

export interface EditSelectionPorts {
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly ledgers: ChangeLedgers;
  /** The chat in whose *Changes by Sluice* an accepted edit is listed. */
  readonly chat: () => string;
  readonly dialogs: Dialogs;
  readonly clock: Clock;
  readonly log: Log;
}

const scheme = "sluice-edit";
const chatView = "sluice.chat";
/** Milliseconds between two updates of the diff while the model writes: VS Code compares the whole file each time. */
const updateGap = 120;
const maxWishLength = 10_000;

/** What the model wrote, or why it was not asked. */
type Made = Awaited<ReturnType<typeof streamText>> | "no-model" | "too-long";

export class SelectionEdits implements Disposable {
  readonly #ports: EditSelectionPorts;
  readonly #store = new DisposableStore();
  /** The ids of those that are being written into their document. */
  readonly #accepting = new Set<string>();
  readonly #documents: ProposalDocuments;
  readonly #open = new Map<string, OpenEdit>();

  constructor(ports: EditSelectionPorts) {
    this.#ports = ports;
    this.#documents = this.#store.add(createProposalDocuments(scheme));
    this.#store.add(vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) void this.#offerAgain(uri.query);
      }),
    );
  }

  dispose(): void {
    for (const id of [...this.#open.keys()]) this.#end(id);
    this.#store.dispose();
  }

  /** `args`: the document and range of the light bulb, what is wanted, and that in a few words; without, the active editor, and the person is asked. */
  async begin([uri, given, wanted, inShort]: readonly unknown[]): Promise<void> {
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
    const edit: OpenEdit = { ...shared, heading: path, exchanges: [], isWriting: false, ended: new AbortController() };
    // From here on it follows what is typed, also while the person is asked.
    this.#open.set(id, edit);
    const wish = await wishFor(edit.place, wanted);
    if (wish === undefined || !this.#isUnchanged(edit)) {
      this.#end(id);
      return;
    }
    edit.place = editedPlace(document, edit.range, path);
    edit.heading = t("{0}: {1}", path, typeof inShort === "string" ? inShort : wish);
    await this.#show(edit);
    await this.#write(edit, wish);
  }

  #show(edit: OpenEdit): Promise<void> {
    const { id, document, place, heading: title } = edit;
    return this.#documents.open(id, { file: document.uri, path: place.path, after: textWith(edit), title });
  }

  /** After its diff was closed without an answer: stops a model that still writes; else offers to open the diff with the written lines again. */
  async #offerAgain(id: string): Promise<void> {
    const edit = this.#open.get(id);
    if (edit?.lines === undefined || edit.isWriting) {
      this.#end(id);
      return;
    }
    const again = t("Show Again");
    const said = t("The edit of {0} was closed and has changed nothing.", edit.place.path);
    const answer = await notifyInformation(said, again);
    if (answer === again && this.#open.has(id) && (await this.#reopen(edit))) await this.#show(edit);
    else this.#end(id);
  }

  /** What becomes of a file that nothing shows is not followed: its lines may be elsewhere by now. False after a message why it can't go on. */
  async #reopen(edit: OpenEdit): Promise<boolean> {
    const { document: closed, selected } = edit;
    if (!closed.isClosed) return true;
    try {
      edit.document = await vscode.workspace.openTextDocument(closed.uri);
    } catch {
      void notifyWarning(t("{0} can't be read.", edit.place.path));
      return false;
    }
    // Where nothing was selected, only the whole text shows that the place is the same.
    const isSame = selected === "" ? edit.document.getText() === closed.getText() : isAsSelected(edit);
    if (isSame) return true;
    await this.#offerCopy(edit);
    return false;
  }

  /** Whether the lines are as they were selected. If not, the person reads why nothing is sent. */
  #isUnchanged(edit: OpenEdit): boolean {
    if (isAsSelected(edit)) return true;
    const { path } = edit.place;
    void notifyWarning(t("These lines of {0} were changed meanwhile. Nothing was sent: select them again.", path));
    return false;
  }

  /** The same with a wish of its own. */
  async sayMore(uri: unknown): Promise<void> {
    const edit = this.#editOf(uri);
    if (edit === undefined || this.#isBusy(edit)) return;
    const wish = await askWish(edit.place);
    if (wish === undefined || wish.trim() === "" || this.#isBusy(edit) || !(await this.#reopen(edit))) return;
    await this.#write(edit, wish);
  }

  async discard(uri: unknown): Promise<void> {
    const edit = this.#editOf(uri);
    if (edit === undefined) return;
    this.#end(edit.id);
    await this.#documents.close(edit.id);
  }

  /** Only where the lines still read as they were sent: what the person has typed into them is never replaced. */
  async accept(uri: unknown): Promise<void> {
    const edit = this.#editOf(uri);
    if (edit === undefined || this.#isBusy(edit)) return;
    const { lines } = edit;
    if (lines === undefined) {
      void notifyInformation(t("The model has written nothing yet."));
      return;
    }
    if (!(await this.#reopen(edit)) || this.#accepting.has(edit.id)) return;
    if (!isAsSelected(edit)) {
      await this.#offerCopy(edit);
      return;
    }
    // A second press while it is being written would find the lines changed.
    this.#accepting.add(edit.id);
    try {
      if (!(await this.#apply(edit, edit.document.getText(), lines))) return;
    } finally {
      this.#accepting.delete(edit.id);
    }
    this.#end(edit.id);
    await this.#documents.close(edit.id);
  }

  async #offerCopy({ document, lines = "" }: OpenEdit): Promise<void> {
    const path = vscode.workspace.asRelativePath(document.uri);
    const copy = t("Copy New Lines");
    const question = t("These lines of {0} were changed since they were sent, so they stay as they are now.", path);
    if ((await notifyWarning(question, copy)) === copy) await vscode.env.clipboard.writeText(lines);
  }

  /** Through the undo ledger where the file is in the workspace and no link leads to it, as a tool changes it; else in the editor alone. */
  async #apply({ id, document, range }: OpenEdit, before: string, lines: string): Promise<boolean> {
    const { uri } = document;
    const root = uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    const isPlain = root !== undefined && (await isWithoutLinks(root.uri.fsPath, uri.fsPath).catch(() => false));
    if (isPlain && vscode.workspace.isTrusted) {
      const cause = { type: "call", answer: id, call: id, allowed: "call" } as const;
      try {
        await this.#ports.ledgers
          .of(this.#ports.chat())
          .changesOf(cause)
          .write(uri.fsPath, before, replaceRange(before, range, lines));
        return true;
      } catch (error) {
        if (!(error instanceof ToolRefusal)) throw error;
        const path = vscode.workspace.asRelativePath(uri);
        void notifyWarning(t("{0} was changed meanwhile. It was left as it is: accept the edit again.", path));
        return false;
      }
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(document.positionAt(range.start), document.positionAt(range.end)), lines);
    if (await vscode.workspace.applyEdit(edit)) return true;
    void notifyWarning(t("The editor did not take the text. It may be read-only."));
    return false;
  }

  /** What went wrong is shown when nothing is written any more: the former lines can be accepted meanwhile. */
  async #write(edit: OpenEdit, wish: string): Promise<void> {
    const former = edit.lines;
    edit.isWriting = true;
    const end = await this.#request(edit, wish).then(
      (made) => () => this.#take(edit, wish, made),
      (failure: unknown) => () => {
        this.#restore(edit, former);
        return this.#showFailure(edit, wish, failure);
      },
    );
    edit.isWriting = false;
    await end();
  }

  /** The lines are drawn as they arrive. */
  #request(edit: OpenEdit, wish: string): Promise<Made> {
    const { connections, models, log } = this.#ports;
    const count = countLines(edit.selected);
    const title = plural(count, { one: "Editing 1 line", other: "Editing {0} lines" }, count);
    return showProgress(chatView, title, async (cancelled) => {
      const signal = AbortSignal.any([cancelled, edit.ended.signal]);
      const { gateway } = await connections.ready(signal);
      const model = await abortable(models.chatModel(), signal);
      if (!model) return "no-model";
      const request = editRequest(model, edit.place, edit.exchanges, wish);
      if (request === undefined) return "too-long";
      const draw = this.#drawing(edit, signal);
      const answer = await streamText(gateway, request, signal, draw.add);
      log.info("A selection was edited.", { model: model.id, ...answer.tokens });
      return answer;
    });
  }

  async #take(edit: OpenEdit, wish: string, made: Made): Promise<void> {
    if (made === "too-long") void notifyWarning(t("These lines are too many for the model: select fewer."));
    else if (made === "no-model") {
      const problem = describeFailure({ failure: { type: "no-model" }, blocks: [] });
      if (problem) await this.#ports.dialogs.showError(problem);
    } else {
      const lines = linesIn(made.text, edit.selected);
      if (lines === undefined) void notifyWarning(t("The model wrote no lines."));
      else {
        edit.exchanges.push({ wish, answer: made.text });
        this.#setLines(edit, lines);
        if (!made.isWhole) void notifyWarning(t("The new lines may be cut: the answer did not come to its end."));
      }
    }
  }

  async #showFailure(edit: OpenEdit, wish: string, failure: unknown): Promise<void> {
    if (edit.ended.signal.aborted || isAbort(failure)) return;
    await this.#ports.dialogs.showFailure(failure, "chat", () => {
      if (!this.#isBusy(edit)) void this.#write(edit, wish);
    });
  }

  #restore(edit: OpenEdit, former: string | undefined): void {
    if (former === undefined) delete edit.lines;
    else edit.lines = former;
    this.#draw(edit);
  }

  #drawing(edit: OpenEdit, signal: AbortSignal): { readonly add: (piece: string) => void } {
    let text = "";
    let isDue = false;
    const draw = (): void => {
      isDue = false;
      const lines = linesIn(text, edit.selected);
      if (lines !== undefined && edit.isWriting) this.#setLines(edit, arrivingText(edit.selected, lines));
    };
    return {
      add: (piece) => {
        text += piece;
        if (isDue) return;
        isDue = true;
        this.#ports.clock.delay(updateGap, signal).then(draw, () => undefined);
      },
    };
  }

  #setLines(edit: OpenEdit, lines: string): void {
    edit.lines = withLineEnds(lines, edit);
    this.#draw(edit);
  }

  #draw(edit: OpenEdit): void {
    if (this.#open.has(edit.id)) this.#documents.update(edit.id, textWith(edit));
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    for (const edit of this.#open.values()) {
      if (contentChanges.length === 0 || edit.document.uri.toString() !== document.uri.toString()) continue;
      edit.document = document;
      // VS Code gives them from the end of the document to its start, each by the text before all of them.
      for (const { rangeOffset, rangeLength, text } of contentChanges)
        edit.range = moveRange(edit.range, { start: rangeOffset, removed: rangeLength, inserted: text });
      this.#draw(edit);
    }
  }

  #isBusy(edit: OpenEdit): boolean {
    if (edit.isWriting) void notifyInformation(t("The model is still writing. Discard ends it."));
    return edit.isWriting || !this.#open.has(edit.id);
  }

  #end(id: string): void {
    this.#open.get(id)?.ended.abort();
    this.#open.delete(id);
  }

  /** From the menu of the diff's title, else of the diff that is active. */
  #editOf(uri: unknown): OpenEdit | undefined {
    if (uri instanceof vscode.Uri && uri.scheme === scheme) return this.#open.get(uri.query);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? this.#open.get(input.modified.query) : undefined;
  }
}

/** `undefined` where the person does not go on. */
async function wishFor(place: EditedPlace, wanted: unknown): Promise<string | undefined> {
  const wish = typeof wanted === "string" ? wanted : await askWish(place);
  if (wish === undefined || wish.trim() === "") return undefined;
  const { path } = place;
  return !isSecretPath(path) || (await askBefore(t("Send {0} to the model?", path), t("Send"))) ? wish : undefined;
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

/** One diff: what is rewritten, where it is by now, and what came of it so far. */
interface OpenEdit {
  readonly id: string;
  /** Another one once VS Code has closed it: a closed one keeps the text that it had then. */
  document: vscode.TextDocument;
  /** The range of whole lines. It moves while the person types elsewhere. */
  range: TextRange;
  /** What the lines read when they were sent. */
  readonly selected: string;
  place: EditedPlace;
  /** The title of the diff. */
  heading: string;
  readonly exchanges: EditExchange[];
  readonly ended: AbortController;
  /** What comes in the place of the lines; missing until the model has begun. */
  lines?: string;
  isWriting: boolean;
}

/** The file as it is now, with the new lines. */
function textWith({ document, range, lines }: OpenEdit): string {
  const now = document.getText();
  return lines === undefined ? now : replaceRange(now, range, lines);
}

function isAsSelected({ document, range, selected }: OpenEdit): boolean {
  return document.getText().slice(range.start, range.end) === selected;
}

/** From the start of the first line to the end of the last one, without its line end. Nothing for a cursor in an empty line: it is inserted there. */
function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): TextRange {
  // A selection that ends before the first letter of a line does not mean that line.
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

/** As the document has them; and without a line end that the selected lines do not have. */
function withLineEnds(lines: string, { document, selected }: OpenEdit): string {
  const bare = selected.endsWith("\n") ? lines : lines.replace(/\r?\n$/, "");
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  return bare.replace(/\r\n|\r|\n/g, lineEnd);
}
