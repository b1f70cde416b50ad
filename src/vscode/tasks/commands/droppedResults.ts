/** Results that are dropped into a document of the workspace: each is saved into the project first, so that the document refers to the project and not to the results folder. */
import * as vscode from "vscode";
import type { Task } from "../../../domain/task/task";
import { resultFile } from "../../../tasks/results/resultFile";
import { markdownOf } from "../../../tasks/view/resultMarkdown";
import { referenceIn } from "../../interface/insertAtCursor";
import { findPlaced, keepPlace, type PlaceKeeper, saveIntoFolder, type WorkspaceCopies } from "./resultTargets";

/**
 * What is inserted, one for each result on this machine. The files are saved here and not by the edit: undoing that takes the reference away and
 * leaves the file. (VS Code 1.106 calls the wrong provider for the part of a drop that would run once the edit is chosen.)
 */
export async function referencesTo(
  ports: PlaceKeeper & WorkspaceCopies,
  document: vscode.TextDocument,
  tasks: readonly Task[],
): Promise<readonly string[]> {
  const folder = folderOf(document);
  const texts: string[] = [];
  for (const task of tasks) {
    const text = folder === undefined ? linkTo(document, task) : await placeFor(ports, document, task, folder);
    if (text !== undefined) texts.push(text);
  }
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
