/** Shows once which settings have values that can't be used. */
import { t } from "@vscode/l10n";
import type { Disposable } from "../../base/disposable";
import type { SettingId } from "../../domain/settingTable";
import { openSettings } from "./runCommand";
import type { Settings } from "../settings";
import { notifyWarning } from "./show";

const named = (list: readonly SettingId[]): string => list.map((id) => `sluice.${id}`).join(", ");

/** The query for all settings of the extension in VS Code's editor of settings. */
export const allSettings = "@ext:sluice.sluice";

/** Shows one message for all values that can't be used, and again when others are added. */
export function createSettingNotices({ unusable }: Pick<Settings, "unusable">): Disposable {
  const told = new Set<SettingId>();
  const tell = async (): Promise<void> => {
    const bad = unusable.read();
    const isNew = bad.some((id) => !told.has(id));
    told.clear();
    for (const id of bad) told.add(id);
    if (!isNew) return;
    const open = t("Open Settings");
    const answer = await notifyWarning(
      t("These settings have values that can't be used, so their defaults apply: {0}", named(bad)),
      open,
    );
    if (answer === open) await openSettings(bad.length === 1 ? `@id:${named(bad)}` : allSettings);
  };
  void tell();
  return unusable.onDidChange(() => void tell());
}
