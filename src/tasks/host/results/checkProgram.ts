/** Puts the program that checks `sluice.lock` into the project, next to the lock: CI has no Sluice, and runs it with Node alone. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { lockName } from "../../../domain/lock/lockFile";
import { confirmAction, flashStatus, notifyInformation } from "../../../vscode/interface/show";
import { readBelow } from "../../lock/lockedFiles";
import { lockRoots } from "./lockedStates";
import { placeResult } from "./placeResults";
import { showPath } from "./resultTargets";

const programName = "sluice-lock-check.mjs";
/** Bytes: the program is far smaller. */
const maxProgramBytes = 4 * 1024 ** 2;

function programOf(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, "dist", programName);
}

/** The folders of this window that have a lock, and not the check program of this version. */
export async function rootsWithoutCheck(extensionUri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const own = await vscode.workspace.fs.readFile(programOf(extensionUri)).then(
    (bytes) => bytes,
    () => undefined,
  );
  // A build without the program offers none.
  if (own === undefined) return [];
  const found = await Promise.all(
    lockRoots().map(async (root) => {
      if ((await readBelow(root, lockName, 0).catch(() => "missing" as const)) === "missing") return [];
      const there = await readBelow(root, programName, maxProgramBytes).catch(() => "missing" as const);
      return typeof there !== "string" && there.equals(own) ? [] : [vscode.Uri.file(root)];
    }),
  );
  return found.flat();
}

/** Copies it into these folders. Another file of that name is replaced after a yes. */
export async function addCheck(extensionUri: vscode.Uri, roots: readonly vscode.Uri[]): Promise<void> {
  const source = programOf(extensionUri).fsPath;
  let added: vscode.Uri | undefined;
  for (const root of roots) {
    const target = vscode.Uri.joinPath(root, programName);
    if ((await placeResult(source, target, false)) === "occupied") {
      const detail = t("The file that is there is not the check of this version of Sluice.");
      if (!(await confirmAction(t("Replace {0}?", showPath(target)), t("Replace"), detail))) continue;
      await placeResult(source, target, true);
    }
    added = target;
  }
  if (added !== undefined) void sayHow(showPath(added));
}

async function sayHow(path: string): Promise<void> {
  const [command, copy] = [`node ${programName}`, t("Copy Command")];
  const told = t("{0} is in the project. Commit it, and have CI run: {1}", path, command);
  if ((await notifyInformation(told, copy)) !== copy) return;
  await vscode.env.clipboard.writeText(command);
  flashStatus("check", t("Copied."), 3000);
}
