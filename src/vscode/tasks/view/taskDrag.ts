/** Dragging tasks out of the Tasks view: the saved file into the window or a file manager, a Markdown image into a document. */
import * as vscode from "vscode";
import { parseJson } from "../../../base/jsonValue";
import type { Disposable } from "../../../base/disposable";
import { draggedTasks as taskIds } from "../../../domain/task/draggedTasks";
import { resultFile } from "../../../tasks/results/resultFile";
import { markdownOf } from "../../../tasks/view/resultMarkdown";
import type { TaskBoard } from "../../../tasks/board/board";
import type { TaskElement } from "./taskElements";

type DraggedTasks = Pick<TaskBoard, "tasks">;

const uriList = "text/uri-list";
export function createTaskDrag(board: DraggedTasks): vscode.TreeDragAndDropController<TaskElement> {
  return {
    dragMimeTypes: [uriList, taskIds, "text/plain"],
    dropMimeTypes: [],
    handleDrag(elements, data) {
      const tasks = elements.flatMap((element) => (element.kind === "task" ? (board.tasks.get(element.id) ?? []) : []));
      const saved = tasks.flatMap((task) => resultFile(task)?.path ?? []);
      if (saved.length > 0) {
        const files = saved.map((path) => vscode.Uri.file(path).toString());
        data.set(uriList, new vscode.DataTransferItem(files.join("\r\n")));
        data.set(taskIds, new vscode.DataTransferItem(JSON.stringify(tasks.map(({ intent }) => intent.id))));
      } else if (tasks.length > 0) {
        // There is no file yet: the prompt is what can be used elsewhere.
        data.set("text/plain", new vscode.DataTransferItem(tasks.map(({ intent }) => intent.prompt).join("\n\n")));
      }
    },
  };
}

/** In Markdown, a dropped task becomes its image with the prompt as its description, or its video. */
export function registerTaskDrop(board: DraggedTasks): Disposable {
  const provider: vscode.DocumentDropEditProvider = {
    provideDocumentDropEdits(document, _position, data) {
      const value: unknown = data.get(taskIds)?.value;
      const ids = typeof value === "string" ? parseJson(value) : undefined;
      if (!Array.isArray(ids)) return undefined;
      const path = document.uri.scheme === "file" ? document.uri.path : undefined;
      const lines = ids.flatMap((id) => {
        const task = typeof id === "string" ? board.tasks.get(id) : undefined;
        return task ? (markdownOf(task, path) ?? []) : [];
      });
      return lines.length === 0 ? undefined : new vscode.DocumentDropEdit(lines.join("\n\n"));
    },
  };
  return vscode.languages.registerDocumentDropEditProvider({ language: "markdown" }, provider, {
    dropMimeTypes: [taskIds],
    providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append("markdown", "sluice")],
  });
}
