/** The prompt of a file that a command is about: that of a lens, else that of the cursor. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Emitter } from "../../../base/event";
import type { FilePrompt } from "../../prompts/parsePrompts";

/** Where a lens is; from the palette the cursor counts. */
interface LensPlace {
  readonly document: string;
  readonly line: number;
  /** Only the variants that failed are meant. */
  readonly isFailed?: true;
}

export interface FoundPlace {
  readonly document: vscode.TextDocument;
  readonly line: number;
  readonly isFailed?: true;
}

export async function findPlace(place: unknown): Promise<FoundPlace | undefined> {
  if (isLensPlace(place)) {
    const { line, isFailed } = place;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.document));
    return { document, line, ...(isFailed === true ? { isFailed } : {}) };
  }
  const editor = vscode.window.activeTextEditor;
  return editor && { document: editor.document, line: editor.selection.active.line };
}

function isLensPlace(value: unknown): value is LensPlace {
  if (typeof value !== "object" || value === null || !("document" in value) || !("line" in value)) return false;
  return typeof value.document === "string" && typeof value.line === "number";
}

const files = new Set<string>();
const changed = new Emitter<void>();

/** The files whose prompts are being written to disk, by URI: those that are not there yet are not missing. */
export const submittingFiles = {
  has: (file: string): boolean => files.has(file),
  begin(file: string): void {
    files.add(file);
    changed.fire();
  },
  end(file: string): void {
    if (files.delete(file)) changed.fire();
  },
  onDidChange: changed.event,
};

export function promptAt(prompts: readonly FilePrompt[], line: number): FilePrompt | undefined {
  return prompts.find((prompt) => prompt.line <= line && line <= prompt.lastLine);
}

export function noPromptHere(): string {
  return t("The cursor is on no prompt: a prompt is a paragraph or list item under a heading.");
}
