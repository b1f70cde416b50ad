/** What a drag of results gives: as from the Tasks view, an editor takes the files, Markdown their pictures. */
import { draggedTasks } from "../../../domain/task/draggedTasks";
import type { GalleryRow } from "../../contract/galleryPageContract";

/** `folder`: the URI of the results folder. */
export function dragResults(rows: readonly GalleryRow[], folder: string, data: DataTransfer): void {
  const files = rows.flatMap(({ file }) => (file ? [`${folder}/${file}`] : []));
  if (files.length === 0) return;
  data.effectAllowed = "copy";
  data.setData("text/uri-list", files.join("\r\n"));
  data.setData(draggedTasks, JSON.stringify(rows.map(({ id }) => id)));
}
