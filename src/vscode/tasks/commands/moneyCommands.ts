/** *Show Money* and *Export Tasks as CSV…* (T10). */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { acceptedOf } from "../../../domain/task/phase";
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
const maxRead = 20;
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
    return moneyReport(board.tasks.values(), createTimes(vscode.env.language, now), now);
  };
  const title = t("Money");
  await reports.show(title, write());
  const unread = releasesNotSeen(board.tasks.values()).filter((id) => {
    const accepted = acceptedOf(board.tasks.get(id));
    return accepted !== undefined && accepted.events === undefined;
  });
  for (const id of unread.slice(0, maxRead)) {
    await loadEvents(id);
    reports.update(title, write());
    await clock.delay(readGap, signal);
  }
}

async function exportCsv({ board, clock }: MoneyCommandPorts): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const file = await askWhereToExport(t("Export Tasks as CSV"), `sluice-tasks-${day}.csv`, { CSV: ["csv"] });
  if (!file) return;
  const { tasksToCsv } = await import("../../../tasks/view/tasksToCsv");
  const count = board.tasks.size;
  await showProgress(views.tasks, t("Exporting the tasks"), async (signal) => {
    const text = await tasksToCsv([...board.tasks.values()], signal);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  });
  const open = t("Open File");
  if (
    (await notifyInformation(
      plural(count, { one: "1 task was exported.", other: "{0} tasks were exported." }),
      open,
    )) === open
  )
    await openFile(file);
}
