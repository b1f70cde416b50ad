/** Drags tasks out of the Tasks view: the saved file into the window or a file manager, a reference to it into a document. */
import * as vscode from "vscode";
import { parseJson } from "../../../base/jsonValue";
import type { Disposable } from "../../../base/disposable";
import { draggedTasks as taskIdsType } from "../../../domain/task/taskPort";
import type { Task } from "../../../domain/task/task";
import { resultFile } from "../../results/resultFile";
import type { TaskBoard } from "../../board/board";
import type { TaskElement } from "../../view/taskGroups";

type TaskLookup = Pick<TaskBoard, "all">;

const uriListType = "text/uri-list";
export function createTaskDrag(board: TaskLookup): vscode.TreeDragAndDropController<TaskElement> {
  return {
    dragMimeTypes: [uriListType, taskIdsType, "text/plain"],
    dropMimeTypes: [],
    handleDrag(elements, data) {
      const tasks = elements.flatMap((element) => (element.kind === "task" ? (board.all.get(element.id) ?? []) : []));
      const saved = tasks.flatMap((task) => resultFile(task)?.path ?? []);
      if (saved.length > 0) {
        const files = saved.map((path) => vscode.Uri.file(path).toString());
        data.set(uriListType, new vscode.DataTransferItem(files.join("\r\n")));
        data.set(taskIdsType, new vscode.DataTransferItem(JSON.stringify(tasks.map(({ intent }) => intent.id))));
      } else if (tasks.length > 0) {
        // Without a file, the prompt is dragged, because it can be used elsewhere.
        data.set("text/plain", new vscode.DataTransferItem(tasks.map(({ intent }) => intent.prompt).join("\n\n")));
      }
    },
  };
}

/** Resolves with the texts that are inserted into that document for those tasks. */
export type DropTasks = (
  document: vscode.TextDocument,
  tasks: readonly Task[],
  token: vscode.CancellationToken,
) => Promise<readonly string[]>;

/** Registers the drop of tasks into documents. Each becomes a reference to its file, in Markdown an image described by the prompt, or a video. */
export function registerTaskDrop(board: TaskLookup, drop: DropTasks): Disposable {
  const provider: vscode.DocumentDropEditProvider = {
    async provideDocumentDropEdits(document, _position, data, token) {
      const value: unknown = data.get(taskIdsType)?.value;
      const ids = typeof value === "string" ? parseJson(value) : undefined;
      if (!Array.isArray(ids)) return undefined;
      const tasks = ids.flatMap((id) => (typeof id === "string" ? (board.all.get(id) ?? []) : []));
      const texts = token.isCancellationRequested ? [] : await drop(document, tasks, token);
      return texts.length === 0 ? undefined : new vscode.DocumentDropEdit(texts.join("\n\n"));
    },
  };
  return vscode.languages.registerDocumentDropEditProvider([{ language: "markdown" }, { scheme: "file" }], provider, {
    dropMimeTypes: [taskIdsType],
    providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append("markdown", "sluice")],
  });
}
