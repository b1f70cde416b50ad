/**
 * Changes of files in folders that are held (A4): between the look at a path and its change, a program that runs in the workspace may put a
 * link in the place of any folder on it. What the host writes itself goes through the handle; what VS Code writes by its path is
 * compared before and after.
 */
import { ftruncateSync, writeSync } from "node:fs";
import { constants, type FileHandle, open, realpath, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { hasSystemCode } from "../../base/systemErrors";
import { ChangeInterrupted, ToolRefusal } from "../../domain/tools/tool";
import type { WorkspaceRoot } from "../../domain/tools/workspace";
import { readFlags } from "../../node/diskFiles";
import { type HeldPath, holdPath } from "../../node/heldFolder";
import { isInside } from "./pathNames";

export type Roots = () => readonly WorkspaceRoot[];

/** Runs a change that VS Code makes by these paths. Rejects with a `ToolRefusal` where one of them led elsewhere before or after it, or as the change does. */
export async function withHeldPaths<T>(roots: Roots, paths: readonly string[], change: () => Promise<T>): Promise<T> {
  const folders: HeldPath[] = [];
  try {
    for (const path of paths) folders.push(await holdFolderOf(roots, path, true));
    for (const folder of folders) await checked(folder);
    const made = await change();
    for (const folder of folders) await checked(folder);
    return made;
  } finally {
    for (const folder of folders) await folder.close();
  }
}

/** Whether the path has no link below its root, as all paths of the gate: the changes of this module take no other. */
export async function isWithoutLinks(root: string, path: string): Promise<boolean> {
  const [top, real] = await Promise.all([realpath(root), realpath(path)]);
  return real === join(top, relative(root, path));
}

/** Creates a file, with its folders. `mode`: its permissions; missing for those of any new file. */
export async function createHeld(roots: Roots, path: string, content: Uint8Array, mode?: number): Promise<void> {
  await inFolderOf(roots, path, true, async (folder) => {
    const file = await open(folder.at(basename(path)), "wx", mode).catch((error: unknown) => {
      throw hasSystemCode(error, "EEXIST") ? new ToolRefusal("Something is there already.") : error;
    });
    try {
      await file.writeFile(content);
      // The umask has taken some away. A file system without permissions refuses, and has the content all the same.
      if (mode !== undefined) await file.chmod(mode).catch(() => undefined);
      await file.sync();
    } catch (error) {
      // Nothing else names a part of a new file, so it would stay where the person does not look for it.
      await rm(folder.at(basename(path))).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
  });
}

/**
 * Rejects with a `ToolRefusal` where the file has other bytes than `before`. Where the new bytes can't be written, as on a full disk, the file gets
 * the old ones back; where that fails too, it rejects with `ChangeInterrupted`.
 */
export function replaceHeld(roots: Roots, path: string, before: Uint8Array, after: Uint8Array): Promise<void> {
  return inFolderOf(roots, path, false, async (folder) => {
    const file = await openSame(folder, basename(path), before, constants.O_RDWR);
    try {
      overwrite(file, after);
      await file.sync();
    } catch (error) {
      try {
        overwrite(file, before);
      } catch {
        throw new ChangeInterrupted(
          `The file could not be written (${codeOf(error)}), and has only a part of its text now. An undo offers its former text.`,
        );
      }
      throw error;
    } finally {
      await file.close();
    }
  });
}

/**
 * The calls are synchronous, so that nothing of this process runs between them and a kill rarely falls there: it would leave the new bytes with the end
 * of the old ones, which are neither the text from before nor the one from after. `ChangeLedger` then drops an undo.
 */
function overwrite({ fd }: FileHandle, content: Uint8Array): void {
  for (let written = 0; written < content.length;)
    written += writeSync(fd, content, written, content.length - written, written);
  ftruncateSync(fd, content.length);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** `discard`: moves the file at the path to a trash; where that rejects with anything but a `ToolRefusal`, it is deleted. The result says which. */
export function removeHeld(
  roots: Roots,
  path: string,
  content: Uint8Array,
  discard: () => Promise<void>,
): Promise<"trash" | "gone"> {
  return inFolderOf(roots, path, false, async (folder) => {
    const refuseOther = async (): Promise<void> =>
      (await openSame(folder, basename(path), content, constants.O_RDONLY)).close();
    await refuseOther();
    await checked(folder);
    const isDiscarded = await discard().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ToolRefusal) throw error;
        return false;
      },
    );
    if (isDiscarded) {
      await checked(folder);
      return "trash";
    }
    await refuseOther();
    await rm(folder.at(basename(path)));
    return "gone";
  });
}

/** Removes an empty folder. Rejects where something is in it, or where it is a link. */
export function removeHeldFolder(roots: Roots, path: string): Promise<void> {
  return inFolderOf(roots, path, false, (folder) => rmdir(folder.at(basename(path))));
}

async function inFolderOf<T>(
  roots: Roots,
  path: string,
  makes: boolean,
  work: (folder: HeldPath) => Promise<T>,
): Promise<T> {
  const folder = await holdFolderOf(roots, path, makes);
  try {
    return await work(folder);
  } catch (error) {
    throw toRefusal(error);
  } finally {
    await folder.close();
  }
}

/** The paths of the gate have no links below their root. */
async function holdFolderOf(roots: Roots, path: string, makes: boolean): Promise<HeldPath> {
  const root = roots().find((one) => one.path !== path && isInside(one.path, path));
  if (root === undefined) throw new ToolRefusal("It is not in a folder of this workspace.");
  try {
    const top = await realpath(root.path);
    return await holdPath(join(top, relative(root.path, dirname(path))), { makes });
  } catch (error) {
    throw toRefusal(error);
  }
}

async function checked(folder: HeldPath): Promise<void> {
  await folder.check().catch((error: unknown) => {
    throw toRefusal(error);
  });
}

async function openSame(folder: HeldPath, name: string, content: Uint8Array, access: number): ReturnType<typeof open> {
  const file = await open(folder.at(name), readFlags | access).catch(() => undefined);
  try {
    const isFile = (await file?.stat())?.isFile() === true;
    if (file !== undefined && isFile && (await file.readFile()).equals(content)) return file;
  } catch (error) {
    await file?.close();
    throw error;
  }
  await file?.close();
  throw new ToolRefusal("The file was changed meanwhile. It was left as it is.");
}

/** Words errors of the file system as refusals, because they hold absolute paths. */
function toRefusal(error: unknown): unknown {
  if (hasSystemCode(error, "ESTALE")) return new ToolRefusal("A link leads elsewhere now.");
  if (error instanceof ToolRefusal || !(error instanceof Error) || !("code" in error)) return error;
  return new ToolRefusal(`The file could not be changed (${codeOf(error)}).`);
}
