/** The bytes of a gated file that is an image, whatever its name says. */
import { imageTypeOf, scalableSizeCap } from "../../domain/chat/imageTypes";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { openRegularFile } from "../gate/fileAccess";
import type { GatedFile } from "../gate/fileGate";

/** Of the beginning, by which the type is known. */
const startLength = 32;

/** `undefined` for any other file. Rejects with a `ToolRefusal` for one that is too large, or has become another one. */
export async function readImage(
  workspace: ReadableWorkspace,
  { path, real, label, cautions }: GatedFile,
): Promise<Uint8Array | undefined> {
  if (workspace.shownText(path) !== undefined) return undefined;
  const file = await openRegularFile(workspace, real, label);
  try {
    if (imageTypeOf(await file.read(startLength)) === undefined) return undefined;
    if (file.status.links > 1 && !cautions.includes("hard-link"))
      throw new ToolRefusal(`${label} has another name on this disk by now. Call again.`);
    const bytes = await file.read(scalableSizeCap + 1);
    if (bytes.length <= scalableSizeCap) return bytes;
    throw new ToolRefusal(
      `${label} has more than ${scalableSizeCap / 1024 ** 2} MB. Make a smaller copy of the image with a command, and read that.`,
    );
  } finally {
    await file.close();
  }
}
