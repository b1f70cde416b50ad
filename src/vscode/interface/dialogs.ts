/** Shows errors, for every command and view: title, meaning and the one action come from `describeError`. */
import { t } from "@vscode/l10n";
import { isAbort } from "../../base/async/abort";
import {
  describeError,
  offeredButtons,
  type FailedOperation,
  type ErrorAction,
  type ErrorDescription,
} from "../../domain/words/describeError";
import { AppFailure, toAppError } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";
import type { SettingKey } from "../../domain/settingTable";
import type { Disposable } from "../../base/disposable";
import { type CommandId, commands, type CommandHandler } from "../ids";
import { openOutside } from "./openOutside";
import { judgeConsole } from "../../node/outsideAddress";
import { openSettings, reloadWindow, runCommand } from "./runCommand";
import type { Settings } from "../settings";
import { notifyError } from "./show";
import { shownLine } from "./shownText";

export interface Dialogs {
  /** Shows a failure of ours; an abort shows nothing. `retry` is what *Try Again* and *Reconcile* do. */
  showFailure(failure: unknown, doing: FailedOperation, retry?: () => void): Promise<void>;
  showError(description: ErrorDescription, retry?: () => void): Promise<void>;
  act(action: ErrorAction, retry?: () => void): void;
  /** Registers a command whose failures are shown, never swallowed. */
  register(id: CommandId, run: (...args: unknown[]) => unknown): Disposable;
}

/** The maximum length of a title in characters, so that the meaning after it fits into the message. */
const maxTitleLength = 500;

export interface DialogOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Whether the gateway is the local one, whose console is a page of this extension. */
  readonly isLocal: () => boolean;
  readonly handle: (id: CommandId, run: CommandHandler) => Disposable;
}

/** The actions that only run a command. */
const actionCommands = {
  "set-key": commands.setKey,
  "choose-gateway": commands.chooseGateway,
  "choose-model": commands.chooseModel,
  "show-log": commands.showLog,
  "check-connection": commands.checkConnection,
} as const;

const settingsOfCaps = {
  "change-tasks-per-day": "sluice.caps.tasksPerDay",
  "change-money-per-day": "sluice.caps.moneyPerDay",
  "change-money-cap": "sluice.caps.moneyPerChat",
  "change-token-cap": "sluice.caps.tokensPerChat",
  "change-rounds": "sluice.caps.roundsPerTurn",
} as const satisfies Readonly<Record<string, SettingKey>>;

function createAct(settings: Settings, isLocal: () => boolean): Dialogs["act"] {
  return (action, retry) => {
    switch (action) {
      case "open-console":
        if (isLocal()) void runCommand(commands.showLocalGateway);
        else void openConsole(settings);
        return;
      case "add-funds":
        if (isLocal()) void runCommand(commands.topUpLocalGateway);
        else void openConsole(settings);
        return;
      case "reload-window":
        void reloadWindow();
        return;
      case "change-tasks-per-day":
      case "change-money-per-day":
      case "change-money-cap":
      case "change-token-cap":
      case "change-rounds":
        // A search for the name alone also lists the settings with a similar one.
        void openSettings(`@id:${settingsOfCaps[action]}`);
        return;
      case "over-cap":
      case "summarize":
      case "leave-out":
      case "retry":
      case "reconcile":
        retry?.();
        return;
      case "set-key":
      case "choose-gateway":
      case "choose-model":
      case "show-log":
      case "check-connection":
        void runCommand(actionCommands[action]);
    }
  };
}

export function createDialogs({ settings, log, isLocal, handle }: DialogOptions): Dialogs {
  const act = createAct(settings, isLocal);
  const showError = async (description: ErrorDescription, retry?: () => void): Promise<void> => {
    const { title, meaning } = description;
    const offered = offeredButtons(description, retry !== undefined, isLocal());
    const buttons = offered.map(({ label }) => label);
    // The meaning states what is paid and comes last, so a long title is cut: it must not push the meaning out of the message.
    const chosen = await notifyError(`${shownLine(title, maxTitleLength)} ${meaning}`, ...buttons);
    const pressed = offered.find(({ label }) => label === chosen);
    if (pressed) act(pressed.id, retry);
  };
  const showFailure = async (failure: unknown, doing: FailedOperation, retry?: () => void): Promise<void> => {
    if (isAbort(failure)) return;
    if (!(failure instanceof AppFailure)) {
      const message = failure instanceof Error ? failure.message : String(failure);
      log.error("A command failed.", { message });
      const show = t("Show Log");
      const chosen = await notifyError(t("Sluice could not do this: {0}", message), show);
      if (chosen === show) act("show-log");
      return;
    }
    await showError(describeError(toAppError(failure), doing), retry);
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
  const url = settings.get("consoleUrl");
  if (url === "") {
    await openSettings("sluice.consoleUrl" satisfies SettingKey);
    return;
  }
  if (await openOutside(judgeConsole(url))) return;
  const change = t("Open Settings");
  const problem = t("The console's address in the settings is none that can be opened: {0}", url);
  if ((await notifyError(problem, change)) === change) await openSettings("sluice.consoleUrl" satisfies SettingKey);
}
