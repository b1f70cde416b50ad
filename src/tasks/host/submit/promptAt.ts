/**
 * Finds the prompt of a file that a command is about: that of a lens, else that of the cursor. Loads the reader of prompt files, and runs *Improve
 * Prompt*.
 */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Emitter } from "../../../base/event";
import type * as offers from "../../prompts/offers";
import type * as parser from "../../prompts/parsePrompts";
import { mediaOf } from "../../../domain/task/taskTypes";
import { askToImprove } from "../../../domain/words/taskTypeWords";
import { notifyWarning } from "../../../vscode/interface/show";

/** The place of a lens. A command from the palette has none and takes the place of the cursor. */
interface LensPlace {
  readonly document: string;
  readonly line: number;
  /** The command is about the failed variants only. */
  readonly isFailed?: true;
  /** The person wants placeholders. */
  readonly isRehearsal?: true;
  /** The path of a file from the workspace folder of the document: the result is meant for it, whatever the prompt file says. */
  readonly again?: string;
}

export interface PromptPlace extends Omit<LensPlace, "document"> {
  readonly document: vscode.TextDocument;
}

export async function findPlace(place: unknown): Promise<PromptPlace | undefined> {
  if (isLensPlace(place)) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.document));
    return { ...place, document };
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

/** The files whose tasks are being written to disk, by URI: a task that is not on disk yet does not count as missing. */
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

export function promptAt(prompts: readonly parser.FilePrompt[], line: number): parser.FilePrompt | undefined {
  return prompts.find((prompt) => prompt.line <= line && line <= prompt.lastLine);
}

export function noPromptHere(): string {
  return t("The cursor is on no prompt: a prompt is a paragraph or list item under a heading.");
}

// Loads the code for prompt files with its first use: the reader of YAML is large, and many windows never open such a file.

export async function loadPrompts(): Promise<typeof parser> {
  return await import("../../prompts/parsePrompts");
}

export async function loadOffers(): Promise<typeof offers> {
  return await import("../../prompts/offers");
}

// *Improve Prompt*: the model of the chat rewrites a prompt of a file, as a diff that the person accepts. Nothing is submitted.

/**
 * The arguments of *Edit Selection*: the document, the lines, and the wish at length and in a few words. Resolves with `undefined`, after a sentence
 * to the person, where there is no prompt.
 */
export async function improvement(
  place: unknown,
): Promise<readonly [document: vscode.Uri, range: vscode.Range, wish: string, inShort: string] | undefined> {
  const found = await findPlace(place);
  const { parsePrompts } = await loadPrompts();
  const prompt = found && promptAt(parsePrompts(found.document.getText()).prompts, found.line);
  if (found === undefined || prompt === undefined) {
    void notifyWarning(noPromptHere());
    return undefined;
  }
  const { document } = found;
  const range = new vscode.Range(prompt.line, 0, prompt.lastLine, document.lineAt(prompt.lastLine).text.length);
  const wish = askToImprove(mediaOf(prompt.settings.type ?? "async-image") ?? "image");
  return [document.uri, range, wish, t("improved prompt")];
}
