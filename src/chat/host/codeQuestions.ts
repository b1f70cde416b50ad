/** *Explain* and *Fix*: sends a prompt with the code and its problems in the shown chat (V7). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { fenceCode } from "../../base/text/codeFence";
import type { ShownChat } from "../storage/shownChat";
import type { FileReference } from "../../domain/chat/attachmentSchema";
import { plural } from "../../domain/words/plural";
import { notifyWarning } from "../../vscode/interface/show";
import { canFix } from "./codeActions";
import { lineNumbersOf, referenceTo } from "./context/fileReferences";
import type { ChatPage } from "./panel/chatPage";
import { shownLine } from "../../vscode/interface/shownText";
import { targetEditor } from "../../vscode/interface/targetEditor";
import { copyTerminalSelection } from "../../vscode/interface/runCommand";

export type CodeQuestion = "explain" | "fix";

/** The code that is asked about. */
interface AskedCode {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The question is about the problems that are reported there. */
  readonly isReported: boolean;
}

/** The number of lines before and after a reported place that are sent with it. */
const around = 10;
/** The maximum lengths of a quoted text and of a path, in characters. */
const maxQuoteLength = 50_000;
const maxPathLength = 1000;

/** `args`: the arguments from the light bulb. From the palette there are none, and the selection or the visible part of the editor is used. */
export async function askAboutCode(page: ChatPage, question: CodeQuestion, args: readonly unknown[]): Promise<void> {
  const place = (await placeIn(args)) ?? placeOfEditor(question);
  if (place === undefined) {
    void notifyWarning(t("No text is open in an editor: open the code first."));
    return;
  }
  if (question !== "explain" && !canFix(place.document)) {
    void notifyWarning(t("Only a file in a folder of a trusted workspace can be changed from the chat."));
    return;
  }
  const references = referencesOf(place, question);
  const words = wordsFor(question, place.isReported);
  const { chat } = page;
  const text = references.length === 0 ? `${words}\n\n${quoteInChat(chat, place.document, place.range)}` : words;
  await sendIn(page, text, references);
}

async function sendIn(page: ChatPage, text: string, references: readonly FileReference[]): Promise<void> {
  const { chat } = page;
  await page.reveal();
  const { id } = chat.stored;
  // Resolves at the end of the turn, whose errors are shown in the chat.
  void chat.submit(id, text, references).then((isTaken) => {
    if (isTaken) return;
    // The prompt was refused, for example because another window writes the chat. It waits in the composer.
    page.addDraft({ text, references: [...references] }, id);
  });
}

function wordsFor(question: CodeQuestion, isReported: boolean): string {
  if (question === "fix") return t("Find what is wrong in this code and fix it.");
  return isReported
    ? t("Explain the problem that is reported for this code, and how it can be mended.")
    : t("Explain what this code does and how.");
}

function referencesOf({ document, range, isReported }: AskedCode, question: CodeQuestion): readonly FileReference[] {
  const file = referenceTo(document.uri);
  if (file === undefined) return [];
  const lines = lineNumbersOf(range);
  const shown = isReported
    ? { first: Math.max(1, lines.first - around), last: Math.min(document.lineCount, lines.last + around) }
    : lines;
  const code: FileReference = { ...file, lines: shown };
  return isReported || question === "fix" ? [code, { ...file, lines, kind: "problems" }] : [code];
}

async function placeIn([uri, range, isReported]: readonly unknown[]): Promise<AskedCode | undefined> {
  if (!(uri instanceof vscode.Uri) || !(range instanceof vscode.Range)) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  return { document, range: document.validateRange(range), isReported: isReported === true };
}

function placeOfEditor(question: CodeQuestion): AskedCode | undefined {
  const editor = targetEditor();
  if (editor === undefined) return undefined;
  const { document, selection, visibleRanges } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const seen = question === "fix" ? whole : (visibleRanges[0] ?? whole);
  return { document, range: selection.isEmpty ? document.validateRange(seen) : selection, isReported: false };
}

/**
 * `quoteRange` for a prompt of that chat. An unsaved document counts as the person's own text. Any other document outside the workspace may be
 * foreign text, so its text is recorded as such.
 */
export function quoteInChat(chat: ShownChat, document: vscode.TextDocument, range: vscode.Range): string {
  if (!document.isUntitled) chat.quote(document.getText(range), vscode.workspace.asRelativePath(document.uri));
  return quoteRange(document, range);
}

/** A text as a fenced block under its path and lines, for a document that no tool could read again. */
function quoteRange(document: vscode.TextDocument, range: vscode.Range): string {
  // A line break in a file name would begin a line of its own in the prompt.
  const path = shownLine(vscode.workspace.asRelativePath(document.uri), maxPathLength);
  const text = fenceStart(document.getText(range), maxQuoteLength, document.languageId);
  return `${path}:${range.start.line + 1}-${range.end.line + 1}\n${text}\n`;
}

/** The first `maxLength` characters as a fenced block, followed by a line with both lengths where the text is longer. */
export function fenceStart(text: string, maxLength: number, language?: string): string {
  const kept = text.slice(0, maxLength).toWellFormed();
  const fenced = fenceCode(kept, language);
  if (kept.length === text.length) return fenced;
  return `${fenced}\n${plural(text.length, { other: "(the first {0} of {1} characters)" }, kept.length, text.length)}`;
}

/** The selection of the terminal; empty where nothing is selected. */
export async function readTerminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Without a selection the command copies nothing and this mark stays. It is random, so no person has such a text.
  const mark = `sluice ${crypto.randomUUID()}`;
  await clipboard.writeText(mark);
  try {
    await copyTerminalSelection();
    const copied = await clipboard.readText();
    return copied === mark ? "" : copied;
  } finally {
    await clipboard.writeText(before);
  }
}
