/** The status bar item: shown only while tasks run or need attention (T11). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plural } from "../../../domain/words/plural";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { ReadonlyStore } from "../../../base/store";
import type { TaskPoller } from "../../polling/poller";
import type { PollerStatus } from "../../polling/pollingStatus";
import type { TaskCounts } from "../../view/taskCounts";
import { createTimes, type Times } from "../../../domain/words/timeFormats";
import { commands, focusTasks } from "../../../vscode/ids";
import { createStatusItem, type StatusPart } from "../../../vscode/interface/show";

export interface StatusBarOptions {
  readonly counts: ReadonlyStore<TaskCounts>;
  readonly poller: Pick<TaskPoller, "status">;
  readonly clock: Clock;
  /** The gateway that ships inside is in use. */
  readonly isLocal: () => boolean;
}

export function createStatusBar({ counts, poller, clock, isLocal }: StatusBarOptions): Disposable {
  const store = new DisposableStore();
  const item = store.add(createStatusItem("sluice.tasks", t("Sluice Tasks"), focusTasks));
  const draw = (): void => {
    const { running, attention } = counts.current;
    if (running + attention === 0) {
      item.hide();
      return;
    }
    const times = createTimes(vscode.env.language, clock.now());
    // While no task runs, no task waits for the gateway, so the state of the poller is not shown.
    const status: PollerStatus = running === 0 ? {} : poller.status.current;
    const { pausedUntil, offlineSince } = status;
    const obstacle: StatusPart | undefined =
      pausedUntil !== undefined
        ? { icon: "debug-pause", text: t("until {0}", times.short(pausedUntil)) }
        : offlineSince !== undefined
          ? { icon: "debug-disconnect", text: String(running) }
          : undefined;
    // The icon does not turn: an animated one makes the window draw twenty times a second for as long as a task runs.
    const parts: StatusPart[] = [
      ...(obstacle ? [obstacle] : running > 0 ? [{ icon: "sync", text: String(running) } as const] : []),
      ...(attention > 0 ? [{ icon: "warning", text: String(attention) } as const] : []),
    ];
    const link = { label: t("Show Local Gateway"), command: commands.showLocalGateway };
    item.show(parts, describe(counts.current, status, times, isLocal()), isLocal() ? link : undefined);
  };
  store.add(counts.onDidChange(draw));
  store.add(poller.status.onDidChange(draw));
  draw();
  return store;
}

function describe(counts: TaskCounts, status: PollerStatus, times: Times, isLocal: boolean): string {
  const { running, attention, holdsOpen, withoutKey } = counts;
  const { pausedUntil, offlineSince } = status;
  const sentences = [
    running > 0 ? plural(running, { one: "1 task runs.", other: "{0} tasks run." }) : "",
    holdsOpen > 0
      ? plural(holdsOpen, { one: "The money of 1 task is reserved.", other: "The money of {0} tasks is reserved." })
      : "",
    attention > 0 ? plural(attention, { one: "1 task needs attention.", other: "{0} tasks need attention." }) : "",
    pausedUntil === undefined ? "" : t("The gateway has paused reading until {0}.", times.short(pausedUntil)),
    offlineSince === undefined ? "" : t("The gateway has not been reached since {0}.", times.short(offlineSince)),
    withoutKey === 0 ? "" : t("A key is not set or refused."),
    isLocal ? t("The local gateway is free.") : "",
    t("Show the Tasks view."),
  ];
  return `${t("Sluice:")} ${sentences.filter((sentence) => sentence !== "").join(" ")}`;
}
