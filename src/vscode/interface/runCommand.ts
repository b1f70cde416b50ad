/** Makes every call of a VS Code command, so that all ids are fixed in the code, and the one call that types into a terminal. */
import * as vscode from "vscode";
import { type CommandId, commands, type contextKeys, type focusChat, type focusTasks } from "../ids";
import { shownLine } from "./shownText";
import type { TerminalLine } from "./terminalLine";

/** VS Code's own commands for the two states in which tools have no files. */
export const openFolderCommand = "workbench.action.files.openFolder";
export const manageTrustCommand = "workbench.trust.manage";

type KnownCommand =
  CommandId | typeof focusTasks | typeof focusChat | typeof openFolderCommand | typeof manageTrustCommand;

/** `choice` answers the question of the command's quick pick. */
export async function runCommand(command: KnownCommand, choice?: string): Promise<void> {
  await vscode.commands.executeCommand(command, ...(choice === undefined ? [] : [choice]));
}

/** Opens the form for media with the prompt and seed of a picture. */
export async function fillFormFrom(picture: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand(commands.newTask, picture, undefined, "marks");
}

/** Submits the prompt at a line of a document. `again`: the file for its result, as a path from the workspace folder of the document. */
export async function submitPromptAt(place: {
  readonly document: string;
  readonly line: number;
  readonly again: string;
}): Promise<void> {
  await vscode.commands.executeCommand(commands.submitPrompt, place);
}

/** Sets a value that `when` clauses compare. */
export async function setContext(
  key: (typeof contextKeys)[keyof typeof contextKeys],
  value: string | boolean | readonly string[],
): Promise<void> {
  await vscode.commands.executeCommand("setContext", key, value);
}

/** `id`: the ids of the extension, its walkthrough and the step, with `#` between them. */
async function markStepComplete(id: string): Promise<void> {
  await vscode.commands.executeCommand("welcome.markStepComplete", id);
}

export async function openSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}

/** Opens a file in the editor or viewer that VS Code chooses for its type. `line`: the line to show, from 1. */
export async function openFile(file: string | vscode.Uri, line?: number): Promise<void> {
  const uri = typeof file === "string" ? vscode.Uri.file(file) : file;
  if (line === undefined) await vscode.commands.executeCommand("vscode.open", uri);
  else {
    const selection = new vscode.Range(line - 1, 0, line - 1, 0);
    await vscode.commands.executeCommand("vscode.open", uri, { selection });
  }
}

/** Reveals the file in the explorer of VS Code. */
export async function revealInExplorer(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("revealInExplorer", uri);
}

/** Searches the workspace for a text, in VS Code's own search view. */
export async function searchFor(text: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.findInFiles", {
    query: text,
    triggerSearch: true,
    isRegex: false,
  });
}

/** Shows a file in the file manager of this machine. Rejects in a remote or web window, which has none. */
export async function revealInFileManager(path: string): Promise<void> {
  await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(path));
}

/** Closes an untitled document without the question whether to save it. */
export async function closeWithoutSaving(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

export async function openDiff(before: vscode.Uri, after: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand("vscode.diff", before, after, shownLine(title), { preview: true });
}

/** Opens VS Code's peek at a place of an editor, with lines of another document. */
export async function peekLines(
  uri: vscode.Uri,
  place: vscode.Position,
  other: vscode.Uri,
  lines: vscode.Range,
): Promise<void> {
  const locations = [new vscode.Location(other, lines)];
  await vscode.commands.executeCommand("editor.action.peekLocations", uri, place, locations, "peek");
}

/** Opens VS Code's editor of several diffs. A change is the file's URI and the URIs of its old and new content; `undefined` where there is none. */
export async function openChanges(
  title: string,
  changes: readonly (readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined])[],
): Promise<void> {
  await vscode.commands.executeCommand("vscode.changes", shownLine(title), changes);
}

/** Runs a command for one task, as from the menu of its row. `choice` answers the question of the command's quick pick. */
export async function runForTask(command: CommandId, id: string, choice?: string): Promise<void> {
  await vscode.commands.executeCommand(command, { kind: "task", id }, undefined, choice);
}

/** Runs a command for several tasks, as from the menu of selected rows. */
export async function runForTasks(command: CommandId, ids: readonly string[], choice?: string): Promise<void> {
  const rows = ids.map((id) => ({ kind: "task", id }));
  if (rows.length > 0) await vscode.commands.executeCommand(command, rows[0], rows, choice);
}

/** The symbols that the language extensions find. */
export async function findWorkspaceSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const command = "vscode.executeWorkspaceSymbolProvider";
  return (await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(command, query)) ?? [];
}

/** The symbols of a document. Those of an older provider are flat, without `children`. */
export async function findDocumentSymbols(
  uri: vscode.Uri,
): Promise<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]> {
  const command = "vscode.executeDocumentSymbolProvider";
  return (
    (await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      command,
      uri,
    )) ?? []
  );
}

export async function askForPlaces(
  command: "vscode.executeDefinitionProvider" | "vscode.executeReferenceProvider",
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<readonly (vscode.Location | vscode.LocationLink)[]> {
  return (
    (await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
      command,
      uri,
      position,
    )) ?? []
  );
}

export async function reloadWindow(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.reloadWindow");
}

/** Copies the selection of the active terminal into the clipboard. */
export async function copyTerminalSelection(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
}

/** Opens a terminal in that folder and types the line. Enter is pressed only for the outcome `started`; the person runs any other line. */
export function openTerminal(folder: string, { text, outcome }: TerminalLine): void {
  const terminal = vscode.window.createTerminal({ name: "Sluice", cwd: folder });
  terminal.show();
  if (text !== "") terminal.sendText(text, outcome === "started");
}

// Ticks the steps of the walkthrough that the person has done. VS Code reads a walkthrough with its first use, and ticks by itself only the steps
// whose condition becomes true after that.

type WalkthroughStep = "local" | "task" | "chat" | "connect";

/** Ticks a step once on this machine, so that a tick that a person clears does not come back with each window. */
export async function completeWalkthroughStep(
  { extension, globalState }: Pick<vscode.ExtensionContext, "extension" | "globalState">,
  step: WalkthroughStep,
): Promise<void> {
  const key = `walkthrough.${step}`;
  if (globalState.get(key) === true) return;
  await globalState.update(key, true);
  // Where VS Code has not read the walkthrough yet, it rejects although it keeps the tick.
  await markStepComplete(`${extension.id}#start#${step}`).catch(() => undefined);
}
