/** Opens a file of the workspace that the chat page names: no other file, and none by a path that leaves the workspace. */
import type { CallFile } from "../../../domain/chat/changedLines";
import type { ReadableWorkspace } from "../../../domain/tools/workspace";
import { gateFile } from "../../../tools/gate/fileGate";
import { openFile } from "../../../vscode/interface/runCommand";

/** Rejects where there is no such file. */
export async function openWorkspaceFile(workspace: ReadableWorkspace, { path, line }: CallFile): Promise<void> {
  const file = await gateFile(workspace, path, new AbortController().signal);
  await openFile(file.path, line);
}
