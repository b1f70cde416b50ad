/** Opening files for the tools: regular files only, by the real path, and words for what the file system refuses. */
import { ToolRefusal } from "../../domain/tool";
import type { OpenFile, Workspace } from "../../domain/workspace";

/** The whole of a regular file that is not a link; `missing` when nothing is there, `unusable` for anything else. */
export async function readSmallFile(
  workspace: Workspace,
  path: string,
  limit: number,
): Promise<Uint8Array | "missing" | "unusable"> {
  try {
    // Looked at before it is opened: opening a device can have effects.
    if ((await workspace.status(path)).kind !== "file") return "unusable";
    const file = await workspace.open(path);
    try {
      if (file.status.kind !== "file" || file.status.size > limit) return "unusable";
      // One byte more: a file may grow while it is read.
      const bytes = await file.read(limit + 1);
      return bytes.length > limit ? "unusable" : bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error) ? "missing" : "unusable";
  }
}

/**
 * Opens a regular file by its real path, and makes sure that the path still led there afterwards: a folder on the way
 * may have been swapped for a link. Rejects with a `ToolRefusal`.
 */
export async function openRegularFile(workspace: Workspace, real: string, label: string): Promise<OpenFile> {
  let file: OpenFile | undefined;
  try {
    file = await workspace.open(real);
    if (file.status.kind === "file" && (await file.isAt(real))) return file;
    throw new ToolRefusal(`${label} was replaced while it was opened.`);
  } catch (error) {
    await file?.close();
    throw toRefusal(error, label);
  }
}

/** The file system's own message shows where on this machine a file is; this one only what was asked for. Other errors stay. */
export function toRefusal(error: unknown, label: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  // Node's own codes are longer and are errors of a program.
  if (error.code.startsWith("ERR_")) return error;
  return new ToolRefusal(`${label} ${reasons[error.code] ?? `can't be read (${error.code})`}.`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there: a part of its path is a file",
  ESTALE: "was replaced while it was opened",
  EISDIR: "is a folder, not a file",
  ELOOP: "is a link that leads nowhere",
  ENAMETOOLONG: "has too long a path",
  EACCES: "may not be read: the system denies it",
  EPERM: "may not be read: the system denies it",
};

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
