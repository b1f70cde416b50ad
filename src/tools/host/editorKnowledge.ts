/** The editor's knowledge of the code through VS Code: language extensions, open editors, and the built-in git extension. */
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import type {
  CodePlace,
  CodePosition,
  CodeProblem,
  CodeSymbol,
  EditorPort,
  OpenEditor,
  Terminals,
} from "../../domain/tools/toolPorts";
import {
  askForPlaces,
  findDocumentSymbols,
  findWorkspaceSymbols,
  openTerminal,
} from "../../vscode/interface/runCommand";
import { notifyInformation } from "../../vscode/interface/show";
import { terminalLine } from "../../vscode/interface/terminalLine";
import { diffWithLastCommit, listChangedFiles } from "./gitChanges";

export const editorKnowledge: EditorPort = {
  async symbolsOf(file) {
    const symbols = await findDocumentSymbols(vscode.Uri.file(file));
    return symbols.flatMap((symbol) => outlineOf(symbol, file, 0));
  },
  async findSymbols(name) {
    return (await findWorkspaceSymbols(name)).map(foundSymbol);
  },
  definitionsOf: (position) => codePlacesOf("vscode.executeDefinitionProvider", position),
  referencesTo: (position) => codePlacesOf("vscode.executeReferenceProvider", position),
  problems: () =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([uri, problems]) => problems.map((problem) => codeProblem(uri, problem))),
  reports: {
    onDidReport: (listener) => vscode.languages.onDidChangeDiagnostics(({ uris }) => listener(uris.map(fileOf))),
    isRead: (file) => vscode.workspace.textDocuments.some(({ uri }) => fileOf(uri) === file),
    async read(file) {
      await vscode.workspace.openTextDocument(vscode.Uri.file(file)).then(undefined, () => undefined);
    },
  },
  openEditors: listOpenEditors,
  changes: listChangedFiles,
  diffOf: diffWithLastCommit,
};

function fileOf(uri: vscode.Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString();
}

function placeOf(uri: vscode.Uri, range: vscode.Range | undefined): CodePlace {
  // Some extensions find the range of a symbol later only.
  return { file: fileOf(uri), line: (range?.start.line ?? 0) + 1, endLine: (range?.end.line ?? 0) + 1 };
}

function kindOfSymbol(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}

function outlineOf(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  file: string,
  depth: number,
): readonly CodeSymbol[] {
  if (!("children" in symbol)) return [{ ...foundSymbol(symbol), depth }];
  const { name, kind, range, children } = symbol;
  const own = { name, kind: kindOfSymbol(kind), place: placeOf(vscode.Uri.file(file), range), depth };
  return [own, ...children.flatMap((child) => outlineOf(child, file, depth + 1))];
}

function foundSymbol({ name, kind, containerName, location }: vscode.SymbolInformation): CodeSymbol {
  const place = placeOf(location.uri, location.range);
  return {
    name,
    kind: kindOfSymbol(kind),
    place,
    depth: 0,
    ...(containerName === "" ? {} : { container: containerName }),
  };
}

async function codePlacesOf(
  command: Parameters<typeof askForPlaces>[0],
  { file, line, column }: CodePosition,
): Promise<readonly CodePlace[]> {
  const found = await askForPlaces(command, vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
  return found.map((one) =>
    "targetUri" in one
      ? placeOf(one.targetUri, one.targetSelectionRange ?? one.targetRange)
      : placeOf(one.uri, one.range),
  );
}

const severities = ["error", "warning", "info", "hint"] as const;

function codeProblem(
  uri: vscode.Uri,
  { severity, message, source, range: { start }, relatedInformation = [] }: vscode.Diagnostic,
): CodeProblem {
  return {
    severity: severities[severity],
    message,
    source: source ?? "",
    position: { file: fileOf(uri), line: start.line + 1, column: start.character + 1 },
    related: relatedInformation.map(({ location }) => fileOf(location.uri)),
  };
}

/** Text editors in tabs, and those that are visible elsewhere. */
function listOpenEditors(): readonly OpenEditor[] {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const isDocument = ({ scheme }: vscode.Uri): boolean => scheme === "file" || scheme === "untitled";
  const tabs = tabGroups.all.flatMap((group) =>
    group.tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const visible = visibleTextEditors.filter(({ document }) => isDocument(document.uri));
  const active = activeTextEditor && isDocument(activeTextEditor.document.uri) ? [activeTextEditor] : [];
  const editors = new Map([...active, ...visible].map((editor) => [editor.document.uri.toString(), editor]));
  const uris = [...[...editors.values()].map(({ document }) => document.uri), ...tabs.filter(isDocument)];
  const unique = new Map(uris.map((uri) => [uri.toString(), uri]));
  return [...unique].map(([key, uri]) => {
    const editor = editors.get(key);
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
    return {
      file: fileOf(uri),
      isActive: editor !== undefined && editor === activeTextEditor,
      hasUnsavedChanges: document?.isDirty === true,
      ...(editor && { shown: shownIn(editor) }),
    };
  });
}

function shownIn({ document, selection, visibleRanges }: vscode.TextEditor): NonNullable<OpenEditor["shown"]> {
  return {
    firstLine: (visibleRanges[0]?.start.line ?? 0) + 1,
    lastLine: (visibleRanges.at(-1)?.end.line ?? 0) + 1,
    cursor: { line: selection.active.line + 1, column: selection.active.character + 1 },
    selection: document.getText(selection),
  };
}

/** Opens a terminal of VS Code for a command that was moved out of the chat. */
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
