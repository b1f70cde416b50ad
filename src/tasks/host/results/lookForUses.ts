/**
 * Searches the documents of the project, once for all assets, for the files that they name. What VS Code's own search leaves out is left out here
 * too.
 */
import * as vscode from "vscode";
import { type AssetUses, UseCollector } from "../../../domain/task/assetGroups";
import { lockName } from "../../../domain/lock/lockFile";
import { mediaReferencesIn } from "../../../domain/task/mediaReference";
import type { Task } from "../../../domain/task/task";
import { placedTasks } from "../../results/placedTasks";
import type { DocumentsRead, DocumentsToRead } from "../../../tools/search/readDocuments";
import { readAsset } from "../../results/readAsset";

export type ReadDocuments = (request: DocumentsToRead) => Promise<DocumentsRead>;

/** Documents between two calls of `onProgress`. */
const progressStep = 200;

export interface FoundUses {
  readonly uses: AssetUses;
  readonly documents: number;
  readonly isIncomplete: boolean;
}

/** `assets`: URIs of files. Rejects with the signal's reason. */
export async function lookForUses(
  readDocuments: ReadDocuments,
  assets: Iterable<string>,
  signal: AbortSignal,
  onProgress: (documents: number) => void,
): Promise<FoundUses> {
  const collector = new UseCollector(assets);
  const { uses } = collector;
  if (uses.size === 0) return { uses, documents: 0, isIncomplete: false };
  const names = collector.unusualNames;
  let isCut = false;
  const { files, isIncomplete } = await readDocuments({
    excluded: excludedPatterns(),
    signal,
    take(path, text) {
      const uri = vscode.Uri.file(path);
      const namedBy = (name: string): readonly string[] => filesNamedBy(name, uri).map((place) => place.toString());
      const found = mediaReferencesIn(path.endsWith(".prompts.md") ? withoutDestinations(text) : text, names);
      isCut ||= found.isCut;
      collector.add(uri.toString(), found.references, namedBy);
    },
    onVisited(count) {
      if (count % progressStep === 0) onProgress(count);
    },
  });
  await collector.dropOthers(async (place) => {
    signal.throwIfAborted();
    return await isFileHere(vscode.Uri.parse(place));
  });
  return { uses, documents: files, isIncomplete: isIncomplete || isCut };
}

/** Blanks the destinations of prompts, which name a file without using it. Spaces keep the offsets of the text that follows. */
function withoutDestinations(text: string): string {
  return text.replaceAll(/\bdestination[ \t]*[=:][ \t]*(?:"[^"\n]*"|\S+)/g, (written) => " ".repeat(written.length));
}

/** Reads no file outside the folders of this window. */
async function isFileHere(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  return (await readAsset(uri.fsPath)).isThere;
}

/** The `placedTasks` whose files are in the folders of this window. */
export function placedHere(tasks: Iterable<Task>): ReadonlyMap<string, Task> {
  const isHere = ([file]: readonly [string, Task]): boolean => {
    const uri = vscode.Uri.parse(file);
    return uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  };
  return new Map([...placedTasks(tasks)].filter(isHere));
}

/** The ids of the tasks whose result, or a picture that was made of it, a document of the project names. Rejects with the signal's reason. */
export async function findUsedResults(
  readDocuments: ReadDocuments,
  tasks: Iterable<Task>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const placed = placedHere(tasks);
  const { uses } = await lookForUses(readDocuments, placed.keys(), signal, () => undefined);
  const used = [...placed].flatMap(([file, { intent }]) => ((uses.get(file) ?? []).length > 0 ? [intent.id] : []));
  return [...new Set(used)];
}

/** Patterns of what VS Code's search and explorer leave out, and of the lock and its temporary files, which name each file made here but use none. */
export function excludedPatterns(): readonly string[] {
  const byPerson = ["files", "search"].flatMap((section) => {
    const excluded = vscode.workspace.getConfiguration(section).get<Readonly<Record<string, unknown>>>("exclude") ?? {};
    return Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
  });
  return [`**/${lockName}`, `**/.${lockName}.*.part`, ...byPerson];
}

// Finds the file that a document names: relative to the document, or in a folder that web projects serve.

/** Folders that web projects serve at `/`. */
const served = ["", "public", "static", "src"];

/** The files that the path may mean, the likeliest first. */
export function filesNamedBy(path: string, document: vscode.Uri): readonly vscode.Uri[] {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const [, fromRoot] = /^(?:[@~]?\/)(.*)$/s.exec(path) ?? [];
  if (fromRoot !== undefined)
    return roots.flatMap((root) => served.map((folder) => vscode.Uri.joinPath(root, folder, fromRoot)));
  return [vscode.Uri.joinPath(document, "..", path), ...roots.map((root) => vscode.Uri.joinPath(root, path))];
}
