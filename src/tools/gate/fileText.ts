/** The text of a gated file: from an editor with unsaved changes, else from disk, decoded as VS Code does. */
import { type DecodedText, decodeText } from "../../base/text/decodeText";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { openRegularFile } from "./fileAccess";
import type { GatedFile } from "./fileGate";

const megabyte = 1024 * 1024;

/** Rejects with a `ToolRefusal` for a file that is over `limit` bytes, is no text, or has become another one. */
export async function readText(workspace: ReadableWorkspace, gated: GatedFile, limit: number): Promise<DecodedText> {
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
