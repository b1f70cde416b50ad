/** The notification of ended tasks (T11): *Show* selects the row, *Don't Notify* mutes them in the settings. */
import { t } from "@vscode/l10n";
import type { Disposable } from "../../../base/disposable";
import { type AnnouncementPorts, Announcements } from "../../view/endAnnouncements";
import type { Settings } from "../../../vscode/settings/settings";
import { notifyInformation } from "../../../vscode/interface/show";
import type { TaskTree } from "./taskTree";

export interface NotificationPorts extends Omit<AnnouncementPorts, "level" | "isViewVisible" | "notify"> {
  readonly settings: Pick<Settings, "get" | "muteNotifications">;
  readonly tree: TaskTree;
}

export function createTaskNotifications({ settings, tree, ...ports }: NotificationPorts): Disposable {
  const notify = async (message: string, first: string): Promise<void> => {
    const show = t("Show");
    const mute = t("Don't Notify");
    const chosen = await notifyInformation(message, show, mute);
    if (chosen === show) await tree.reveal(first);
    else if (chosen === mute) await settings.muteNotifications();
  };
  return new Announcements({
    ...ports,
    level: () => settings.get("notifications"),
    isViewVisible: () => tree.view.visible,
    notify: (message, first) => void notify(message, first).catch(() => undefined),
  });
}
