/** Results that are dropped into a document of the workspace: each is saved into the project first, so that the document refers to the project and not to the results folder. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Task } from "../../../domain/task/task";
import { resultFile } from "../../results/resultFile";
import { markdownOf } from "../../view/resultMarkdown";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { referenceIn } from "./insertAtCursor";
import { notifyWarning } from "../../../vscode/interface/show";
import { findPlaced, keepPlace, type PlaceKeeper, saveIntoFolder, type WorkspaceCopies } from "./resultTargets";

/** Results of one drop: each is a file that stays in the project, also when the drop is undone. */
const maxDropped = 50;

/**
 * What is inserted, one for each result on this machine. The files are saved here and not by the edit: undoing that takes the reference away and
 * leaves the file. (VS Code 1.106 calls the wrong provider for the part of a drop that would run once the edit is chosen.)
 */
export async function referencesTo(
  ports: PlaceKeeper & WorkspaceCopies,
  document: vscode.TextDocument,
  tasks: readonly Task[],
  token: vscode.CancellationToken,
): Promise<readonly string[]> {
  const folder = folderOf(document);
  const texts: string[] = [];
  let failure: string | undefined;
  for (const task of tasks.slice(0, maxDropped)) {
    if (token.isCancellationRequested) return [];
    try {
      const text = folder === undefined ? linkTo(document, task) : await placeFor(ports, document, task, folder);
      if (text !== undefined) texts.push(text);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  if (failure !== undefined)
    void notifyWarning(t("Not every result could be saved into the project: {0}", quoteForeign(failure)));
  else if (tasks.length > maxDropped)
    void notifyWarning(t("Of {0} results the first {1} were inserted.", tasks.length, maxDropped));
  return texts;
}

async function placeFor(
  ports: PlaceKeeper & WorkspaceCopies,
  document: vscode.TextDocument,
  task: Task,
  folder: vscode.WorkspaceFolder,
): Promise<string | undefined> {
  const { intent } = task;
  const placed = await findPlaced(ports, task);
  if (placed !== undefined) return referenceIn(document, placed, intent.prompt);
  const file = resultFile(task);
  if (file === undefined) return undefined;
  const target = await saveIntoFolder(ports, intent, file.path, folder);
  if (target === undefined) return undefined;
  await keepPlace(ports, task, target);
  return referenceIn(document, target, intent.prompt);
}

/** In a file with prompts a result is a reference for a model, which is not part of the project. */
function folderOf({ uri }: vscode.TextDocument): vscode.WorkspaceFolder | undefined {
  if (uri.path.endsWith(".prompts.md")) return undefined;
  return vscode.workspace.getWorkspaceFolder(uri);
}

/** To the results folder, as Markdown. */
function linkTo({ uri, languageId }: vscode.TextDocument, task: Task): string | undefined {
  return languageId === "markdown" ? markdownOf(task, uri.scheme === "file" ? uri.path : undefined) : undefined;
}
