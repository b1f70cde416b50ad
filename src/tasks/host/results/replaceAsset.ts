/** *Replace with Another Variant…*: puts a result of the same batch, or one made from the same task, in the place of a file of the project (T17). */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ProjectCopy, Task } from "../../../domain/task/task";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { resultFile } from "../../results/resultFile";
import { otherVariants, placedTasks, timeOfPlacing } from "../../results/placedTasks";
import { StepPicker } from "../../../vscode/interface/pickSteps";
import { runTaskAction } from "../tree/runTaskAction";
import { confirmAction, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { resultPicks } from "../submit/referenceSteps";
import { placeResult, readIfThere } from "./placeResults";
import { showPath } from "./resultTargets";

export interface ReplaceOptions {
  readonly tasks: () => ReadonlyMap<string, Task>;
  /** Resolves with the file of the result on this machine; fetches it where it is not there. */
  readonly fetch: (id: string) => Promise<string>;
  /** Calls `use` with the path of the exact file that is made of the result, where the file is one. `id`: the task that the file is of. */
  readonly withMade: <T>(id: string, source: string, use: (made?: string) => Promise<T>) => Promise<T>;
  /** Stores that the file is now a copy of the task's result. The place of the result itself does not change. */
  readonly keep: (id: string, copy: ProjectCopy) => Promise<void>;
  readonly now: () => number;
}

/** Bytes of a file that are kept for *Undo*. A larger one is not replaced: it could not be brought back. */
const undoCap = 256 * 1024 * 1024;

export async function replaceAsset(options: ReplaceOptions, file: vscode.Uri): Promise<void> {
  const tasks = options.tasks();
  const task = placedTasks(tasks.values()).get(file.toString());
  if (task === undefined) {
    void notifyInformation(t("{0} is not known as a result of a task.", showPath(file)));
    return;
  }
  const others = otherVariants(task, tasks);
  if (others.length === 0) {
    await offerVariants(task, file);
    return;
  }
  const chosen = await chooseVariant(others, file, options.now());
  if (chosen === undefined) return;
  const result = await options.fetch(chosen.intent.id);
  const replaced = await options.withMade(task.intent.id, result, async (made) => {
    // What is made has the format of the file.
    if (made !== undefined || extname(result).toLowerCase() === extname(file.path).toLowerCase())
      return replace(options, { file, source: made ?? result, task, chosen });
    const said = t(
      "The variant is a {0} file and can't replace {1}. Save it as a second file.",
      extname(result),
      showPath(file),
    );
    void notifyInformation(said);
    return undefined;
  });
  // What was made of the result is removed by now: the message may stay open.
  if (replaced === undefined) return;
  const { bytes, before } = replaced;
  if (await offerUndo(file, bytes, before, t("{0} is another variant now.", showPath(file))))
    await keepCopy(options, task, file);
}

function keepCopy({ tasks, keep, now }: ReplaceOptions, { intent }: Task, uri: vscode.Uri): Promise<void> {
  const file = uri.toString();
  return keep(intent.id, { file, at: timeOfPlacing(tasks().values(), file, now()) });
}

async function offerVariants({ intent }: Task, file: vscode.Uri): Promise<void> {
  const make = t("Make 4 Variants…");
  const said = t("There is no other variant of {0} yet.", showPath(file));
  if ((await notifyInformation(said, make)) === make) await runTaskAction("make-variants", intent.id);
}

async function chooseVariant(variants: readonly Task[], file: vscode.Uri, now: number): Promise<Task | undefined> {
  const picker = new StepPicker(t("Replace {0}", showPath(file)));
  try {
    const answer = await picker.ask({
      placeholder: t("The variant that takes its place"),
      choices: resultPicks(variants, now),
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

/**
 * Gives a changed file the bytes of its result again, after a yes. `source`: the result on this machine. `onChanged` is called when the file has
 * changed, also by *Undo*.
 */
export async function restoreAsset(file: vscode.Uri, source: string, onChanged: () => void): Promise<void> {
  const path = showPath(file);
  if (await isTooLarge(file)) return;
  const detail = t("Its present content is kept only for an undo right after.");
  if (!(await confirmAction(t("Restore {0} as it was made?", path), t("Restore"), detail))) return;
  const bytes = await readFile(source);
  const before = await vscode.workspace.fs.readFile(file);
  await placeResult(source, file, true);
  onChanged();
  if (await offerUndo(file, bytes, before, t("{0} is as it was made again.", path))) onChanged();
}

/** Whether the file is too large to be kept for *Undo*. If it is, a message says so. */
async function isTooLarge(file: vscode.Uri): Promise<boolean> {
  if ((await vscode.workspace.fs.stat(file)).size <= undoCap) return false;
  const said = t("{0} is too large to be replaced with an undo. Save the variant as a second file.", showPath(file));
  void notifyInformation(said);
  return true;
}

interface Replacement {
  readonly file: vscode.Uri;
  /** Path of the variant on this machine, as it is made for the file. */
  readonly source: string;
  /** The task whose result the file is now. */
  readonly task: Task;
  readonly chosen: Task;
}

interface Replaced {
  readonly bytes: Buffer;
  /** The bytes that the file had. */
  readonly before: Uint8Array;
}

/** `undefined` where nothing was replaced. */
async function replace(
  options: ReplaceOptions,
  { file, source, task, chosen }: Replacement,
): Promise<Replaced | undefined> {
  if (await isTooLarge(file)) return undefined;
  const detail = (await isAsSaved(options, file, task))
    ? t("It can be undone right after. The former one stays in your results.")
    : t("The file differs from your result. Its present content is kept only for an undo right after.");
  const question = t("Replace {0} with this variant?", showPath(file));
  if (!(await confirmAction(question, t("Replace"), detail))) return undefined;
  const bytes = await readFile(source);
  // The file is read again, because it may have been changed while the question was open.
  const before = await vscode.workspace.fs.readFile(file);
  await placeResult(source, file, true);
  await keepCopy(options, chosen, file);
  return { bytes, before };
}

/** Whether the file has the bytes that the task's result on this machine has, or that are made of it for this file. */
async function isAsSaved(options: ReplaceOptions, file: vscode.Uri, task: Task): Promise<boolean> {
  const path = resultFile(task)?.path;
  if (path === undefined) return false;
  const found = await vscode.workspace.fs.readFile(file);
  try {
    return await options.withMade(task.intent.id, path, async (made) => (await readFile(made ?? path)).equals(found));
  } catch {
    // The result is gone or can't be converted again, so there is nothing to compare the file with.
    return false;
  }
}

/**
 * Shows `notice` with the button *Undo*, and resolves with whether the file has its former bytes again. A file that has been changed since it was
 * replaced is left alone.
 */
async function offerUndo(file: vscode.Uri, placed: Buffer, before: Uint8Array, notice: string): Promise<boolean> {
  const path = showPath(file);
  const undo = t("Undo");
  let asked = notifyInformation(notice, undo);
  while ((await asked) === undo) {
    try {
      const found = await readIfThere(file);
      if (found !== undefined && !placed.equals(found)) {
        void notifyInformation(t("{0} has been changed since it was replaced, so it was left as it is.", path));
        return false;
      }
      await vscode.workspace.fs.writeFile(file, before);
      return true;
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure);
      asked = notifyWarning(t("{0} could not be restored: {1}", path, quoteForeign(message)), undo);
    }
  }
  return false;
}
