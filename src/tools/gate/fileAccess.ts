/** Opens files for the tools: regular files only, by the real path; and turns file system errors into refusals. */
import { isMissingPath } from "../../base/systemErrors";
import { ToolRefusal } from "../../domain/tools/tool";
import type { OpenFile, ReadableWorkspace } from "../../domain/tools/workspace";

/** Reads the whole of a regular file that is not a link; `missing` when nothing is there, `unusable` for anything else. */
export async function readSmallFile(
  workspace: Pick<ReadableWorkspace, "status" | "open">,
  path: string,
  limit: number,
): Promise<Uint8Array | "missing" | "unusable"> {
  try {
    // The status is read first: opening a device can have effects.
    if ((await workspace.status(path)).kind !== "file") return "unusable";
    const file = await workspace.open(path);
    try {
      if (file.status.kind !== "file" || file.status.size > limit) return "unusable";
      // One byte more than the limit detects a file that grows while it is read.
      const bytes = await file.read(limit + 1);
      return bytes.length > limit ? "unusable" : bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissingPath(error) ? "missing" : "unusable";
  }
}

/**
 * Opens a regular file by its real path, and checks afterwards that the path still leads to it: a folder of the path may
 * have been replaced by a link. Rejects with a `ToolRefusal`.
 */
export async function openRegularFile(workspace: ReadableWorkspace, real: string, label: string): Promise<OpenFile> {
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

/** File system errors contain absolute paths; the refusal names only `label`. Other errors are returned unchanged. */
export function toRefusal(error: unknown, label: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  // Codes of this form are Node's own, for programming errors.
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
