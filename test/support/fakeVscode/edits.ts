/** Changes of documents and files that the extension asks for: `TextEdit` and `WorkspaceEdit`. */
import type * as vscode from "vscode";
import { Range } from "./positions";

export class TextEdit {
  readonly range: vscode.Range;
  readonly newText: string;
  newEol?: vscode.EndOfLine;

  constructor(range: vscode.Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
  static replace(range: vscode.Range, text: string): TextEdit {
    return new TextEdit(range, text);
  }
  static insert(position: vscode.Position, text: string): TextEdit {
    return new TextEdit(new Range(position, position), text);
  }
  static delete(range: vscode.Range): TextEdit {
    return new TextEdit(range, "");
  }
}

/** What VS Code shows of an edit before it is made. It makes an edit that has one as it is. */
interface EditMetadata {
  readonly needsConfirmation: boolean;
  readonly label: string;
}

interface FileOptions {
  readonly overwrite?: boolean;
  readonly ignoreIfExists?: boolean;
  readonly ignoreIfNotExists?: boolean;
  readonly recursive?: boolean;
  readonly contents?: Uint8Array | vscode.DataTransferFile;
}

export type EditStep =
  | { readonly type: "text"; readonly uri: vscode.Uri; readonly edit: TextEdit; readonly metadata?: EditMetadata }
  | { readonly type: "create"; readonly uri: vscode.Uri; readonly options: FileOptions }
  | { readonly type: "delete"; readonly uri: vscode.Uri; readonly options: FileOptions }
  | { readonly type: "rename"; readonly from: vscode.Uri; readonly to: vscode.Uri; readonly options: FileOptions };

export class WorkspaceEdit {
  readonly steps: EditStep[] = [];

  get size(): number {
    return this.entries().length;
  }

  replace(uri: vscode.Uri, range: vscode.Range, text: string, metadata?: EditMetadata): void {
    this.steps.push({ type: "text", uri, edit: new TextEdit(range, text), ...(metadata ? { metadata } : {}) });
  }
  insert(uri: vscode.Uri, position: vscode.Position, text: string): void {
    this.replace(uri, new Range(position, position), text);
  }
  delete(uri: vscode.Uri, range: vscode.Range): void {
    this.replace(uri, range, "");
  }
  has(uri: vscode.Uri): boolean {
    return this.get(uri).length > 0;
  }
  get(uri: vscode.Uri): TextEdit[] {
    return this.steps.flatMap((step) => (step.type === "text" && String(step.uri) === String(uri) ? [step.edit] : []));
  }
  set(uri: vscode.Uri, edits: readonly (vscode.TextEdit | readonly [vscode.TextEdit, unknown])[]): void {
    const others = this.steps.filter((step) => step.type !== "text" || String(step.uri) !== String(uri));
    this.steps.splice(0, Infinity, ...others);
    for (const edit of edits) {
      const { range, newText } = Array.isArray(edit)
        ? (edit as readonly [vscode.TextEdit, unknown])[0]
        : (edit as vscode.TextEdit);
      this.replace(uri, range, newText);
    }
  }
  entries(): [vscode.Uri, TextEdit[]][] {
    const known = new Map<string, [vscode.Uri, TextEdit[]]>();
    for (const step of this.steps) {
      if (step.type !== "text") continue;
      const entry = known.get(String(step.uri)) ?? [step.uri, []];
      entry[1].push(step.edit);
      known.set(String(step.uri), entry);
    }
    return [...known.values()];
  }
  createFile(uri: vscode.Uri, options: FileOptions = {}): void {
    this.steps.push({ type: "create", uri, options });
  }
  deleteFile(uri: vscode.Uri, options: FileOptions = {}): void {
    this.steps.push({ type: "delete", uri, options });
  }
  renameFile(from: vscode.Uri, to: vscode.Uri, options: FileOptions = {}): void {
    this.steps.push({ type: "rename", from, to, options });
  }
}
