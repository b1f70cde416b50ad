/** Opens a terminal of VS Code for a command that was moved out of the chat. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Terminals } from "../../domain/tools/toolPorts";
import { openTerminal } from "../../vscode/interface/runCommand";
import { notifyInformation } from "../../vscode/interface/show";
import { terminalLine } from "../../vscode/interface/terminalLine";

export const terminals: Terminals = {
  open(command) {
    const line = terminalLine(command, vscode.env.shell);
    openTerminal(command.folder, line);
    if (line.outcome === "opened") {
      void notifyInformation(
        t("The command was not typed into the terminal: it has line breaks, and each would run a part of it."),
      );
    }
    return line.outcome;
  },
};
