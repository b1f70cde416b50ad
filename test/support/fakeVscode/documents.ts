/** Text documents of a window: opened from files, from providers or untitled, with versions, dirty state, saving and changes from outside. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import { TextDocumentSaveReason } from "./enums";
import type { TextEdit } from "./edits";
import { decode, encode, type Encoding, encodingOf } from "./encodings";
import { EventEmitter } from "./events";
import { Position, Range, Selection, Uri } from "./positions";
import type { Changes } from "./wire";

const languages: Readonly<Record<string, string>> = {
  ...{
    ".md": "markdown",
    ".ts": "typescript",
    ".tsx": "typescriptreact",
    ".js": "javascript",
    ".jsx": "javascriptreact",
  },
  ...{ ".mjs": "javascript", ".cjs": "javascript", ".json": "json", ".html": "html", ".css": "css", ".py": "python" },
  ...{ ".scss": "scss", ".less": "less", ".vue": "vue", ".svelte": "svelte", ".xml": "xml", ".svg": "xml" },
  ...{ ".yaml": "yaml", ".yml": "yaml", ".sh": "shellscript", ".rs": "rust", ".go": "go", ".csv": "csv" },
};

function languageOf(uri: vscode.Uri): string {
  return languages[path.posix.extname(uri.path).toLowerCase()] ?? "plaintext";
}

interface Content {
  readonly text: string;
  readonly language: string;
  readonly encoding?: Encoding;
}

export class FakeDocument {
  readonly uri: Uri;
  readonly #documents: Documents;
  #language: string;
  #text: string;
  #eol: 1 | 2;
  #version = 1;
  #isDirty = false;
  #isClosed = false;
  readonly encoding: Encoding;

  constructor(uri: Uri, { text, language, encoding = "utf8" }: Content, documents: Documents) {
    this.uri = uri;
    this.#documents = documents;
    this.#language = language;
    this.#eol = text.includes("\r\n") ? 2 : 1;
    this.#text = this.#normalized(text);
    this.encoding = encoding;
  }

  /** A model has one kind of line end. */
  #normalized(text: string): string {
    return text.replaceAll(/\r\n|\r|\n/g, this.#eol === 2 ? "\r\n" : "\n");
  }

  get fileName(): string {
    return this.uri.fsPath;
  }
  get isUntitled(): boolean {
    return this.uri.scheme === "untitled";
  }
  get languageId(): string {
    return this.#language;
  }
  get version(): number {
    return this.#version;
  }
  get isDirty(): boolean {
    return this.#isDirty;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }
  get eol(): vscode.EndOfLine {
    return this.#eol;
  }
  get lineCount(): number {
    return this.#lines().length;
  }

  #lines(): string[] {
    return this.#text.split(/\r\n|\n/);
  }

  lineAt(place: number | vscode.Position): vscode.TextLine {
    const lines = this.#lines();
    const lineNumber = typeof place === "number" ? place : place.line;
    const text = lines[lineNumber];
    if (text === undefined) throw new Error("Illegal value for `line`");
    const firstNonWhitespaceCharacterIndex = /^\s*/.exec(text)?.[0].length ?? 0;
    const isLast = lineNumber === lines.length - 1;
    return {
      ...{ lineNumber, text, firstNonWhitespaceCharacterIndex },
      range: new Range(lineNumber, 0, lineNumber, text.length),
      rangeIncludingLineBreak: isLast
        ? new Range(lineNumber, 0, lineNumber, text.length)
        : new Range(lineNumber, 0, lineNumber + 1, 0),
      isEmptyOrWhitespace: firstNonWhitespaceCharacterIndex === text.length,
    };
  }

  offsetAt(position: vscode.Position): number {
    const { line, character } = this.validatePosition(position);
    const end = this.#eol === 2 ? 2 : 1;
    return this.#lines()
      .slice(0, line)
      .reduce((sum, text) => sum + text.length + end, character);
  }

  positionAt(offset: number): Position {
    const before = this.#text.slice(0, Math.max(0, offset)).split("\n");
    const last = before.at(-1) ?? "";
    return this.validatePosition(new Position(before.length - 1, last.length));
  }

  getText(range?: vscode.Range): string {
    if (!range) return this.#text;
    return this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  getWordRangeAtPosition(position: vscode.Position, regex = /[\p{L}\p{N}_]+/gu): Range | undefined {
    const { text } = this.lineAt(position.line);
    const flags = regex.flags.includes("g") ? regex.flags : `${regex.flags}g`;
    for (const match of text.matchAll(new RegExp(regex, flags))) {
      const end = match.index + match[0].length;
      if (match.index <= position.character && position.character <= end && match[0] !== "")
        return new Range(position.line, match.index, position.line, end);
    }
    return undefined;
  }

  validatePosition({ line, character }: vscode.Position): Position {
    const lines = this.#lines();
    if (line >= lines.length) return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
    return new Position(line, Math.min(character, lines[line]?.length ?? 0));
  }

  validateRange(range: vscode.Range): Range {
    return new Range(this.validatePosition(range.start), this.validatePosition(range.end));
  }

  /**
   * The range of an edit, whose ends VS Code moves out of surrogate pairs while it leaves the new text as it is. It looks at the unit before an end
   * only, and for the end of the range not behind the last unit of a line.
   */
  #withoutHalves(range: vscode.Range): Range {
    const lines = this.#lines();
    const isBehindHigh = ({ line, character }: vscode.Position): boolean =>
      /[\ud800-\udbff]/.test(lines[line]?.charAt(character - 1) ?? "");
    const { start, end } = range;
    const isStartInside = isBehindHigh(start);
    const isEndInside = end.character < (lines[end.line]?.length ?? 0) && isBehindHigh(end);
    if (!isStartInside && !isEndInside) return new Range(start, end);
    const before = isStartInside ? start.translate(0, -1) : start;
    // A range without text is moved as a whole.
    return start.isEqual(end) ? new Range(before, before) : new Range(before, isEndInside ? end.translate(0, 1) : end);
  }

  save(): Promise<boolean> {
    return this.#documents.save(this);
  }

  // The window's side

  /** Makes the edits of one change, which are all for the text as it is before. A document that was clean is dirty afterwards. */
  change(edits: readonly TextEdit[], reason?: vscode.TextDocumentChangeReason): void {
    if (!this.#replace(edits, reason) || this.#isDirty || !this.#documents.canWrite(this.uri)) return;
    this.#isDirty = true;
    this.#tellState();
  }

  /** False where nothing is changed. */
  #replace(edits: readonly TextEdit[], reason?: vscode.TextDocumentChangeReason): boolean {
    const changes = edits
      .map(({ range, newText }) => {
        const valid = this.#withoutHalves(this.validateRange(range));
        const [start, end] = [this.offsetAt(valid.start), this.offsetAt(valid.end)];
        return { range: valid, rangeOffset: start, rangeLength: end - start, text: this.#normalized(newText) };
      })
      .filter(
        ({ rangeLength, text, rangeOffset }) =>
          this.#text.slice(rangeOffset, rangeOffset + rangeLength) !== text || rangeLength > 0,
      )
      .sort((one, other) => other.rangeOffset - one.rangeOffset);
    if (changes.length === 0) return false;
    for (const { rangeOffset, rangeLength, text } of changes) {
      this.#text = this.#text.slice(0, rangeOffset) + text + this.#text.slice(rangeOffset + rangeLength);
    }
    this.#version += 1;
    this.#documents.changed.fire({
      document: this.shown,
      contentChanges: changes,
      reason,
      detailedReason: undefined,
    } as vscode.TextDocumentChangeEvent);
    this.#documents.changes.note();
    return true;
  }

  /** Takes over the text of the file, for a document without changes of its own. */
  revert(text: string): void {
    const normalized = this.#normalized(text);
    if (normalized === this.#text) return;
    const whole = new Range(new Position(0, 0), this.positionAt(this.#text.length));
    this.#replace([{ range: whole, newText: text }]);
  }

  /** VS Code reports the new state, and once more with what was saved. */
  wasSaved(): void {
    this.#isDirty = false;
    for (let report = 0; report < 2; report += 1) this.#tellState();
  }

  /** Reports that a document is dirty now, or no longer: VS Code does so by a change without changes. */
  #tellState(): void {
    this.#documents.changed.fire({
      document: this.shown,
      contentChanges: [],
      reason: undefined,
      detailedReason: undefined,
    } as vscode.TextDocumentChangeEvent);
  }

  hasClosed(): void {
    this.#isClosed = true;
  }

  speaks(language: string): void {
    this.#language = language;
  }

  get shown(): vscode.TextDocument {
    return this;
  }
}

export class Documents {
  readonly changes: Changes;
  readonly #open = new Map<string, FakeDocument>();
  readonly #providers = new Map<string, vscode.TextDocumentContentProvider>();
  readonly #fileSystem: (scheme: string) => vscode.FileSystemProvider | undefined;
  #untitled = 0;
  /** The encoding of files that have no mark of their own. */
  fallback: Encoding = "utf8";

  readonly changed = new EventEmitter<vscode.TextDocumentChangeEvent>();
  readonly opened = new EventEmitter<vscode.TextDocument>();
  readonly closed = new EventEmitter<vscode.TextDocument>();
  readonly willSave = new EventEmitter<vscode.TextDocumentWillSaveEvent>();
  readonly saved = new EventEmitter<vscode.TextDocument>();

  constructor(changes: Changes, fileSystem: (scheme: string) => vscode.FileSystemProvider | undefined) {
    this.changes = changes;
    this.#fileSystem = fileSystem;
  }

  get all(): readonly FakeDocument[] {
    return [...this.#open.values()];
  }

  find(uri: vscode.Uri): FakeDocument | undefined {
    return this.#open.get(uri.toString());
  }

  provide(scheme: string, provider: vscode.TextDocumentContentProvider): vscode.Disposable {
    this.#providers.set(scheme, provider);
    const listening = provider.onDidChange?.((uri) => {
      void Promise.resolve(provider.provideTextDocumentContent(uri, neverCancelled)).then((text) =>
        this.find(uri)?.revert(text ?? ""),
      );
    });
    return {
      dispose: () => {
        listening?.dispose();
        this.#providers.delete(scheme);
      },
    };
  }

  /** A document of a content provider can't be changed by a person, and is never dirty. */
  canWrite({ scheme }: vscode.Uri): boolean {
    return ["file", "untitled"].includes(scheme) || this.#fileSystem(scheme) !== undefined;
  }

  async open(uri: Uri): Promise<FakeDocument> {
    const known = this.find(uri);
    if (known) return known;
    const content = await this.#read(uri);
    // Two that open it at once get the same document.
    return this.find(uri) ?? this.#add(new FakeDocument(uri, content, this));
  }

  openUntitled(text: string, language: string): FakeDocument {
    this.#untitled += 1;
    const uri = Uri.from({ scheme: "untitled", path: `Untitled-${this.#untitled}` });
    const document = this.#add(new FakeDocument(uri, { text: "", language }, this));
    if (text !== "") document.change([{ range: new Range(0, 0, 0, 0), newText: text }]);
    return document;
  }

  #add(document: FakeDocument): FakeDocument {
    this.#open.set(document.uri.toString(), document);
    this.opened.fire(document.shown);
    this.changes.note();
    return document;
  }

  async #read(uri: Uri): Promise<Content> {
    const language = languageOf(uri);
    if (uri.scheme === "untitled") return { text: "", language };
    const provider = this.#providers.get(uri.scheme);
    if (provider) {
      const text = await provider.provideTextDocumentContent(uri, neverCancelled);
      return { text: text ?? "", language };
    }
    const bytes = await this.#bytesOf(uri);
    const encoding = encodingOf(bytes, this.fallback);
    if (bytes.includes(0) && !encoding.startsWith("utf16"))
      throw new Error(`cannot open ${uri.toString()}. Detail: File seems to be binary and cannot be opened as text`);
    return { text: decode(bytes, encoding), language, encoding };
  }

  async #bytesOf(uri: Uri): Promise<Uint8Array> {
    if (uri.scheme === "file") {
      return readFile(uri.fsPath).catch((error: unknown) => {
        throw new Error(
          `cannot open ${uri.toString()}. Detail: Unable to read file '${uri.fsPath}' (${String(error)})`,
        );
      });
    }
    const provider = this.#fileSystem(uri.scheme);
    if (!provider)
      throw new Error(`cannot open ${uri.toString()}. Detail: Unable to resolve resource ${uri.toString()}`);
    return provider.readFile(uri);
  }

  async save(
    document: FakeDocument,
    reason: vscode.TextDocumentSaveReason = TextDocumentSaveReason.Manual,
  ): Promise<boolean> {
    if (document.isUntitled) return false;
    if (!document.isDirty) return true;
    const waits: Promise<unknown>[] = [];
    this.willSave.fire({
      document: document.shown,
      reason,
      waitUntil: (work: Thenable<unknown>) => void waits.push(Promise.resolve(work)),
    });
    for (const edits of await Promise.all(waits)) if (Array.isArray(edits)) document.change(edits as TextEdit[]);
    try {
      const bytes = encode(document.getText(), document.encoding);
      if (document.uri.scheme === "file") await writeFile(document.uri.fsPath, bytes);
      else
        await this.#fileSystem(document.uri.scheme)?.writeFile(document.uri, bytes, { create: true, overwrite: true });
    } catch {
      return false;
    }
    document.wasSaved();
    this.saved.fire(document.shown);
    this.changes.note();
    return true;
  }

  /** Follows a file that changed on the disk, where the document has no changes of its own. */
  async followFile(uri: vscode.Uri): Promise<void> {
    const document = this.find(uri);
    if (!document) return;
    const bytes = await readFile(uri.fsPath).catch(() => undefined);
    if (bytes && !document.isDirty) document.revert(decode(bytes, document.encoding));
  }

  close(document: FakeDocument): void {
    if (!this.#open.delete(document.uri.toString())) return;
    document.hasClosed();
    this.closed.fire(document.shown);
    this.changes.note();
  }

  /** VS Code reports a document that speaks another language as closed and opened again. */
  speak(document: FakeDocument, language: string): void {
    if (document.languageId === language) return;
    this.closed.fire(document.shown);
    document.speaks(language);
    this.opened.fire(document.shown);
  }
}

export const neverCancelled: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

/** The selection of a text of the document. */
export function selectionOf(document: FakeDocument, text: string, occurrence = 0): Selection {
  let at = -1;
  for (let found = 0; found <= occurrence; found += 1) at = document.getText().indexOf(text, at + 1);
  if (at === -1) throw new Error(`${document.fileName} has no ${JSON.stringify(text)}`);
  return new Selection(document.positionAt(at), document.positionAt(at + text.length));
}
