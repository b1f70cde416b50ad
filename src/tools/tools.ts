/** The functions that a model may call, in the order in which they are declared to it. */
import type { ChildProcesses } from "../domain/childProcesses";
import type { EditorPort } from "../domain/editorPort";
import type { TaskPort } from "../domain/taskPort";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { listChanges } from "./code/listChanges";
import { listEditors } from "./code/listEditors";
import { listCodeProblems } from "./code/listProblems";
import { findDefinition, findReferences } from "./code/navigation";
import { findSymbols, listSymbols } from "./code/symbols";
import { editFile } from "./editFile";
import { findFiles } from "./findFiles";
import { findText } from "./findText";
import { listFiles } from "./listFiles";
import { readFile } from "./readFile";
import type { FileSearch } from "./search/searchJob";

/** Everything that a tool may touch. */
export interface ToolPorts {
  readonly workspace: Workspace;
  readonly tasks: TaskPort;
  readonly processes: ChildProcesses;
  readonly search: FileSearch;
  readonly editor: EditorPort;
}

export function createTools({ workspace, search, editor }: ToolPorts): readonly Tool[] {
  return [
    listFiles(workspace),
    findFiles(workspace, search),
    readFile(workspace),
    findText(workspace, search),
    listSymbols(workspace, editor),
    findSymbols(workspace, editor),
    findDefinition(workspace, editor),
    findReferences(workspace, editor),
    listCodeProblems(workspace, editor),
    listEditors(workspace, editor),
    listChanges(workspace, editor),
    editFile(workspace),
  ];
}
