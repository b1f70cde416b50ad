/** Every call of a VS Code command. The ids are fixed in the code; none comes from outside. */
import * as vscode from "vscode";
import type { CommandId, contextKeys, focusChat, focusTasks } from "./ids";
import { shownLine } from "./shownText";

type KnownCommand = CommandId | typeof focusTasks | typeof focusChat;

export async function runCommand(command: KnownCommand): Promise<void> {
  await vscode.commands.executeCommand(command);
}

/** Sets a value that `when` clauses compare. */
export async function setContext(key: (typeof contextKeys)[keyof typeof contextKeys], value: string): Promise<void> {
  await vscode.commands.executeCommand("setContext", key, value);
}

export async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}

/** In the editor or viewer that VS Code chooses for the file's type. */
export async function openFile(path: string): Promise<void> {
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
}

export async function openDiff(before: vscode.Uri, after: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand("vscode.diff", before, after, shownLine(title), { preview: true });
}
