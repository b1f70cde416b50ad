/** *Show Money* and *Export Tasks as CSV…* (T10). */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { abortable } from "../../../base/async/abort";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { TaskBoard } from "../../../tasks/board/board";
import type { Dialogs } from "../../interface/dialogs";
import { commands, views } from "../../ids";
import type { ReportDocuments } from "../../interface/reportDocuments";
import { openFile } from "../../interface/runCommand";
import { askWhereToExport } from "../../interface/fileDialogs";
import { notifyInformation, showProgress } from "../../interface/show";

export interface MoneyCommandPorts {
  readonly board: TaskBoard;
  readonly dialogs: Dialogs;
  readonly reports: ReportDocuments;
  readonly clock: Clock;
  /** Reads the events of a task. Never rejects. */
  readonly loadEvents: (id: string) => Promise<void>;
}

/** Ended tasks whose events are read when the list is shown, newest first, and the milliseconds between two of them. */
const maxRead = 100;
const readGap = 250;

export function registerMoneyCommands(ports: MoneyCommandPorts): Disposable {
  const { dialogs } = ports;
  const store = new DisposableStore();
  const ended = new AbortController();
  store.add({ dispose: () => ended.abort() });
  store.add(dialogs.register(commands.showMoney, () => showMoney(ports, ended.signal)));
  store.add(dialogs.register(commands.exportCsv, () => exportCsv(ports)));
  return store;
}

/** What the events of ended tasks show of their release is read while the list is already there. */
async function showMoney({ board, reports, clock, loadEvents }: MoneyCommandPorts, signal: AbortSignal): Promise<void> {
  const [{ moneyReport, releasesNotSeen }, { createTimes }] = await Promise.all([
    import("../../../tasks/view/moneyReport"),
    import("../../../tasks/view/taskWords"),
  ]);
  const write = (): string => {
    const now = clock.now();
    return moneyReport(board.all.tasks.values(), createTimes(vscode.env.language, now), now, notRead(board));
  };
  const title = t("Money");
  await showProgress(views.tasks, t("Reading the tasks"), (cancelled) => abortable(board.loaded(), cancelled));
  await reports.show(title, write());
  for (const id of releasesNotSeen(board.all.tasks.values()).slice(0, maxRead)) {
    await loadEvents(id);
    reports.update(title, write());
    await clock.delay(readGap, signal);
  }
}

/** Tasks on disk that can't be counted. */
function notRead({ file }: TaskBoard): number {
  return file.current.unread + file.current.unreadable;
}

async function exportCsv({ board, clock }: MoneyCommandPorts): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const file = await askWhereToExport(t("Export Tasks as CSV"), `sluice-tasks-${day}.csv`, { CSV: ["csv"] });
  if (!file) return;
  const { tasksToCsv } = await import("../../../tasks/view/tasksToCsv");
  let count = 0;
  await showProgress(views.tasks, t("Exporting the tasks"), async (signal) => {
    await abortable(board.loaded(), signal);
    const tasks = [...board.all.tasks.values()];
    count = tasks.length;
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
