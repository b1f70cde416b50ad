/** The functions that a model may call, in the order in which they are declared to it. */
import type { EditorPort, ScaleImage, PagePort, WebPort } from "../domain/tools/toolPorts";
import type { TaskPort } from "../domain/task/taskPort";
import type { Tool } from "../domain/tools/tool";
import { listChanges } from "./code/listChanges";
import { listEditors } from "./code/listEditors";
import { listCodeProblems } from "./code/listProblems";
import { findDefinition, findReferences, findSymbols, listSymbols } from "./code/navigation";
import { askPerson } from "./askPerson";
import { applyPatch } from "./files/applyPatch";
import { deleteFile, renameFile } from "./files/deleteFile";
import { explore } from "./explore";
import { editFile } from "./files/editFile";
import { NewProblems } from "./edit/newProblems";
import { findFiles, findText } from "./files/findText";
import { listFiles } from "./files/listFiles";
import { presentPlan, updatePlan } from "./planTools";
import { readFile } from "./files/readFile";
import { type CommandOptions, runCommandLine } from "./runCommandLine";
import type { FileSearch } from "./search/searchJob";
import { useProcess } from "./useProcess";
import { fetchUrl } from "./fetchUrl";
import { viewPage } from "./viewPage";
import { writeFile } from "./files/writeFile";
import { chatTaskTools } from "./tasks/taskToolNames";
import { createTaskTools } from "./tasks/taskTools";

/** Everything that a tool may touch. */
export interface ToolOptions extends CommandOptions {
  readonly tasks: TaskPort;
  readonly search: FileSearch;
  readonly editor: EditorPort;
  readonly scaleImage: ScaleImage;
  readonly web: WebPort;
  /** Missing where no browser is installed. */
  readonly pages?: PagePort | undefined;
}

export function createTools(options: ToolOptions): readonly Tool[] {
  const { workspace, search, editor, tasks, clock, scaleImage, pages } = options;
  const problems = new NewProblems(editor, clock);
  return [
    listFiles(workspace),
    findFiles(workspace, search),
    readFile(workspace, scaleImage),
    findText(workspace, search),
    listSymbols(workspace, editor),
    findSymbols(workspace, editor),
    findDefinition(workspace, editor),
    findReferences(workspace, editor),
    listCodeProblems(workspace, editor),
    listEditors(workspace, editor),
    listChanges(workspace, editor),
    editFile(workspace, problems),
    applyPatch(workspace, problems),
    writeFile(workspace, problems),
    renameFile(workspace),
    deleteFile(workspace),
    runCommandLine(options),
    useProcess(options),
    fetchUrl(options),
    ...(pages === undefined ? [] : [viewPage(pages, scaleImage)]),
    explore(),
    askPerson(),
    updatePlan(),
    presentPlan(),
    ...createTaskTools(workspace, tasks, chatTaskTools, scaleImage),
  ];
}
