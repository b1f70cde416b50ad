/** Reads the text files of the workspace one after the other, for a pass over all of them: without ignored files, secrets, links and what the caller excludes. */
import { TimeSlices } from "../../base/async/timeSlices";
import { decodeText } from "../../base/text/decodeText";
import { mediaKindOf } from "../../domain/task/taskTypes";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { FolderWalk, walkedFile } from "../base/walk";
import { compileGlobs, type FileFilter } from "./globs";
import { gateSearched } from "./prepareSearch";

export interface DocumentsToRead {
  /** Patterns of files and folders; one that can't be compiled is passed over. */
  readonly excluded: readonly string[];
  readonly signal: AbortSignal;
  /** Whether a file is opened, by its path in the folder, with `/`. Missing: every file that is no medium. */
  readonly isWanted?: (path: string) => boolean;
  /** `path`: as the editor names the file. */
  readonly take: (path: string, text: string) => void;
  /** Called for each file, with their number so far. */
  readonly onVisited: (files: number) => void;
}

export interface DocumentsRead {
  readonly files: number;
  /** Whether folders or documents were left out for their number, depth or size. */
  readonly isIncomplete: boolean;
}

/** Files that are read, and bytes of one: a larger one is made by a program. */
const maxFiles = 20_000;
const maxBytes = 1024 * 1024;
/** Bytes at the beginning in which a file that is no text has a NUL. */
const sampleBytes = 64 * 1024;
/** Matches the lock files of package managers: they are often too large, and name no file of a project. */
const isLockFile = /\.lock$|package-lock\.json$|npm-shrinkwrap\.json$|pnpm-lock\.yaml$/i;

const isNoMedium = (path: string): boolean => mediaKindOf(path) === undefined;

/** Rejects with the signal's reason. */
export async function readDocuments(
  workspace: ReadableWorkspace,
  { excluded, signal, take, onVisited, isWanted = isNoMedium }: DocumentsToRead,
): Promise<DocumentsRead> {
  const isExcluded = compileKnown(excluded);
  let files = 0;
  let isIncomplete = false;
  const folders = workspace.roots().length === 0 ? [] : await gateSearched(workspace, undefined, signal);
  for (const folder of folders) {
    const slices = new TimeSlices(signal);
    const walk = new FolderWalk(workspace, folder, slices);
    for await (const file of walk.files(
      (path) => isWanted(path) && !isExcluded(path),
      () => files >= maxFiles,
    )) {
      signal.throwIfAborted();
      if (slices.isSpent) await slices.next();
      const text = await readDocument(workspace, file.path);
      if (typeof text === "object") take(walkedFile(folder, file).path, text.text);
      isIncomplete ||= text === "left-out" && !isLockFile.test(file.path);
      files += 1;
      onVisited(files);
    }
    isIncomplete ||= walk.notes.length > 0;
  }
  return { files, isIncomplete };
}

/** Reads a document as the editor shows it. `undefined` for one that is gone or no text; `left-out`: it is too large, or may lie elsewhere. */
export async function readDocument(
  workspace: ReadableWorkspace,
  path: string,
): Promise<{ readonly text: string } | "left-out" | undefined> {
  try {
    const file = await workspace.open(path);
    try {
      if (file.status.kind !== "file") return undefined;
      if (file.status.links > 1 || file.status.size > maxBytes)
        return (await file.read(sampleBytes)).includes(0) ? undefined : "left-out";
      const text = workspace.shownText(path) ?? decodeText(await file.read(maxBytes)).text;
      return !text.includes("\0") && (await file.isAt(path)) ? { text } : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function compileKnown(patterns: readonly string[]): FileFilter {
  const filters = patterns.flatMap((pattern) => {
    try {
      return [compileGlobs([pattern])];
    } catch (error) {
      if (error instanceof ToolRefusal) return [];
      throw error;
    }
  });
  return (path) => filters.some((filter) => filter(path));
}
