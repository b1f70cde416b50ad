/** Whether a file that a document names is inside of the folder also when every link on its path is followed. */
import { realpath } from "node:fs/promises";
import type * as vscode from "vscode";
import { isInside } from "../../tools/gate/pathNames";

/** A link in a repository that is not one's own may lead to a picture of this machine, which would be sent. */
export async function isReallyInside(file: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const [root, real] = await Promise.all([realpath(folder.fsPath), realpath(file.fsPath).catch(() => undefined)]);
  // What does not exist is reported where it is read.
  return real === undefined || isInside(root, real);
}
