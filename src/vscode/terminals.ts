/** Opens a terminal of VS Code for a command that was moved out of the chat. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Terminals } from "../domain/terminals";
import { notifyInformation } from "./show";
import { terminalLine } from "./terminalLine";

export const terminals: Terminals = {
  open(command) {
    const { text, outcome } = terminalLine(command, vscode.env.shell);
    const terminal = vscode.window.createTerminal({ name: "Sluice", cwd: command.folder });
    terminal.show();
    if (text !== "") terminal.sendText(text, outcome === "started");
    if (outcome === "opened") {
      void notifyInformation(
        t("The command was not typed into the terminal: it has line breaks, and each would run a part of it."),
      );
    }
    return outcome;
  },
};
