/** What a file holds for the undo ledger: its bytes on the disk, or the text of an editor with unsaved changes. */
import { isMissingPath } from "../../base/systemErrors";
import { decodeText } from "../../base/text/decodeText";
import { ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";

export type FileContent =
  | { readonly as: "file"; readonly bytes: Uint8Array }
  /** Unsaved, in an editor. */
  | { readonly as: "text"; readonly text: string };

/** Bytes. The ledger keeps no larger file, so no tool changes or deletes one. */
const contentCap = 20 * 1024 * 1024;

export function textOf(content: FileContent): string {
  return content.as === "text" ? content.text : decodeText(content.bytes).text;
}

/** A text in an encoding other than UTF-8 has its bytes in the ledger; this is for one that was only in an editor. */
export function bytesOf(content: FileContent): Uint8Array {
  return content.as === "file" ? content.bytes : new TextEncoder().encode(content.text);
}

export function isSameContent(one: FileContent | undefined, other: FileContent | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.as === "file" && other.as === "file") return Buffer.compare(one.bytes, other.bytes) === 0;
  return textOf(one) === textOf(other);
}

/** Whether it is a text that can be compared and merged by lines. */
export function isText(content: FileContent): boolean {
  if (content.as === "text") return true;
  const { text, isDamaged } = decodeText(content.bytes);
  return !isDamaged && !text.includes("\0");
}

/** `undefined` when nothing is there. Rejects with a `ToolRefusal` for anything but a regular file that the ledger can keep. */
export async function readContent(workspace: Workspace, path: string): Promise<FileContent | undefined> {
  const shown = workspace.shownText(path);
  if (shown !== undefined) return { as: "text", text: shown };
  try {
    if ((await workspace.status(path)).kind !== "file") throw new ToolRefusal("It is no file any more.");
    const file = await workspace.open(path);
    try {
      const bytes = await file.read(contentCap + 1);
      if (bytes.length <= contentCap) return { as: "file", bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissingPath(error)) return undefined;
    throw error;
  }
  throw new ToolRefusal(`The file is larger than ${contentCap / 1024 / 1024} MB; such files are left alone.`);
}

/** Of the nearest folder that is there, with the rest of the path. */
export async function realPathOf(workspace: Workspace, path: string): Promise<string> {
  try {
    return await workspace.realPath(path);
  } catch {
    const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
    return cut <= 0 ? path : (await realPathOf(workspace, path.slice(0, cut))) + path.slice(cut);
  }
}
