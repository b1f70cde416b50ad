/** The one place that shows an error: its words and its one action come from `describeError`. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbort } from "../base/abort";
import { describeError, type Doing, type ErrorAction, type ErrorDescription } from "../domain/describeError";
import { GatewayFailure, toGatewayError } from "../domain/errors";
import type { Log } from "../domain/ports";
import { type CommandId, commands } from "./ids";
import type { Settings } from "./settings";

export interface Dialogs {
  /** Shows a failure of ours; an abort shows nothing. `retry` is what *Try Again* and *Reconcile* do. */
  showFailure(failure: unknown, doing: Doing, retry?: () => void): Promise<void>;
  showError(description: ErrorDescription, retry?: () => void): Promise<void>;
  act(action: ErrorAction, retry?: () => void): void;
  /** Registers a command whose failures are shown, never swallowed. */
  register(id: CommandId, run: (...args: unknown[]) => unknown): vscode.Disposable;
}

/** `isLocal`: the gateway is the one that ships inside, whose console is its own page. */
export function createDialogs(settings: Settings, log: Log, isLocal: () => boolean): Dialogs {
  const act = (action: ErrorAction, retry?: () => void): void => {
    switch (action) {
      case "set-key":
        void vscode.commands.executeCommand(commands.setKey);
        return;
      case "choose-gateway":
        void vscode.commands.executeCommand(commands.chooseGateway);
        return;
      case "choose-model":
        void vscode.commands.executeCommand(commands.chooseModel);
        return;
      case "open-console":
        if (isLocal()) void vscode.commands.executeCommand(commands.showLocalGateway);
        else openConsole(settings);
        return;
      case "show-log":
        void vscode.commands.executeCommand(commands.showLog);
        return;
      case "retry":
      case "reconcile":
        retry?.();
        return;
    }
  };
  const showError = async ({ title, meaning, action }: ErrorDescription, retry?: () => void): Promise<void> => {
    const needsRetry = action.id === "retry" || action.id === "reconcile";
    const buttons = needsRetry && !retry ? [] : [action.label];
    const chosen = await vscode.window.showErrorMessage(`${title} ${meaning}`, ...buttons);
    if (chosen !== undefined) act(action.id, retry);
  };
  const showFailure = async (failure: unknown, doing: Doing, retry?: () => void): Promise<void> => {
    if (isAbort(failure)) return;
    if (!(failure instanceof GatewayFailure)) {
      const message = failure instanceof Error ? failure.message : String(failure);
      log.error("A command failed.", { message });
      const show = t("Show Log");
      const chosen = await vscode.window.showErrorMessage(t("Sluice could not do this: {0}", message), show);
      if (chosen === show) act("show-log");
      return;
    }
    await showError(describeError(toGatewayError(failure), doing), retry);
  };
  return {
    act,
    showError,
    showFailure,
    register: (id, run) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          await run(...args);
        } catch (failure) {
          await showFailure(failure, "read");
        }
      }),
  };
}

function openConsole(settings: Settings): void {
  const url = settings.consoleUrl();
  if (url === "") void vscode.commands.executeCommand("workbench.action.openSettings", "sluice.consoleUrl");
  else void vscode.env.openExternal(vscode.Uri.parse(url));
}
