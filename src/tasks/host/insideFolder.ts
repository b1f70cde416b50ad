/** Checks whether a file that a document names is inside the folder even when every link on its path is followed. */
import { realpath } from "node:fs/promises";
import type * as vscode from "vscode";
import { isInside } from "../../tools/gate/pathNames";

/** A symbolic link in someone else's repository may lead to a private picture on this machine, which would then be sent. */
export async function isReallyInside(file: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const [root, real] = await Promise.all([realpath(folder.fsPath), realpath(file.fsPath).catch(() => undefined)]);
  // A file that does not exist passes, because the error is reported where it is read.
  return real === undefined || isInside(root, real);
}
