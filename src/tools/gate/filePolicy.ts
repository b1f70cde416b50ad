/** What the guard asks of files: by their names, and by the text of a change. */
export { reasonsOfChange as reasonsOf } from "./changeReasons";
export { isPlainFile } from "./sensitiveNames";
