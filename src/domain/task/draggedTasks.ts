/** The type of dragged data that carries ids of tasks within a window, as JSON: dropped into Markdown they become pictures. */
export const draggedTasks = "application/vnd.sluice.tasks";
