/** The enums of VS Code's API, and its button Back. */
import type * as vscode from "vscode";
import { ThemeIcon } from "./dataTypes";

export const TreeItemCollapsibleState = {
  None: 0,
  Collapsed: 1,
  Expanded: 2,
} as unknown as typeof vscode.TreeItemCollapsibleState;
export const StatusBarAlignment = { Left: 1, Right: 2 } as unknown as typeof vscode.StatusBarAlignment;
export const ProgressLocation = {
  SourceControl: 1,
  Window: 10,
  Notification: 15,
} as unknown as typeof vscode.ProgressLocation;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as unknown as typeof vscode.ExtensionMode;
export const ViewColumn = {
  ...{ Active: -1, Beside: -2, One: 1, Two: 2, Three: 3, Four: 4, Five: 5, Six: 6, Seven: 7, Eight: 8, Nine: 9 },
} as unknown as typeof vscode.ViewColumn;
export const UIKind = { Desktop: 1, Web: 2 } as unknown as typeof vscode.UIKind;
export const ConfigurationTarget = {
  Global: 1,
  Workspace: 2,
  WorkspaceFolder: 3,
} as unknown as typeof vscode.ConfigurationTarget;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as unknown as typeof vscode.QuickPickItemKind;
export const QuickInputButtons = { Back: { iconPath: new ThemeIcon("arrow-left"), tooltip: "Back" } };
export const InputBoxValidationSeverity = {
  Info: 1,
  Warning: 2,
  Error: 3,
} as unknown as typeof vscode.InputBoxValidationSeverity;
export const EndOfLine = { LF: 1, CRLF: 2 } as unknown as typeof vscode.EndOfLine;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as unknown as typeof vscode.FileType;
export const FilePermission = { Readonly: 1 } as unknown as typeof vscode.FilePermission;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as unknown as typeof vscode.FileChangeType;
export const TextDocumentSaveReason = {
  Manual: 1,
  AfterDelay: 2,
  FocusOut: 3,
} as unknown as typeof vscode.TextDocumentSaveReason;
export const DiagnosticSeverity = numbered(
  "Error",
  "Warning",
  "Information",
  "Hint",
) as unknown as typeof vscode.DiagnosticSeverity;
export const TextEditorSelectionChangeKind = {
  Keyboard: 1,
  Mouse: 2,
  Command: 3,
} as unknown as typeof vscode.TextEditorSelectionChangeKind;
export const TextEditorRevealType = numbered(
  "Default",
  "InCenter",
  "InCenterIfOutsideViewport",
  "AtTop",
) as unknown as typeof vscode.TextEditorRevealType;
export const OverviewRulerLane = {
  ...{ Left: 1, Center: 2, Right: 4, Full: 7 },
} as unknown as typeof vscode.OverviewRulerLane;
export const DecorationRangeBehavior = numbered(
  "OpenOpen",
  "ClosedClosed",
  "OpenClosed",
  "ClosedOpen",
) as unknown as typeof vscode.DecorationRangeBehavior;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as unknown as typeof vscode.LanguageModelChatToolMode;
export const LanguageModelChatMessageRole = {
  User: 1,
  Assistant: 2,
} as unknown as typeof vscode.LanguageModelChatMessageRole;
export const SymbolKind = numbered(
  ...["File", "Module", "Namespace", "Package", "Class", "Method", "Property", "Field", "Constructor", "Enum"],
  ...["Interface", "Function", "Variable", "Constant", "String", "Number", "Boolean", "Array", "Object", "Key"],
  ...["Null", "EnumMember", "Struct", "Event", "Operator", "TypeParameter"],
) as unknown as typeof vscode.SymbolKind;
export const CompletionItemKind = numbered(
  ...["Text", "Method", "Function", "Constructor", "Field", "Variable", "Class", "Interface", "Module", "Property"],
  ...["Unit", "Value", "Enum", "Keyword", "Snippet", "Color", "File", "Reference", "Folder", "EnumMember"],
  ...["Constant", "Struct", "Event", "Operator", "TypeParameter", "User", "Issue"],
) as unknown as typeof vscode.CompletionItemKind;

/** Maps names to numbers from 0, and these back, like an enum of TypeScript. */
function numbered(...names: readonly string[]): Readonly<Record<string, number | string>> {
  const values: Record<string, number | string> = {};
  for (const [index, name] of names.entries()) Object.assign(values, { [name]: index, [index]: name });
  return values;
}
