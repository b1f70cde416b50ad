/** Tools that delete a file, to the trash where there is one, or rename it. */
import * as z from "zod/mini";
import { decodeText } from "../../base/text/decodeText";
import { type CallToApprove, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { fileAlias, alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { createPreview } from "../edit/changePreview";
import { reasonsToAskForChange, type FileCaution } from "../gate/cautions";
import { openRegularFile } from "../gate/fileAccess";
import { gateAgain, type GatedFile, gateFile, gatePlace } from "../gate/fileGate";
import { type FilePart, fileGrant } from "./changeParts";

/** Bytes. A larger file is left alone: the undo keeps what was deleted. */
const sizeCap = 20 * 1024 * 1024;
/** Characters of a text that is shown whole before it is deleted. */
const shownCap = 500_000;

export function deleteFile(workspace: Workspace): Tool {
  return defineTool({
    name: "delete_file",
    effect: "changes",
    description: "Deletes one file. Folders cannot be deleted.",
    parameters: z.strictObject({ path: pathArgument("File, relative to the workspace.") }),
    rules: [fileAlias],
    async prepare({ path }, signal) {
      const { make, ...asked } = await deletionChange(workspace, path, signal);
      return { ...asked, run: make };
    },
  });
}

export async function deletionChange(workspace: Workspace, path: string, signal: AbortSignal): Promise<FilePart> {
  const file = await gateFile(workspace, path, signal);
  const bytes = await readBytes(workspace, file);
  return {
    action: { type: "delete-file", path: file.label, trash: workspace.hasTrash },
    reasons: reasonsToAskForChange(file.cautions),
    ...fileGrant("delete", file),
    ...previewOf(file, bytes),
    async make(running, effects) {
      const now = await gateAgain(gateFile, workspace, file, running);
      if (Buffer.compare(await readBytes(workspace, now), bytes) !== 0) {
        throw new ToolRefusal(`${now.label} was changed after the question. Call again.`);
      }
      running.throwIfAborted();
      const way = await (effects?.files ?? workspace).remove(now.path, bytes);
      return way === "trash" ? `Deleted ${now.label}; it is in the trash.` : `Deleted ${now.label}.`;
    },
  };
}

async function readBytes(workspace: Workspace, { path, real, label }: GatedFile): Promise<Uint8Array> {
  if (workspace.shownText(path) !== undefined) {
    throw new ToolRefusal(`${label} has unsaved changes in an editor, so it was not deleted.`);
  }
  const file = await openRegularFile(workspace, real, label);
  try {
    const bytes = await file.read(sizeCap + 1);
    if (bytes.length <= sizeCap) return bytes;
    throw new ToolRefusal(`${label} is larger than ${sizeCap / 1024 / 1024} MB; such files are left alone.`);
  } finally {
    await file.close();
  }
}

/** Shows the lines of the file as removed. A file that may hold a secret, and one that is no text, is named only. */
function previewOf({ path, label, cautions }: GatedFile, bytes: Uint8Array): Pick<CallToApprove, "change"> {
  const { text, isDamaged } = decodeText(bytes);
  if (isDamaged || text.includes("\0") || text.length > shownCap || cautions.includes("secret")) return {};
  return { change: { file: path, before: text, after: "", preview: createPreview(label, text, "") } };
}

/** Tool: renames or moves a file with its content, unsaved changes included. */
export function renameFile(workspace: Workspace): Tool {
  return defineTool({
    name: "rename_file",
    effect: "changes",
    description: "Renames or moves one file. Missing folders are created. Nothing may exist at the new path.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      new_path: pathArgument("New path, relative to the workspace."),
    }),
    rules: [
      alias("path", "old_path", "from", "source", "src", "source_path", "file_path", "file"),
      alias("new_path", "to", "destination", "target", "dest", "destination_path", "target_path", "new_name"),
    ],
    async prepare({ path, new_path: newPath }, signal) {
      const { make, ...asked } = await renaming(workspace, path, newPath, signal);
      return { ...asked, run: make };
    },
  });
}

export async function renaming(
  workspace: Workspace,
  path: string,
  newPath: string,
  signal: AbortSignal,
): Promise<FilePart> {
  const file = await gateFile(workspace, path, signal);
  const place = await gatePlace(workspace, newPath, signal);
  const cautions: FileCaution[] = [...new Set([...file.cautions, ...place.cautions])];
  return {
    action: { type: "rename-file", path: file.label, to: place.label },
    reasons: reasonsToAskForChange(cautions),
    ...fileGrant("rename", file, place),
    async make(running, effects) {
      const from = await gateAgain(gateFile, workspace, file, running);
      const to = await gateAgain(gatePlace, workspace, place, running);
      running.throwIfAborted();
      await (effects?.files ?? workspace).rename(from.path, to.path);
      return `Renamed ${from.label} to ${to.label}.`;
    },
  };
}
