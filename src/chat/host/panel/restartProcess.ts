/** *Restart with Network…*: what serves in the sandbox is started again where a browser reaches it, by Sluice itself and after a question. */
import { t } from "@vscode/l10n";
import type { BackgroundProcesses } from "../../../tools/command/backgroundProcesses";
import { revealHidden } from "../../../base/text/revealHidden";
import { askBefore, notifyWarning } from "../../../vscode/interface/show";

export async function restartProcess(
  background: Pick<BackgroundProcesses, "running" | "restart">,
  id: string,
): Promise<void> {
  const process = background.running.find((one) => one.id === id);
  const port = process?.heldPort;
  if (!process || port === undefined) return;
  const line = revealHidden(process.line);
  const detail = t(
    "It ends, and starts again in the sandbox with the network of this computer: it can reach the internet and local services, and a browser reaches it at 127.0.0.1:{0}.",
    port,
  );
  if (!(await askBefore(t("Restart {0} with the network?", line), t("Restart"), detail))) return;
  const restart = await background.restart(id);
  if (restart === "taken") void notifyWarning(t("Another program serves port {0} already. {1} goes on.", port, line));
  if (restart === "failed") void notifyWarning(t("{0} could not be started again. It has ended.", line));
}
