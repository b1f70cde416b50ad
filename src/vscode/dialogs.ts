/** Shows errors, for every command and view: title, meaning and the one action come from `describeError`. */
import { t } from "@vscode/l10n";
import { isAbort } from "../base/abort";
import { describeError, type Doing, type ErrorAction, type ErrorDescription } from "../domain/describeError";
import { GatewayFailure, toGatewayError } from "../domain/errors";
import type { Log } from "../domain/ports";
import type { Disposable } from "../base/disposable";
import type { CommandHandler } from "./firstUse";
import { type CommandId, commands } from "./ids";
import { openOutside } from "./openOutside";
import { judgeConsole } from "./outsideAddress";
import { openSettings, runCommand } from "./runCommand";
import type { Settings } from "./settings";
import { notifyError } from "./show";
import { shownLine } from "./shownText";

export interface Dialogs {
  /** Shows a failure of ours; an abort shows nothing. `retry` is what *Try Again* and *Reconcile* do. */
  showFailure(failure: unknown, doing: Doing, retry?: () => void): Promise<void>;
  showError(description: ErrorDescription, retry?: () => void): Promise<void>;
  act(action: ErrorAction, retry?: () => void): void;
  /** Registers a command whose failures are shown, never swallowed. */
  register(id: CommandId, run: (...args: unknown[]) => unknown): Disposable;
}

/** Of a title, in characters: the meaning that follows has room in the message. */
const longestTitle = 500;

export interface DialogPorts {
  readonly settings: Settings;
  readonly log: Log;
  /** The gateway is the one that ships inside, whose console is its own page. */
  readonly isLocal: () => boolean;
  readonly handle: (id: CommandId, run: CommandHandler) => Disposable;
}

export function createDialogs({ settings, log, isLocal, handle }: DialogPorts): Dialogs {
  const act = (action: ErrorAction, retry?: () => void): void => {
    switch (action) {
      case "set-key":
        void runCommand(commands.setKey);
        return;
      case "choose-gateway":
        void runCommand(commands.chooseGateway);
        return;
      case "choose-model":
        void runCommand(commands.chooseModel);
        return;
      case "open-console":
        if (isLocal()) void runCommand(commands.showLocalGateway);
        else void openConsole(settings);
        return;
      case "show-log":
        void runCommand(commands.showLog);
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
    // The meaning, which says what is paid, comes last: a long title must not push it out of the message.
    const chosen = await notifyError(`${shownLine(title, longestTitle)} ${meaning}`, ...buttons);
    if (chosen !== undefined) act(action.id, retry);
  };
  const showFailure = async (failure: unknown, doing: Doing, retry?: () => void): Promise<void> => {
    if (isAbort(failure)) return;
    if (!(failure instanceof GatewayFailure)) {
      const message = failure instanceof Error ? failure.message : String(failure);
      log.error("A command failed.", { message });
      const show = t("Show Log");
      const chosen = await notifyError(t("Sluice could not do this: {0}", message), show);
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
      handle(id, async (...args) => {
        try {
          await run(...args);
        } catch (failure) {
          await showFailure(failure, "read");
        }
      }),
  };
}

async function openConsole(settings: Settings): Promise<void> {
  const url = settings.consoleUrl();
  if (url === "") {
    await openSettings("sluice.consoleUrl");
    return;
  }
  if (await openOutside(judgeConsole(url))) return;
  const change = t("Open Settings");
  const problem = t("The console's address in the settings is none that can be opened: {0}", url);
  if ((await notifyError(problem, change)) === change) await openSettings("sluice.consoleUrl");
}
