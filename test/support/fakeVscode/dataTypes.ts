/** The classes of VS Code's API that only hold data. */
import type * as vscode from "vscode";
import { Range, type Uri } from "./positions";

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon("file");
  static readonly Folder = new ThemeIcon("folder");
  readonly id: string;
  readonly color: vscode.ThemeColor | undefined;
  constructor(id: string, color?: vscode.ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  label?: string | vscode.TreeItemLabel;
  resourceUri?: vscode.Uri;
  collapsibleState?: vscode.TreeItemCollapsibleState;
  constructor(label: string | vscode.TreeItemLabel | vscode.Uri, state: vscode.TreeItemCollapsibleState = 0) {
    if (typeof label === "object" && "scheme" in label) this.resourceUri = label;
    else this.label = label;
    this.collapsibleState = state;
  }
}

export class CodeLens {
  command?: vscode.Command;
  readonly range: vscode.Range;
  constructor(range: vscode.Range, command?: vscode.Command) {
    this.range = range;

    if (command) this.command = command;
  }
  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class MarkdownString {
  value: string;
  isTrusted?: boolean | { readonly enabledCommands: readonly string[] };
  supportThemeIcons?: boolean;
  supportHtml?: boolean;
  constructor(value = "", supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }
  appendText(text: string): this {
    this.value += text
      .replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`)
      .replaceAll(/([ \t]+)/g, (_match, spaces: string) => "&nbsp;".repeat(spaces.length))
      .replaceAll(/>/gm, String.raw`\>`)
      .replaceAll("\n", "\n\n");
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendCodeblock(text: string, language = ""): this {
    this.value += `\n\`\`\`${language}\n${text}\n\`\`\`\n`;
    return this;
  }
}

type Content = vscode.Hover["contents"][number];

export class Hover {
  readonly contents: Content[];
  readonly range: vscode.Range | undefined;
  constructor(contents: Content | Content[], range?: vscode.Range) {
    this.range = range;

    this.contents = Array.isArray(contents) ? contents : [contents];
  }
}

export class Location {
  readonly range: vscode.Range;
  readonly uri: vscode.Uri;
  constructor(uri: vscode.Uri, place: vscode.Range | vscode.Position) {
    this.uri = uri;

    this.range = "line" in place ? new Range(place, place) : place;
  }
}

export class Diagnostic {
  source?: string;
  code?: vscode.Diagnostic["code"];
  readonly range: vscode.Range;
  readonly message: string;
  readonly severity: vscode.DiagnosticSeverity;
  constructor(range: vscode.Range, message: string, severity: vscode.DiagnosticSeverity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CompletionItem {
  readonly label: string | vscode.CompletionItemLabel;
  readonly kind: vscode.CompletionItemKind | undefined;
  constructor(label: string | vscode.CompletionItemLabel, kind?: vscode.CompletionItemKind) {
    this.label = label;
    this.kind = kind;
  }
}

/** Kinds of code actions, and of edits for what is dropped or pasted: names with parts, the narrower ones last. */
class Kind {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  append(part: string): Kind {
    return new Kind(this.value === "" ? part : `${this.value}.${part}`);
  }
  contains(other: Kind): boolean {
    return this.value === "" || this.value === other.value || other.value.startsWith(`${this.value}.`);
  }
  intersects(other: Kind): boolean {
    return this.contains(other) || other.contains(this);
  }
}

export const CodeActionKind = {
  Empty: new Kind(""),
  QuickFix: new Kind("quickfix"),
  Refactor: new Kind("refactor"),
  RefactorRewrite: new Kind("refactor.rewrite"),
};
export const DocumentDropOrPasteEditKind = { Empty: new Kind(""), Text: new Kind("text") };

export class CodeAction {
  command?: vscode.Command;
  readonly title: string;
  readonly kind: vscode.CodeActionKind | undefined;
  constructor(title: string, kind?: vscode.CodeActionKind) {
    this.title = title;
    this.kind = kind;
  }
}

export class DataTransferItem {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  asString(): Promise<string> {
    return Promise.resolve(typeof this.value === "string" ? this.value : JSON.stringify(this.value));
  }
  asFile(): vscode.DataTransferFile | undefined {
    return undefined;
  }
}

export class DataTransfer {
  readonly #items = new Map<string, vscode.DataTransferItem>();
  get(type: string): vscode.DataTransferItem | undefined {
    return this.#items.get(type.toLowerCase());
  }
  set(type: string, item: vscode.DataTransferItem): void {
    this.#items.set(type.toLowerCase(), item);
  }
  forEach(callback: (item: vscode.DataTransferItem, type: string, transfer: vscode.DataTransfer) => void): void {
    for (const [type, item] of this.#items) callback(item, type, this);
  }
  [Symbol.iterator](): IterableIterator<[string, vscode.DataTransferItem]> {
    return this.#items[Symbol.iterator]();
  }
}

export class DocumentDropEdit {
  readonly insertText: string | vscode.SnippetString;
  readonly title: string | undefined;
  readonly kind: vscode.DocumentDropOrPasteEditKind | undefined;
  constructor(insertText: string | vscode.SnippetString, title?: string, kind?: vscode.DocumentDropOrPasteEditKind) {
    this.insertText = insertText;
    this.title = title;
    this.kind = kind;
  }
}

export class DocumentPasteEdit {
  readonly insertText: string | vscode.SnippetString;
  readonly title: string;
  readonly kind: vscode.DocumentDropOrPasteEditKind;
  constructor(insertText: string | vscode.SnippetString, title: string, kind: vscode.DocumentDropOrPasteEditKind) {
    this.insertText = insertText;
    this.title = title;
    this.kind = kind;
  }
}

export class RelativePattern {
  readonly baseUri: vscode.Uri;
  readonly base: string;
  readonly pattern: string;
  constructor(base: vscode.WorkspaceFolder | vscode.Uri | string, pattern: string) {
    this.pattern = pattern;

    // The class `Uri` imports nothing from here.
    this.baseUri = typeof base === "string" ? RelativePattern.fileUri(base) : "uri" in base ? base.uri : base;
    this.base = this.baseUri.fsPath;
  }
  static fileUri: (path: string) => Uri;
}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(messageOrUri?: string | vscode.Uri, code = "Unknown") {
    super(String(messageOrUri ?? "Unknown Error"));
    this.name = `${code} (FileSystemError)`;
    this.code = code;
  }
  static FileNotFound(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "FileNotFound");
  }
  static FileExists(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "FileExists");
  }
  static FileNotADirectory(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "FileNotADirectory");
  }
  static FileIsADirectory(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "FileIsADirectory");
  }
  static NoPermissions(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "NoPermissions");
  }
  static Unavailable(of?: string | vscode.Uri): FileSystemError {
    return new FileSystemError(of, "Unavailable");
  }
}

export class DocumentSymbol {
  children: DocumentSymbol[] = [];
  readonly name: string;
  readonly detail: string;
  readonly kind: vscode.SymbolKind;
  readonly range: vscode.Range;
  readonly selectionRange: vscode.Range;
  constructor(
    name: string,
    detail: string,
    kind: vscode.SymbolKind,
    range: vscode.Range,
    selectionRange: vscode.Range,
  ) {
    this.name = name;
    this.detail = detail;
    this.kind = kind;
    this.range = range;
    this.selectionRange = selectionRange;
  }
}

export class SymbolInformation {
  readonly name: string;
  readonly kind: vscode.SymbolKind;
  readonly containerName: string;
  readonly location: vscode.Location;
  constructor(name: string, kind: vscode.SymbolKind, containerName: string, location: vscode.Location) {
    this.name = name;
    this.kind = kind;
    this.containerName = containerName;
    this.location = location;
  }
}

// What a tab shows

export class TabInputText {
  readonly uri: vscode.Uri;
  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
}
export class TabInputTextDiff {
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;
  constructor(original: vscode.Uri, modified: vscode.Uri) {
    this.original = original;
    this.modified = modified;
  }
}
export class TabInputCustom {
  readonly uri: vscode.Uri;
  readonly viewType: string;
  constructor(uri: vscode.Uri, viewType: string) {
    this.uri = uri;
    this.viewType = viewType;
  }
}
export class TabInputWebview {
  readonly viewType: string;
  constructor(viewType: string) {
    this.viewType = viewType;
  }
}
export class TabInputNotebook {
  readonly uri: vscode.Uri;
  readonly notebookType: string;
  constructor(uri: vscode.Uri, notebookType: string) {
    this.uri = uri;
    this.notebookType = notebookType;
  }
}
export class TabInputNotebookDiff {
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;
  readonly notebookType: string;
  constructor(original: vscode.Uri, modified: vscode.Uri, notebookType: string) {
    this.original = original;
    this.modified = modified;
    this.notebookType = notebookType;
  }
}
export class TabInputTerminal {
  readonly isTerminal = true;
}
