/** Looks through the documents of the project, once for all assets: without what its search leaves out, ignored files, secrets and links. */
import * as vscode from "vscode";
import { TimeSlices } from "../../../base/async/timeSlices";
import { decodeText } from "../../../base/text/decodeText";
import { type AssetUses, UseCollector } from "../../../domain/task/assetGroups";
import { mediaKindOf } from "../../../domain/task/mediaKinds";
import { mediaReferencesIn } from "../../../domain/task/mediaReference";
import { ToolRefusal } from "../../../domain/tools/tool";
import type { ReadableWorkspace, WorkspaceRoot } from "../../../domain/tools/workspace";
import { FolderWalk, walkedFile } from "../../../tools/base/walk";
import { compileGlobs, type FileFilter } from "../../../tools/search/globs";
import { gateSearched } from "../../../tools/search/prepareSearch";
import { createWorkspaceFiles } from "../../workspace/workspaceFiles";
import { placesOf } from "./namedPlaces";

/** Documents that are read, and bytes of one: a larger one is made by a program. */
const maxDocuments = 20_000;
const maxBytes = 1024 * 1024;
/** Of others that are too large, such as a lock file or data, nothing is said. */
const namesPictures = /\.(?:html?|s?css|sass|less|mdx?|[cm]?[jt]sx?|vue|svelte|astro)$/i;
/** Documents between two calls of `onProgress`. */
const progressStep = 200;

export interface FoundUses {
  readonly uses: AssetUses;
  readonly documents: number;
  /** There are folders or documents that were left out for their number, depth or size. */
  readonly isIncomplete: boolean;
}

/** `files`: URIs of the assets. Rejects with the signal's reason. */
export async function lookForUses(
  files: Iterable<string>,
  signal: AbortSignal,
  onProgress: (documents: number) => void,
): Promise<FoundUses> {
  const collector = new UseCollector(files);
  if (collector.uses.size === 0) return { uses: collector.uses, documents: 0, isIncomplete: false };
  // Reading runs nothing, so it needs no trust.
  const workspace: ReadableWorkspace = { ...createWorkspaceFiles(), roots: diskRoots };
  const isExcluded = excludedFiles();
  let documents = 0;
  let isIncomplete = false;
  const folders = diskRoots().length === 0 ? [] : await gateSearched(workspace, undefined, signal);
  for (const folder of folders) {
    const slices = new TimeSlices(signal);
    const walk = new FolderWalk(workspace, folder, slices);
    const isFull = (): boolean => documents >= maxDocuments;
    const isWanted: FileFilter = (path) => mediaKindOf(path) === undefined && !isExcluded(path);
    for await (const file of walk.files(isWanted, isFull)) {
      signal.throwIfAborted();
      if (slices.isSpent) await slices.next();
      const text = await readDocument(workspace, file.path);
      isIncomplete ||= text === "too-large" && namesPictures.test(file.path);
      const uri = vscode.Uri.file(walkedFile(folder, file).path);
      if (typeof text === "object")
        collector.add(uri.toString(), mediaReferencesIn(text.text), (path) =>
          placesOf(path, uri).map((place) => place.toString()),
        );
      documents += 1;
      if (documents % progressStep === 0) onProgress(documents);
    }
    isIncomplete ||= walk.notes.length > 0;
  }
  return { uses: collector.uses, documents, isIncomplete };
}

function diskRoots(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** As the editor shows it. `undefined` for one that is gone, no text, or may lie elsewhere. */
async function readDocument(
  workspace: ReadableWorkspace,
  path: string,
): Promise<{ readonly text: string } | "too-large" | undefined> {
  try {
    const file = await workspace.open(path);
    try {
      if (file.status.kind !== "file" || file.status.links > 1) return undefined;
      if (file.status.size > maxBytes) return "too-large";
      const text = workspace.shownText(path) ?? decodeText(await file.read(maxBytes)).text;
      return !text.includes("\0") && (await file.isAt(path)) ? { text } : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** By the settings of VS Code's own search. */
function excludedFiles(): FileFilter {
  const patterns = ["files", "search"].flatMap((section) => {
    const excluded = vscode.workspace.getConfiguration(section).get<Readonly<Record<string, unknown>>>("exclude") ?? {};
    return Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
  });
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
