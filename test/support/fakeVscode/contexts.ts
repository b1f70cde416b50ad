/** The context keys that VS Code sets itself, as far as package.json uses them. */
import type * as vscode from "vscode";
import type { FakeWindow } from "./fakeWindow";

export function computedContext(window: FakeWindow, key: string): unknown {
  if (key.startsWith("config.")) return window.configuration.get(key.slice("config.".length));
  const view = /^view\.(.+)\.visible$/.exec(key)?.[1];
  if (view !== undefined) return window.isViewVisible(view);
  const resource = window.editors.active?.model.uri ?? tabUri(window);
  const page = window.webviews.panels.find(({ isActive }) => isActive);
  const editorHasFocus = window.focus === "editor" && window.editors.active !== undefined && !window.widget.visible;
  switch (key) {
    case "editorTextFocus":
    case "editorFocus":
    case "textInputFocus":
      return editorHasFocus;
    case "inputFocus":
      return editorHasFocus || window.widget.visible !== undefined;
    case "inQuickOpen":
    case "inQuickInput":
      return window.widget.visible !== undefined;
    case "editorIsOpen":
      return window.editors.tabs.length > 0;
    case "editorHasSelection":
      return window.editors.active !== undefined && !window.editors.active.selection.isEmpty;
    case "editorReadonly":
      return resource !== undefined && !window.documents.canWrite(resource);
    case "editorLangId":
      return window.editors.active?.model.languageId;
    case "activeEditor":
      return activeEditorKind(window);
    case "activeWebviewPanelId":
      return page?.viewType ?? "";
    case "focusedView":
      return typeof window.focus === "object" ? window.focus.view : "";
    case "terminalFocus":
      return window.focus === "terminal";
    case "terminalIsOpen":
      return window.terminals.length > 0;
    case "isWorkspaceTrusted":
      return window.isTrusted;
    case "workspaceFolderCount":
      return window.folders.length;
    default:
      return resource && resourceKey(key, resource);
  }
}

function tabUri(window: FakeWindow): vscode.Uri | undefined {
  const input = window.editors.activeGroup.activeTab?.input;
  if (typeof input !== "object" || input === null) return undefined;
  if ("uri" in input) return input.uri as vscode.Uri;
  return "modified" in input ? (input.modified as vscode.Uri) : undefined;
}

function activeEditorKind(window: FakeWindow): string | undefined {
  const tab = window.editors.activeGroup.activeTab;
  if (!tab) return undefined;
  if (tab.input === undefined) return "multiDiffEditor";
  return tab.editor ? "workbench.editors.files.textFileEditor" : "other";
}

export function resourceKey(key: string, uri: vscode.Uri): unknown {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  switch (key) {
    case "resource":
      return uri.toString();
    case "resourceScheme":
      return uri.scheme;
    case "resourceFilename":
      return name;
    case "resourceExtname":
      return name.includes(".") ? name.slice(name.lastIndexOf(".")) : "";
    case "resourcePath":
      return uri.fsPath;
    case "resourceDirname":
      return uri.fsPath.slice(0, -name.length - 1);
    default:
      return undefined;
  }
}
