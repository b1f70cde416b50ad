/**
 * Decides where in the workspace a result is saved: the folder of the settings, a name from the prompt, never that of another file. Saves results
 * that are dropped into a document.
 */
import { homedir } from "node:os";
import { extname, join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { acceptedOf } from "../../../domain/task/phase";
import type { Placement, Task, TaskIntent } from "../../../domain/task/task";
import type { TaskBoard } from "../../board/board";
import { placedTasks, timeOfPlacing } from "../../results/placedTasks";
import { promptWords } from "../../results/resultNames";
import { type PickChoice, StepPicker } from "../../../vscode/interface/pickSteps";
import { existsAt, placeResult } from "./placeResults";
import { resultFile } from "../../results/resultFile";
import { markdownOf } from "../../view/resultMarkdown";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { referenceIn } from "./insertAtCursor";
import { notifyWarning } from "../../../vscode/interface/show";

/** The fields of a task that name its file. */
export type NamedResult = Pick<TaskIntent, "prompt" | "type">;

export interface WorkspaceCopies {
  /** The setting `sluice.results.folder`. */
  readonly resultsFolder: () => string;
}

/** Names that are tried: `hero`, `hero-2`, … */
const maxNames = 500;

/**
 * Without `within`, the person may be asked for a folder. Resolves with the file; `undefined` when the person has chosen no folder. Saving the same
 * result again gives the same file.
 */
export async function saveIntoFolder(
  copies: WorkspaceCopies,
  intent: NamedResult,
  source: string,
  within?: vscode.WorkspaceFolder,
): Promise<vscode.Uri | undefined> {
  const folder = within ?? (await chooseFolder());
  if (folder === undefined) return undefined;
  for (let count = 1; count <= maxNames; count += 1) {
    const target = targetIn(folder.uri, copies, intent, source, count);
    if ((await placeResult(source, target, false)) === "placed") return target;
  }
  throw new Error("Too many files of that name are in the folder.");
}

/** The first free name in the results folder, or in the home folder where no folder is open. */
export async function proposeTarget(copies: WorkspaceCopies, intent: NamedResult, source: string): Promise<vscode.Uri> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return vscode.Uri.file(join(homedir(), nameOf(intent, source, 1)));
  for (let count = 1; count < maxNames; count += 1) {
    const target = targetIn(folder.uri, copies, intent, source, count);
    if (!(await existsAt(target))) return target;
  }
  return targetIn(folder.uri, copies, intent, source, maxNames);
}

function targetIn(
  root: vscode.Uri,
  { resultsFolder }: WorkspaceCopies,
  intent: NamedResult,
  source: string,
  count: number,
): vscode.Uri {
  return vscode.Uri.joinPath(root, resultsFolder(), nameOf(intent, source, count));
}

function nameOf({ prompt, type }: NamedResult, source: string, count: number): string {
  return `${promptWords(prompt) || type}${count === 1 ? "" : `-${count}`}${extname(source)}`;
}

/** The only workspace folder, else the one that the person chooses. */
async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0];
  const picker = new StepPicker(t("Save into Workspace"));
  const active =
    vscode.window.activeTextEditor && vscode.workspace.getWorkspaceFolder(vscode.window.activeTextEditor.document.uri);
  const choices = folders.map((folder): PickChoice<vscode.WorkspaceFolder> => ({
    label: folder.name,
    description: folder.uri.fsPath,
    value: folder,
  }));
  try {
    const answer = await picker.ask({
      placeholder: t("Into which folder of the workspace?"),
      choices,
      preselected: choices.find(({ value }) => value === active),
      // Several results are asked about one after the other, and a page takes the focus in between.
      staysOpen: true,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

/** The file as which the result is in the workspace already, unless the result of another task has taken its place. */
export async function findPlaced({ board }: PlaceKeeper, task: Task): Promise<vscode.Uri | undefined> {
  const placement = acceptedOf(task)?.placement;
  if (placement?.state !== "placed") return undefined;
  if (placedTasks(board.all.values()).get(placement.file)?.intent.id !== task.intent.id) return undefined;
  const file = vscode.Uri.parse(placement.file);
  return vscode.workspace.getWorkspaceFolder(file) && (await existsAt(file)) ? file : undefined;
}

interface PlaceKeeper {
  readonly board: Pick<TaskBoard, "all" | "applyThenWrite">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Stores the file as the place of the result. For a task with its own destination, a further copy does not count as its place. */
export async function keepPlace({ board, now }: PlaceKeeper, { intent }: Task, target: vscode.Uri): Promise<void> {
  if (intent.destination) return;
  const file = target.toString();
  const placement: Placement = { state: "placed", file, at: timeOfPlacing(board.all.values(), file, now()) };
  await board.applyThenWrite({ type: "task-placing", id: intent.id, placement });
}

/** The path as the person sees it: relative to the workspace where it is inside. */
export function showPath(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

/**
 * The inverse of `showPath` for a path that a person wrote: with several folders it begins with the name of one, else it is in the first.
 * `undefined` for a path that leads out of it.
 */
export function findWrittenPlace(path: string): vscode.Uri | undefined {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  const isPlain = parts.length > 0 && !parts.some((part) => part === ".." || /[\p{Cc}:]/u.test(part));
  if (first === undefined || !isPlain) return undefined;
  const named = others.length === 0 ? undefined : [first, ...others].find(({ name }) => name === parts[0]);
  return vscode.Uri.joinPath(named?.uri ?? first.uri, ...(named === undefined ? parts : parts.slice(1)));
}

// Saves each result that is dropped into a document of the workspace, so that the document refers to the project and not to the results folder.

/** The most results of one drop: each is a file that stays in the project, also when the drop is undone. */
const maxDropped = 50;

/**
 * The texts to insert, one for each result on this machine. The files are saved here and not by the edit, so undoing it removes the reference and
 * leaves the file. (VS Code 1.106 calls the wrong provider for the part of a drop that would run once the edit is chosen.)
 */
export async function referencesTo(
  options: PlaceKeeper & WorkspaceCopies,
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
      const text = folder === undefined ? linkTo(document, task) : await placeFor(options, document, task, folder);
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
  options: PlaceKeeper & WorkspaceCopies,
  document: vscode.TextDocument,
  task: Task,
  folder: vscode.WorkspaceFolder,
): Promise<string | undefined> {
  const { intent } = task;
  const placed = await findPlaced(options, task);
  if (placed !== undefined) return referenceIn(document, placed, intent.prompt);
  const file = resultFile(task);
  if (file === undefined) return undefined;
  const target = await saveIntoFolder(options, intent, file.path, folder);
  if (target === undefined) return undefined;
  await keepPlace(options, task, target);
  return referenceIn(document, target, intent.prompt);
}

/** In a file with prompts a result is a reference for a model, which is not part of the project. */
function folderOf({ uri }: vscode.TextDocument): vscode.WorkspaceFolder | undefined {
  if (uri.path.endsWith(".prompts.md")) return undefined;
  return vscode.workspace.getWorkspaceFolder(uri);
}

/** A Markdown link to the results folder. */
function linkTo({ uri, languageId }: vscode.TextDocument, task: Task): string | undefined {
  return languageId === "markdown" ? markdownOf(task, uri.scheme === "file" ? uri.path : undefined) : undefined;
}
