/** What a person is asked about a command, and what a longer yes to it may cover (A3, A4). */
import type { AskReason } from "../domain/chat/chat";
import type { GrantedPart, GrantSubject } from "../domain/tools/grant";
import type { CallEffects } from "../domain/tools/tool";
import type { Workspace } from "../domain/tools/workspace";
import { reasonsToAskForRead } from "./gate/cautions";
import type { GatedFolder } from "./gate/fileGate";
import { findNamedPaths, isProjectFolder } from "./gate/namedPaths";
import { stagesForeign } from "./search/stagedFiles";
import type { CommandPart } from "./command/lineParts";
import { granted } from "./command/ownOutput";

interface JudgedCommand {
  /** Missing when the line is more than plain words. */
  readonly parts?: readonly CommandPart[];
  readonly folder: GatedFolder;
  /** The roots that it may write, where it runs in the sandbox. */
  readonly confinedTo?: readonly string[];
  readonly port?: number;
}

/** The parts of the line, with what they name. */
export function judgeParts(
  workspace: Workspace,
  parts: readonly CommandPart[],
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<readonly GrantedPart[]> {
  return Promise.all(
    parts.map(async (part) => granted(part, await findNamedPaths(workspace, folder, part.argv, signal, wrote))),
  );
}

/** Whether one of them makes files of others the project's own. */
export async function areStaging(
  workspace: Workspace,
  judged: readonly GrantedPart[],
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<boolean> {
  for (const part of judged) if (await stagesForeign(workspace, folder, part, signal, wrote)) return true;
  return false;
}

/** What a longer yes may cover. */
export async function grantOf(
  workspace: Workspace,
  parts: readonly GrantedPart[],
  folder: GatedFolder,
  signal: AbortSignal,
): Promise<GrantSubject> {
  return {
    type: "command",
    folder: folder.label,
    isOwnFolder: await isProjectFolder(workspace, folder, signal),
    parts,
  };
}

/** Why it asks. */
export function reasonsFor(
  { parts, folder, confinedTo, port }: JudgedCommand,
  {
    isOutside,
    isBackground,
    isStaging,
    isSecret,
  }: Readonly<Record<"isOutside" | "isBackground" | "isStaging" | "isSecret", boolean>>,
): readonly AskReason[] {
  const reasons: AskReason[] = [
    ...(isOutside ? (["outside-sandbox"] as const) : []),
    confinedTo === undefined ? "runs-command" : isBackground ? "runs-in-place" : "runs-confined",
    ...(confinedTo !== undefined && port !== undefined ? (["uses-network"] as const) : []),
    ...(isBackground ? (["stays-running"] as const) : []),
    ...(isStaging ? (["stages-foreign"] as const) : []),
    ...(isSecret ? (["secret"] as const) : []),
    ...(parts === undefined ? (["shell"] as const) : []),
  ];
  return [...reasons, ...(reasonsToAskForRead(folder.cautions) ?? [])];
}
