/** *Undo This Change*: the one hunk under the cursor as it was before the chat changed the file. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChangeLedgers } from "../../undo/changeLedgers";
import { textOf } from "../../undo/fileContent";
import { withoutHunkAt } from "../../undo/mergeTexts";
import { undoable } from "../../undo/undoChanges";
import type { ShownChat } from "../../storage/shownChat";
import { ToolRefusal } from "../../../domain/tools/tool";
import { changedFiles } from "./changedFiles";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";

export async function undoHunk(ledgers: ChangeLedgers, chat: ShownChat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    tellNoHunk();
    return;
  }
  const path = editor.document.uri.fsPath;
  const ledger = ledgers.of(chat.stored.id);
  await ledger.load();
  const changes = undoable(ledger, {});
  const file = changedFiles(changes).find((one) => one.path === path);
  const cause = changes.findLast((one) => one.path === path || one.to === path)?.cause;
  if (file === undefined || cause === undefined || cause.type === "undo") {
    tellNoHunk();
    return;
  }
  const before = await ledger.contentOf(file.before);
  if (before === "lost") {
    tellLost(file.label);
    return;
  }
  const lineEnd = editor.document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  const former = (before === undefined ? "" : textOf(before)).replace(/\r\n|\r|\n/g, lineEnd);
  const now = editor.document.getText();
  const text = withoutHunkAt(former, now, editor.selection.active.line);
  if (text === undefined) {
    tellNoHunk();
    return;
  }
  try {
    await ledger.changesOf({ type: "hunk", answer: cause.answer }).write(path, now, text);
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    void notifyWarning(t("Could not be changed, or was changed meanwhile, and left as it is: {0}.", file.label));
  }
}

function tellNoHunk(): void {
  void notifyInformation(t("There is no change of this chat at the cursor."));
}

function tellLost(label: string): void {
  void notifyWarning(t("What was there before is no longer kept, so it can't be undone: {0}.", label));
}
