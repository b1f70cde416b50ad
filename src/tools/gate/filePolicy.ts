/** What the guard and the commit message ask of files: by their names, and by the text of a change. */
import { reasonsOfChange } from "./changeReasons";
import { isPlainFile, isSecretPath } from "./sensitiveNames";

export const filePolicy = { isPlainFile, isSecretPath, reasonsOf: reasonsOfChange };
