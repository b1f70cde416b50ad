/** The commands on a task's result: into the workspace, into a document, copy, reveal, fetch again, place. Each fetches the result first where it is missing. */
import { extname } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { AcceptedSubmission, Task } from "../../../domain/task/task";
import type { TaskBoard } from "../../board/board";
import type { PersonsRequest } from "../../results/resultDownloads";
import type { ResultPlacer } from "../../results/resultPlacer";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { commands, internalCommands, views } from "../../../vscode/ids";
import { type AltOptions, askForAlt, hasAlt } from "./askForAlt";
import { insertReferenceAt, placeForReference } from "./insertAtCursor";
import { placeResult } from "./placeResults";
import { findPlaced, keepPlace, proposeTarget, saveIntoFolder, showPath, type WorkspaceCopies } from "./resultTargets";
import { revealInExplorer, revealInFileManager, runForTask, searchFor } from "../../../vscode/interface/runCommand";
import { askWhereToSave } from "../../../vscode/interface/fileDialogs";
import { confirmAction, flashStatus, notifyInformation, showProgress } from "../../../vscode/interface/show";
import { hasResult } from "../../results/resultFile";
import type { TaskTree } from "../tree/taskTree";
import { actionsOf } from "../../view/taskActions";
import { chooseOne } from "../moreActions";
import { replaceAsset } from "./replaceAsset";

export interface ResultCommandOptions extends WorkspaceCopies {
  readonly board: TaskBoard;
  readonly tree: TaskTree;
  readonly dialogs: Dialogs;
  readonly placer: Pick<ResultPlacer, "placeAt" | "restore" | "withMade">;
  readonly alt: AltOptions;
  /** Is called with the URI of a file that was restored. */
  readonly onRestored: (file: string) => void;
  readonly saveResult: (id: string, request: PersonsRequest) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A task that has a result. */
interface Chosen {
  readonly id: string;
  readonly task: Task;
  readonly submission: AcceptedSubmission;
}

export function registerResultCommands(options: ResultCommandOptions): Disposable {
  const { board, tree, dialogs } = options;
  const store = new DisposableStore();
  const chosenOf = (id: string): Chosen | undefined => {
    const task = board.all.get(id);
    return task && hasResult(task) ? { id, task, submission: task.submission } : undefined;
  };
  const runFor = async (id: string, run: (chosen: Chosen) => Promise<unknown>): Promise<void> => {
    const chosen = chosenOf(id);
    if (chosen === undefined) return;
    try {
      await run(chosen);
    } catch (failure) {
      // The message is not awaited: it may stay open, and the other results must not wait for it.
      void dialogs.showFailure(failure, "result", () => void runFor(id, run));
    }
  };
  // A result that still has to be placed goes to its place.
  const save = (chosen: Chosen): Promise<unknown> =>
    actionsOf(chosen.task).includes("place-result") ? place(options, chosen) : saveIntoWorkspace(options, chosen);
  store.add(
    // `file`: the URI of a missing file that is restored from the result, in the place where VS Code passes the other selected rows.
    dialogs.register(commands.saveIntoWorkspace, async (clicked, file) => {
      for (const id of tree.chosenIds([clicked, file]))
        await runFor(id, (chosen) => (typeof file === "string" ? restore(options, id, file) : save(chosen)));
    }),
  );
  const saveChosen = async (args: readonly unknown[]): Promise<void> => {
    const ids = tree.chosenIds(args);
    const [first] = ids.flatMap((id) => chosenOf(id) ?? []);
    const way = first && (await chooseOne(first.task, t("Where should the result go?"), waysOf(first.task), args[2]));
    if (way !== undefined) for (const id of ids) await runFor(id, (chosen) => saveAsChosen(options, chosen, way));
  };
  store.add(dialogs.register(commands.saveResult, (...args) => saveChosen(args)));
  const copyAll = async (ids: readonly string[]): Promise<void> => {
    try {
      await copyPaths(
        options,
        ids.flatMap((id) => chosenOf(id) ?? []),
      );
    } catch (failure) {
      await dialogs.showFailure(failure, "result", () => void copyAll(ids));
    }
  };
  store.add(dialogs.register(commands.copyResultPath, (...args) => copyAll(tree.chosenIds(args))));
  store.add(dialogs.register(internalCommands.findUses, findUses));
  store.add(dialogs.register(commands.replaceAsset, (given) => replaceGiven(options, given)));
  return store;
}

async function restore({ placer, onRestored }: ResultCommandOptions, id: string, file: string): Promise<void> {
  await placer.restore(id, file);
  onRestored(file);
}

const saveWays = [
  "place-result",
  "save-into-workspace",
  "save-as",
  "insert-link",
  "convert",
  "show-saved",
  "get-result",
] as const;
type SaveWay = (typeof saveWays)[number];

const wayLabels: Readonly<Record<SaveWay, () => string>> = {
  "place-result": () => t("Place Result…"),
  "save-into-workspace": () => t("Save into Workspace"),
  "save-as": () => t("Save Result As…"),
  "insert-link": () => t("Insert Link"),
  convert: () => t("Convert and Save…"),
  "show-saved": () => t("Reveal Result"),
  "get-result": () => t("Fetch Result Again"),
};

function waysOf(task: Task): readonly { readonly label: string; readonly value: SaveWay }[] {
  const offered: readonly string[] = actionsOf(task);
  return saveWays
    .filter((way) => way === "save-as" || way === "show-saved" || offered.includes(way))
    .map((way) => ({ label: wayLabels[way](), value: way }));
}

async function saveAsChosen(options: ResultCommandOptions, chosen: Chosen, way: SaveWay): Promise<unknown> {
  switch (way) {
    case "place-result":
      return place(options, chosen);
    case "save-into-workspace":
      return saveIntoWorkspace(options, chosen);
    case "save-as":
      return saveAs(options, chosen);
    case "insert-link":
      return insert(options, chosen);
    case "convert":
      return runForTask(internalCommands.convertResult, chosen.id);
    case "show-saved":
      return reveal(options, chosen);
    case "get-result":
      return fetchAgain(options, chosen);
  }
}

/** The explorer passes the URI of the file, a hover passes it as text. */
function fileGiven(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given;
  return typeof given === "string" ? vscode.Uri.parse(given) : undefined;
}

/** Searches documents and code for the name of the file. */
async function findUses(given: unknown): Promise<void> {
  const name = fileGiven(given)?.path.split("/").at(-1) ?? "";
  if (name !== "") await searchFor(name);
}

async function replaceGiven(options: ResultCommandOptions, given: unknown): Promise<void> {
  const { board, saveResult, dialogs, placer, now } = options;
  const file = fileGiven(given);
  if (file === undefined) return;
  try {
    await board.loaded();
    await replaceAsset(
      {
        tasks: () => board.all,
        fetch: (id) => showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(id, { signal })),
        withMade: (id, source, use) => placer.withMade(id, source, file.toString(), use),
        keep: (id, copy) => board.applyThenWrite({ type: "task-copied", id, copy }),
        now,
      },
      file,
    );
  } catch (failure) {
    await dialogs.showFailure(failure, "result", () => void replaceGiven(options, given));
  }
}

function fetchResult({ saveResult }: ResultCommandOptions, { id }: Chosen, anew = false): Promise<string> {
  return showProgress(views.tasks, t("Getting the result"), (signal) => saveResult(id, { signal, anew }));
}

/** Resolves with the copy in the workspace; `undefined` when the person has chosen no folder. */
async function saveIntoWorkspace(options: ResultCommandOptions, chosen: Chosen): Promise<vscode.Uri | undefined> {
  return saveFetched(options, chosen, await fetchResult(options, chosen));
}

async function saveFetched(
  options: ResultCommandOptions,
  chosen: Chosen,
  source: string,
): Promise<vscode.Uri | undefined> {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return saveAs(options, chosen);
  const target = await saveIntoFolder(options, chosen.task.intent, source);
  if (target === undefined) return undefined;
  await keepPlace(options, chosen.task, target);
  flashStatus("check", t("Saved as {0}", showPath(target)), 5000);
  return target;
}

async function saveAs(options: ResultCommandOptions, chosen: Chosen): Promise<vscode.Uri | undefined> {
  const source = await fetchResult(options, chosen);
  const target = await askWhereToSave(t("Save Result As"), await proposeTarget(options, chosen.task.intent, source));
  if (target === undefined) return undefined;
  // The dialog has asked whether an existing file is replaced.
  await placeResult(source, target, true);
  if (vscode.workspace.getWorkspaceFolder(target)) await keepPlace(options, chosen.task, target);
  flashStatus("check", t("Saved as {0}", showPath(target)), 5000);
  return target;
}

/**
 * Inserts a reference at the cursor, in the language of the document. A file that is not in the workspace is saved there after the last question, so
 * that Esc leaves nothing behind.
 */
async function insert(options: ResultCommandOptions, chosen: Chosen): Promise<void> {
  const place = placeForReference();
  if (!place) return;
  const placed = await findPlaced(options, chosen.task);
  const file = placed ?? vscode.Uri.file(await fetchResult(options, chosen));
  const { prompt } = chosen.task.intent;
  const alt = hasAlt(place.editor.document, file) ? await askForAlt(options.alt, { file, prompt }) : prompt;
  if (alt === undefined || place.editor.document.isClosed) return;
  // The question may have stayed open while the result was placed.
  const task = options.board.all.get(chosen.id) ?? chosen.task;
  const target = (await findPlaced(options, task)) ?? (await saveFetched(options, chosen, file.fsPath));
  if (target !== undefined) await insertReferenceAt(place, target, alt);
}

async function reveal(options: ResultCommandOptions, chosen: Chosen): Promise<void> {
  const placed = await findPlaced(options, chosen.task);
  if (placed) {
    await revealInExplorer(placed);
    return;
  }
  const path = await fetchResult(options, chosen);
  try {
    await revealInFileManager(path);
  } catch {
    const copy = t("Copy Path");
    const told = t("This window has no file manager. The result is at {0}", path);
    if ((await notifyInformation(told, copy)) === copy) await vscode.env.clipboard.writeText(path);
  }
}

async function fetchAgain(options: ResultCommandOptions, chosen: Chosen): Promise<void> {
  const path = await fetchResult(options, chosen, true);
  flashStatus("check", t("The result was fetched again: {0}", showPath(vscode.Uri.file(path))), 5000);
}

/** Asks for a place where the result could not be placed, because a file is in the way or the folder could not be written. */
async function place(options: ResultCommandOptions, chosen: Chosen): Promise<void> {
  const { placement } = chosen.submission;
  if (placement === undefined) return;
  const source = await fetchResult(options, chosen);
  const proposed = vscode.Uri.parse(placement.file);
  const target = await askWhereToSave(t("Place Result"), proposed.with({ path: withEnding(proposed.path, source) }));
  if (target === undefined) return;
  const outcome = await options.placer.placeAt(chosen.id, target.toString(), false);
  if (outcome === "occupied") {
    const question = t("Replace {0}?", showPath(target));
    const detail = t("The file that is there is not part of Sluice's results.");
    if (!(await confirmAction(question, t("Replace"), detail))) return;
    await options.placer.placeAt(chosen.id, target.toString(), true);
  }
  flashStatus("check", t("Saved as {0}", showPath(target)), 5000);
}

function withEnding(path: string, source: string): string {
  const ending = extname(source);
  return path.toLowerCase().endsWith(ending) ? path : `${path}${ending}`;
}

/** Copies one path a line. If a result can't be fetched, the paths before it are copied. */
async function copyPaths(options: ResultCommandOptions, all: readonly Chosen[]): Promise<void> {
  const paths: string[] = [];
  try {
    for (const chosen of all)
      paths.push((await findPlaced(options, chosen.task))?.fsPath ?? (await fetchResult(options, chosen)));
  } finally {
    if (paths.length > 0) await vscode.env.clipboard.writeText(paths.join("\n"));
  }
}
