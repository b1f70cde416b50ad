/** The status bar item: shown only while tasks run or need attention (T11). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import { isRunning } from "../domain/task";
import type { TaskBoard } from "../tasks/board";
import type { TaskPoller } from "../tasks/poller";
import { formatsOf } from "../tasks/timeFormats";
import { focusTasks } from "./ids";
import { createStatusItem, type StatusPart } from "./show";

export function createStatusBar(board: TaskBoard, poller: TaskPoller): Disposable {
  const store = new DisposableStore();
  const item = store.add(createStatusItem("sluice.tasks", t("Sluice Tasks"), focusTasks));
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
    const active: StatusPart =
      pausedUntil === undefined
        ? { icon: "loading~spin", text: String(running) }
        : { icon: "debug-pause", text: time.format(pausedUntil) };
    const parts: StatusPart[] = [
      ...(running > 0 ? [active] : []),
      ...(attention > 0 ? [{ icon: "warning", text: String(attention) } as const] : []),
    ];
    item.show(parts, t("Sluice: {0} running, {1} need attention. Show the tasks.", running, attention));
  };
  store.add(board.onDidChange(draw));
  store.add(poller.status.onDidChange(draw));
  draw();
  return store;
}
