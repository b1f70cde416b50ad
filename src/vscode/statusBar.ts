/** One item, there only while something runs or needs the person (T11). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { isRunning } from "../domain/task";
import type { TaskBoard } from "../tasks/board";
import type { TaskPoller } from "../tasks/poller";
import { formatsOf } from "../tasks/timeFormats";
import { focusTasks } from "./ids";

export function createStatusBar(board: TaskBoard, poller: TaskPoller): Disposable {
  const store = new DisposableStore();
  const item = store.add(vscode.window.createStatusBarItem("sluice.tasks", vscode.StatusBarAlignment.Left, 0));
  item.name = t("Sluice Tasks");
  item.command = focusTasks;
  const draw = (): void => {
    let running = 0;
    let attention = 0;
    for (const task of board.tasks.values()) {
      const { state } = task.submission;
      if (state === "prepared" || state === "sending" || isRunning(task)) running += 1;
      else if (state === "not-accepted" || state === "outcome-unknown") attention += 1;
    }
    const { pausedUntil } = poller.status.current;
    if (running + attention === 0) {
      item.hide();
      return;
    }
    const { time } = formatsOf(vscode.env.language);
    const parts = [
      ...(running > 0
        ? [pausedUntil === undefined ? `$(loading~spin) ${running}` : `$(debug-pause) ${time.format(pausedUntil)}`]
        : []),
      ...(attention > 0 ? [`$(warning) ${attention}`] : []),
    ];
    item.text = parts.join(" ");
    item.tooltip = t("Sluice: {0} running, {1} need attention. Show the tasks.", running, attention);
    item.accessibilityInformation = { label: item.tooltip };
    item.show();
  };
  store.add(board.onDidChange(draw));
  store.add(poller.status.onDidChange(draw));
  draw();
  return store;
}
