/** Whether `git add` takes in files that are not the project's: from then on git would track them, and their text and instructions would count as its own (A4). */
import { join, relative } from "node:path";
import type { CallEffects } from "../../domain/tools/tool";
import type { NamedPaths } from "../../domain/tools/grant";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { type GatedFolder, gateFolder } from "../gate/fileGate";
import { findUntrustedIn } from "./untrustedBelow";

/** Of files that git tracks, or that add nothing. */
const quietOption = /^(?:-[uvn]|--update|--verbose|--dry-run|--)$/u;
/** Also what git ignores. */
const forcing = /^-\w*f|^--f/u;

/** `folder`: where it runs. `paths`: what its words name. */
export async function stagesForeign(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  { argv, paths }: { readonly argv: readonly string[]; readonly paths: NamedPaths },
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<boolean> {
  const [program = "", command, ...rest] = argv;
  if (!/^git(?:\.(?:exe|cmd|bat|ps1))?$/iu.test(program) || command !== "add") return false;
  if (rest.some((word) => forcing.test(word))) return true;
  const others = rest.filter((word) => !quietOption.test(word) && !paths.files.includes(word));
  const named = others.filter((word) => paths.folders.includes(word));
  const isWhole = others.length > named.length;
  // Of a repository above the root files outside of it would be taken in.
  if (isWhole && !(await isRepository(workspace, folder.root))) return true;
  const at = join(folder.rootPath, relative(folder.root, folder.real));
  const places = isWhole ? [folder.rootPath] : named.map((word) => join(at, word));
  for (const place of places) {
    const gated = await gateFolder(workspace, place, signal);
    const found = await findUntrustedIn(workspace, { ...gated, cautions: ["secret", "unlisted"] }, signal, wrote);
    if (found !== undefined) return true;
  }
  return false;
}

/** A file is that of a worktree. */
async function isRepository(workspace: ReadableWorkspace, root: string): Promise<boolean> {
  const { kind } = await workspace.status(join(root, ".git")).catch(() => ({ kind: undefined }));
  return kind === "folder" || kind === "file";
}
