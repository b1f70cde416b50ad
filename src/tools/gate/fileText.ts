/** The text of a gated file: from an editor with unsaved changes, else from disk, decoded as VS Code does. */
import { isAscii } from "node:buffer";
import { ToolRefusal } from "../../domain/tool";
import type { Workspace } from "../../domain/workspace";
import { openRegularFile } from "./fileAccess";
import type { GatedFile } from "./fileGate";

export interface FileText {
  readonly text: string;
  /** The bytes were not valid UTF-8: the text can be shown, but writing it back would damage the file. */
  readonly isDamaged: boolean;
}

const megabyte = 1024 * 1024;

/** Rejects with a `ToolRefusal` for a file that is over `limit` bytes, is no text, or has become another one. */
export async function readText(workspace: Workspace, gated: GatedFile, limit: number): Promise<FileText> {
  const { path, real, label, cautions } = gated;
  const tooLarge = new ToolRefusal(`${label} is larger than ${limit / megabyte} MB; such files are left alone.`);
  const shown = workspace.shownText(path);
  if (shown !== undefined) {
    if (shown.length > limit) throw tooLarge;
    return { text: shown, isDamaged: false };
  }
  const file = await openRegularFile(workspace, real, label);
  try {
    if (file.status.links > 1 && !cautions.includes("hard-link")) {
      throw new ToolRefusal(`${label} has another name on this disk by now. Call again.`);
    }
    if (file.status.size > limit) throw tooLarge;
    const bytes = await file.read(limit + 1);
    if (bytes.length > limit) throw tooLarge;
    const decoded = decodeText(bytes);
    if (decoded.text.includes("\0")) throw new ToolRefusal(`${label} is no text file.`);
    return decoded;
  } finally {
    await file.close();
  }
}

/** UTF-8, or UTF-16 with a byte order mark. The mark is no part of the text. */
export function decodeText(bytes: Uint8Array): FileText {
  // Most files: a fifth of the time, and a text of one byte a character.
  if (isAscii(bytes)) {
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"), isDamaged: false };
  }
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isDamaged: false };
  } catch {
    return { text: new TextDecoder(encoding).decode(bytes), isDamaged: true };
  }
}
