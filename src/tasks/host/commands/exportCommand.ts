/** *Export Tasks as CSV…* (T10). */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { abortable } from "../../../base/async/abort";
import type { Clock } from "../../../base/clock";
import type { Disposable } from "../../../base/disposable";
import type { TaskBoard } from "../../board/board";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { internalCommands, views } from "../../../vscode/ids";
import { openFile } from "../../../vscode/interface/runCommand";
import { askWhereToExport } from "../../../vscode/interface/fileDialogs";
import { notifyInformation, showProgress } from "../../../vscode/interface/show";
import { tasksToCsv } from "../../view/tasksToCsv";

export interface ExportPorts {
  readonly board: TaskBoard;
  readonly dialogs: Dialogs;
  readonly clock: Clock;
}

export function registerExportCommand(ports: ExportPorts): Disposable {
  return ports.dialogs.register(internalCommands.exportCsv, () => exportCsv(ports));
}

/** Tasks on disk that can't be counted. */
function notRead({ file }: TaskBoard): number {
  return file.current.unread + file.current.unreadable;
}

async function exportCsv({ board, clock }: ExportPorts): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const file = await askWhereToExport(t("Export Tasks as CSV"), `sluice-tasks-${day}.csv`, { CSV: ["csv"] });
  if (!file) return;
  let count = 0;
  await showProgress(views.tasks, t("Exporting the tasks"), async (signal) => {
    await abortable(board.loaded(), signal);
    const tasks = new Map(board.all.tasks);
    count = tasks.size;
    const text = await tasksToCsv(tasks, signal);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  });
  const open = t("Open File");
  if ((await notifyInformation(exportedWords(count, count + notRead(board)), open)) === open) await openFile(file);
}

function exportedWords(count: number, of: number): string {
  if (count === of) return plural(count, { one: "1 task was exported.", other: "{0} tasks were exported." });
  return plural(of, { other: "{0} of {1} tasks were exported: the others can't be read now." }, count, of);
}
