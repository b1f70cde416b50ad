/** Says once which settings can't be used, and which a remote machine holds that are no longer read there. */
import { readFile } from "node:fs/promises";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Disposable } from "../../base/disposable";
import { type SettingId, settingIds } from "../../domain/settingTable";
import { openFile, openSettings } from "./runCommand";
import type { Settings } from "../settings/settings";
import { notifyInformation, notifyWarning } from "./show";

const named = (list: readonly SettingId[]): string => list.map((id) => `sluice.${id}`).join(", ");

/** Of the extension, in VS Code's editor of settings. */
export const allSettings = "@ext:sluice.sluice";

/** One message for all values that can't be used, again when others are added. */
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

const toldKey = "remoteSettingsTold";

/**
 * Earlier versions read the settings of a remote window from that machine's own file, which a repository's dev container can write.
 * `file`: that file. The person hears once that what is set there no longer applies.
 */
export async function tellRemoteSettings(file: string, memory: vscode.Memento): Promise<void> {
  if (memory.get(toldKey) === true) return;
  const text = await readFile(file, "utf8").catch(() => "");
  const found = settingIds.filter((id) => text.includes(`"sluice.${id}"`));
  if (found.length === 0) return;
  await memory.update(toldKey, true);
  const [open, show] = [t("Open Settings"), t("Show the Old File")];
  const answer = await notifyInformation(
    t(
      "Sluice now reads your user settings here too. What this remote machine's settings say no longer applies: {0}",
      named(found),
    ),
    open,
    show,
  );
  if (answer === open) await openSettings(allSettings);
  if (answer === show) await openFile(file);
}
