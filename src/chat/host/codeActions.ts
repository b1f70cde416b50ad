/** *Explain*, *Edit* and *Fix with Sluice* in the light bulb (V7). VS Code calls this at each move of the cursor, so it loads and reads nothing. */
import * as vscode from "vscode";
import { commands } from "../../vscode/ids";

/** Explaining changes nothing, so it is neither a refactoring nor a quick fix. VS Code lists such kinds under *More Actions…*. */
const explainKind = vscode.CodeActionKind.Empty.append("explain.sluice");
const fixKind = vscode.CodeActionKind.QuickFix;
const editKind = vscode.CodeActionKind.RefactorRewrite;

/** Selects documents that an editor shows. */
const documents: vscode.DocumentSelector = ["file", "untitled", "vscode-vfs"].map((scheme) => ({ scheme }));

/** `titleOf` returns the title of a command in the person's language. */
export function registerCodeActions(titleOf: (command: string) => string): vscode.Disposable {
  const action = (
    command: string,
    kind: vscode.CodeActionKind,
    place: readonly [vscode.Uri, vscode.Range],
    diagnostics: readonly vscode.Diagnostic[],
  ): vscode.CodeAction => {
    const title = titleOf(command);
    const one = new vscode.CodeAction(title, kind);
    one.command = { command, title, arguments: [...place, diagnostics.length > 0] };
    one.diagnostics = [...diagnostics];
    return one;
  };
  const provideCodeActions: vscode.CodeActionProvider["provideCodeActions"] = (document, range, context) => {
    const { only, diagnostics } = context;
    if (range.isEmpty && diagnostics.length === 0) return [];
    const wants = (kind: vscode.CodeActionKind): boolean => only === undefined || only.contains(kind);
    const [first, ...rest] = diagnostics;
    const place = [document.uri, rest.reduce((all, one) => all.union(one.range), first?.range ?? range)] as const;
    const actions: vscode.CodeAction[] = [];
    // *Fix* needs tools: without them the model could only describe the change.
    if (first && wants(fixKind) && canFix(document))
      actions.push(action(commands.fixCode, fixKind, place, diagnostics));
    const selected = [document.uri, new vscode.Range(range.start, range.end)] as const;
    if (!range.isEmpty && wants(editKind)) actions.push(action(commands.editSelection, editKind, selected, []));
    const asked = range.isEmpty ? place : selected;
    const reported = range.isEmpty ? diagnostics : [];
    if (wants(explainKind)) actions.push(action(commands.explainCode, explainKind, asked, reported));
    return actions;
  };
  return vscode.languages.registerCodeActionsProvider(
    documents,
    { provideCodeActions },
    { providedCodeActionKinds: [fixKind, editKind, explainKind] },
  );
}

/** Whether tools can change the document: it is in a folder of a trusted workspace on this machine. */
export function canFix({ uri }: vscode.TextDocument): boolean {
  const hasFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return hasFolder && vscode.workspace.isTrusted && uri.scheme === "file";
}

/**
 * The titles of commands in the person's language. They come from package.json, which VS Code has translated, because the bundle of translations is
 * loaded later.
 */
export function commandTitles(manifest: unknown): (command: string) => string {
  const { contributes } = manifest as {
    contributes: { commands: readonly { command: string; title: string; shortTitle?: string }[] };
  };
  return (id) => {
    const { shortTitle, title } = contributes.commands.find(({ command }) => command === id) ?? { title: id };
    return shortTitle ?? title;
  };
}
