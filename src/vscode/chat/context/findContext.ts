/** What can be attached to a prompt, for the completion after `#`: selection, problems, files, folders and symbols. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import type { ContextItem } from "../../../protocol/attachmentMessages";
import { findFiles, isImagePath, openFiles, referenceTo } from "./fileReferences";
import { listProblems } from "./problemList";
import { findWorkspaceSymbols } from "../../interface/runCommand";
import { targetEditor } from "../../interface/targetEditor";

const folderCap = 4;
const symbolCap = 8;

/** Calls `show` with what is known at once, and again when the language extensions have found symbols. Never rejects. */
export async function findContext(query: string, show: (items: readonly ContextItem[]) => void): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    show([]);
    return;
  }
  const named = namedItems().filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
  const files = query === "" ? openFiles() : await findFiles(query);
  const items = [...named, ...files.flatMap(fileItem), ...folderItems(files, query)];
  show(items);
  const symbols = await findSymbols(query);
  if (symbols.length > 0) show([...items, ...symbols]);
}

function namedItems(): readonly ContextItem[] {
  const editor = targetEditor();
  const path = editor && referenceTo(editor.document.uri)?.path;
  const items: ContextItem[] = [];
  if (editor !== undefined && !editor.selection.isEmpty)
    items.push({ kind: "selection", label: t("Selection"), detail: path ?? "" });
  if (listProblems("") !== "")
    items.push({ kind: "problems", label: t("Problems"), detail: "", reference: { path: "", kind: "problems" } });
  if (path !== undefined && listProblems(path) !== "")
    items.push({ kind: "problems", label: t("Problems"), detail: path, reference: { path, kind: "problems" } });
  return items;
}

function fileItem(uri: vscode.Uri): readonly ContextItem[] {
  const reference = referenceTo(uri);
  if (reference === undefined) return [];
  const { label, detail } = namesOf(reference.path);
  if (isImagePath(uri.path)) return [{ kind: "image", label, detail, uri: uri.toString() }];
  return [{ kind: "file", label, detail, reference }];
}

/** The folders of the found files whose name has the letters. */
function folderItems(files: readonly vscode.Uri[], query: string): readonly ContextItem[] {
  const wanted = query.replace(/\/$/, "").toLowerCase();
  if (wanted === "") return [];
  const found = new Set<string>();
  for (const uri of files) {
    const parts = (referenceTo(uri)?.path ?? "").split("/").slice(0, -1);
    parts.forEach((_part, index) => {
      const path = parts.slice(0, index + 1).join("/");
      if (
        path
          .slice(path.lastIndexOf("/") + 1)
          .toLowerCase()
          .includes(wanted.slice(wanted.lastIndexOf("/") + 1))
      )
        found.add(path);
    });
  }
  return [...found]
    .sort((one, other) => one.length - other.length)
    .slice(0, folderCap)
    .map((path) => ({ kind: "folder", ...namesOf(path), reference: { path, kind: "folder" } }));
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

/** Empty when no language extension answers. */
async function findSymbols(query: string): Promise<readonly ContextItem[]> {
  if (query.length < 2 || query.includes("/")) return [];
  const found = await findWorkspaceSymbols(query).catch(() => []);
  return found
    .flatMap(({ name, kind: symbol, location }): readonly ContextItem[] => {
      const reference = referenceTo(location.uri);
      if (reference === undefined) return [];
      const kind = classes.has(symbol) ? "class" : methods.has(symbol) ? "method" : "variable";
      return [{ kind, label: name, detail: reference.path, reference: { ...reference, ...linesOf(location) } }];
    })
    .slice(0, symbolCap);
}

/** Nothing where a language extension finds the range later only: the whole file is meant then. */
function linesOf(location: vscode.Location): Pick<FileReference, "lines"> {
  const range = location.range as vscode.Range | undefined;
  return range === undefined ? {} : { lines: { first: range.start.line + 1, last: range.end.line + 1 } };
}
