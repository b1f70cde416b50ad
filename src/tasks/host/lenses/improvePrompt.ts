/** *Improve Prompt*: the model of the chat rewrites a prompt of a file, as a diff that the person accepts. Nothing is submitted. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { mediaOf } from "../../../domain/task/taskTypes";
import { askToImprove } from "../../../domain/words/taskTypeWords";
import { notifyWarning } from "../../../vscode/interface/show";
import { loadPrompts } from "./loadPrompts";
import { findPlace, noPromptHere, promptAt } from "./promptAt";

/** The document, the lines and what is wanted, at length and in a few words, as *Edit Selection* takes them; `undefined`, with a sentence to the person, where there is no prompt. */
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
