/** Finds what can be attached to a prompt, for the completion after `#`: selection, problems, files, folders and symbols. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import type { ContextItem } from "../../contract/chatPageContract";
import { plural } from "../../../domain/words/plural";
import { hasGit, listChangedFiles } from "../../../tools/host/gitChanges";
import { findWorkspaceSymbols } from "../../../vscode/interface/runCommand";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import type { ListedProblems } from "../../../tools/attachFiles";
import {
  searchFilePaths,
  findFolders,
  isImagePath,
  lineNumbersOf,
  openFiles,
  rankOf,
  referenceTo,
} from "./fileReferences";

/** The maximum number of folders in a list that has files too. */
const folderCap = 4;
/** The maximum number of folders in a list of folders only. */
const namedFolderCap = 12;
const symbolCap = 8;
const changeCap = 50;

/** Calls `show` with the items that are known at once, and again when the language extensions have found symbols. Never rejects. */
export async function findContext(
  query: string,
  show: (items: readonly ContextItem[], more: boolean) => void,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
  const [, group, name = ""] = /^(?:(file|folder|symbol|change):)?(.*)$/.exec(query) ?? [];
  switch (group) {
    case "file":
      show((await searchFilePaths(name)).flatMap(fileItem), false);
      return;
    case "folder":
      show(
        name === "" ? await topFolders() : (await findFolders(name)).slice(0, namedFolderCap).map(folderItem),
        false,
      );
      return;
    case "symbol":
      show(await findSymbols(name), false);
      return;
    case "change":
      show(await changedItems(name), false);
      return;
    case undefined:
    default:
      if (query === "") show([...namedItems(), ...groupItems(), ...openFiles().flatMap(fileItem)], false);
      else await findNamed(query, show);
  }
}

async function findNamed(query: string, show: (items: readonly ContextItem[], more: boolean) => void): Promise<void> {
  const named = [...namedItems(), ...groupItems()].filter(({ label }) =>
    label.toLowerCase().includes(query.toLowerCase()),
  );
  const [files, folders] = await Promise.all([searchFilePaths(query), findFolders(query)]);
  const found = [...files.flatMap(fileItem), ...folders.slice(0, folderCap).map(folderItem)];
  // The sort is stable, so files come before folders of the same rank.
  const items = [...named, ...found.toSorted((one, other) => rankOf(one.label, query) - rankOf(other.label, query))];
  show(items, true);
  show([...items, ...(await findSymbols(query))], false);
}

/** Each group lists its own items when it is chosen. */
function groupItems(): readonly ContextItem[] {
  const group = (label: string, narrow: string): ContextItem => ({ kind: "group", label, detail: "", narrow });
  return [
    group(t("Files…"), "file:"),
    group(t("Folders…"), "folder:"),
    group(t("Symbols…"), "symbol:"),
    ...(hasGit() ? [group(t("Changes…"), "change:")] : []),
  ];
}

async function changedItems(name: string): Promise<readonly ContextItem[]> {
  const changed = (await listChangedFiles().catch(() => undefined)) ?? [];
  const files = changed.filter(({ change }) => change !== "deleted").map(({ file }) => file);
  return [...new Set(files)]
    .map((file) => vscode.Uri.file(file))
    .filter((uri) => (referenceTo(uri)?.path ?? "").toLowerCase().includes(name.toLowerCase()))
    .slice(0, changeCap)
    .flatMap(fileItem);
}

/** The folders directly below the workspace folders. */
async function topFolders(): Promise<readonly ContextItem[]> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    roots.map(async ({ uri }) => {
      const entries = await vscode.workspace.fs.readDirectory(uri).then(
        (list) => list,
        () => [],
      );
      return entries
        .filter(([name, type]) => (type & vscode.FileType.Directory) !== 0 && !/^(?:\.|node_modules$)/.test(name))
        .map(([name]) => vscode.Uri.joinPath(uri, name));
    }),
  );
  return found.flat().flatMap((uri) => {
    const path = referenceTo(uri)?.path;
    return path === undefined ? [] : [folderItem(path)];
  });
}

function namedItems(): readonly ContextItem[] {
  const editor = targetEditor();
  const path = editor && referenceTo(editor.document.uri)?.path;
  const items: ContextItem[] = [];
  if (editor !== undefined && !editor.selection.isEmpty) {
    const { first, last } = lineNumbersOf(editor.selection);
    const lines = last - first + 1;
    const label = plural(lines, { one: "Selection (1 line)", other: "Selection ({0} lines)" });
    items.push({ kind: "selection", label, detail: path ?? "" });
  }
  const problems = countProblems("");
  if (problems > 0)
    items.push({
      kind: "problems",
      label: t("Problems ({0})", problems),
      detail: "",
      reference: { path: "", kind: "problems" },
    });
  const own = path === undefined ? 0 : countProblems(path);
  if (path !== undefined && own > 0)
    items.push({
      kind: "problems",
      label: t("Problems ({0})", own),
      detail: path,
      reference: { path, kind: "problems" },
    });
  return items;
}

function fileItem(uri: vscode.Uri): readonly ContextItem[] {
  const reference = referenceTo(uri);
  if (reference === undefined) return [];
  const { label, detail } = namesOf(reference.path);
  if (isImagePath(uri.path)) return [{ kind: "image", label, detail, uri: uri.toString() }];
  return [{ kind: "file", label, detail, reference }];
}

function folderItem(path: string): ContextItem {
  const { label, detail } = namesOf(path);
  return { kind: "folder", label: `${label}/`, detail, reference: { path, kind: "folder" } };
}

function namesOf(path: string): { readonly label: string; readonly detail: string } {
  const slash = path.lastIndexOf("/");
  return { label: path.slice(slash + 1), detail: path.slice(0, Math.max(0, slash)) };
}

const { SymbolKind } = vscode;
const classes = new Set([
  SymbolKind.Class,
  SymbolKind.Interface,
  SymbolKind.Struct,
  SymbolKind.Enum,
  SymbolKind.Module,
]);
const methods = new Set([SymbolKind.Function, SymbolKind.Method, SymbolKind.Constructor]);

/** The symbols of the workspace; empty when no language extension finds any. */
async function findSymbols(query: string): Promise<readonly ContextItem[]> {
  if (query.length < 2 || query.includes("/")) return [];
  const found = await findWorkspaceSymbols(query).catch(() => []);
  return found
    .flatMap(({ name, kind: symbol, location }): readonly ContextItem[] => {
      const reference = referenceTo(location.uri);
      if (reference === undefined) return [];
      const kind = classes.has(symbol) ? "class" : methods.has(symbol) ? "method" : "variable";
      return [{ kind, label: name, detail: reference.path, reference: { ...reference, ...linesOfSymbol(location) } }];
    })
    .slice(0, symbolCap);
}

/** The lines of a symbol. A language extension that finds the range only later gives none, and the whole file is attached. */
function linesOfSymbol(location: vscode.Location): Pick<FileReference, "lines"> {
  const range = location.range as vscode.Range | undefined;
  return range === undefined ? {} : { lines: { first: range.start.line + 1, last: range.end.line + 1 } };
}

/** The problems that VS Code shows for files of the workspace, as text for the model. */
const maxProblems = 300;
const words = ["error", "warning", "info", "hint"];

/**
 * One problem a line, errors first, up to a limit that the text names. Lists the problems of the file at `path`, or of its `lines`; empty: all files.
 */
export function listProblems(path: string, lines?: FileReference["lines"]): string {
  return problemsToAttach(path, lines).text;
}

/** Counts the problems of the file at that path, or of all files for an empty path. */
function countProblems(path: string): number {
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => {
      const file = referenceTo(uri)?.path;
      return file !== undefined && (path === "" || file === path);
    })
    .reduce((count, [, problems]) => count + problems.length, 0);
}

/** The text of `listProblems`, and the files that the problems refer to. */
export function problemsToAttach(path: string, lines?: FileReference["lines"]): ListedProblems {
  const found = vscode.languages.getDiagnostics().flatMap(([uri, problems]) => {
    const file = referenceTo(uri)?.path;
    if (file === undefined || (path !== "" && file !== path)) return [];
    return problems.filter(({ range }) => touches(range, lines)).map((problem) => ({ file, problem }));
  });
  found.sort((one, other) => one.problem.severity - other.problem.severity);
  const texts = found.slice(0, maxProblems).map(({ file, problem: { severity, message, range, source = "" } }) => {
    const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
    return `${place} ${words[severity] ?? ""}: ${message.replace(/\s+/g, " ")}${source === "" ? "" : ` [${source}]`}`;
  });
  if (found.length > maxProblems) texts.push(`(the first ${maxProblems} of ${found.length} problems)`);
  const related = found
    .slice(0, maxProblems)
    .flatMap(({ problem: { relatedInformation = [] } }) =>
      relatedInformation.flatMap(({ location: { uri } }) => (uri.scheme === "file" ? uri.fsPath : [])),
    );
  return { text: texts.join("\n"), related };
}

/** `lines` are counted from 1, the lines of the range from 0. */
function touches({ start, end }: vscode.Range, lines: FileReference["lines"]): boolean {
  return lines === undefined || (start.line < lines.last && end.line >= lines.first - 1);
}
