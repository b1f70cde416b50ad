/** What the guard asks of files: by their names, and by the text of a change. */
import { reasonsOfChange } from "./changeReasons";
import { isPlainFile, isSecretPath } from "./sensitiveNames";

export const filePolicy = { isPlainFile, reasonsOf: reasonsOfChange, isSecret: isSecretPath };
