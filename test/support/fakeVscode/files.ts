/** `workspace.fs`, searching, watching, and the changes of files that `applyEdit` makes, on the folder of the fake window. */
import { constants, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import type * as vscode from "vscode";
import { FileSystemError } from "./dataTypes";
import { FileType } from "./enums";
import type { Documents, FakeDocument } from "./documents";
import { type EditStep, TextEdit, type WorkspaceEdit } from "./edits";
import { EventEmitter } from "./events";
import { Range, Uri } from "./positions";
import type { Changes } from "./wire";

/** The file system providers of the extension, by scheme. */
export class FileSystems {
  readonly #providers = new Map<string, vscode.FileSystemProvider>();

  register(scheme: string, provider: vscode.FileSystemProvider): vscode.Disposable {
    this.#providers.set(scheme, provider);
    return { dispose: () => void this.#providers.delete(scheme) };
  }

  of(scheme: string): vscode.FileSystemProvider | undefined {
    return this.#providers.get(scheme);
  }

  get fs(): vscode.FileSystem {
    const at = async <T>(
      uri: vscode.Uri,
      onDisk: (file: string) => Promise<T>,
      inProvider: (provider: vscode.FileSystemProvider) => T | Thenable<T>,
    ): Promise<T> => {
      if (uri.scheme !== "file") {
        const provider = this.of(uri.scheme);
        if (!provider)
          throw FileSystemError.Unavailable(`ENOPRO: No file system provider found for resource '${uri.toString()}'`);
        return inProvider(provider);
      }
      return onDisk(uri.fsPath).catch((error: unknown) => {
        throw fileError(uri, error);
      });
    };
    return {
      readFile: (uri) =>
        at(
          uri,
          async (file) => new Uint8Array(await readFile(file)),
          (provider) => provider.readFile(uri),
        ),
      writeFile: (uri, bytes) =>
        at(
          uri,
          async (file) => {
            await mkdir(path.dirname(file), { recursive: true });
            await writeFile(file, bytes);
          },
          async (provider) => {
            await makeFolders(provider, uri.with({ path: path.posix.dirname(uri.path) }));
            await provider.writeFile(uri, bytes, { create: true, overwrite: true });
          },
        ),
      stat: (uri) =>
        at(
          uri,
          async (file): Promise<vscode.FileStat> => {
            const found = await stat(file);
            const type = found.isDirectory() ? FileType.Directory : found.isFile() ? FileType.File : FileType.Unknown;
            return { type, size: found.size, mtime: found.mtimeMs, ctime: found.ctimeMs };
          },
          (provider) => provider.stat(uri),
        ),
      readDirectory: (uri) =>
        at(
          uri,
          async (file) =>
            (await readdir(file, { withFileTypes: true })).map((entry): [string, vscode.FileType] => [
              entry.name,
              entry.isDirectory() ? FileType.Directory : entry.isSymbolicLink() ? FileType.SymbolicLink : FileType.File,
            ]),
          (provider) => provider.readDirectory(uri),
        ),
      createDirectory: (uri) =>
        at(
          uri,
          async (file) => void (await mkdir(file, { recursive: true })),
          (provider) => makeFolders(provider, uri),
        ),
      delete: (uri, { recursive = false } = {}) =>
        at(
          uri,
          async (file) => {
            await stat(file);
            await rm(file, { recursive });
          },
          (provider) => provider.delete(uri, { recursive }),
        ),
      rename: (from, to, { overwrite = false } = {}) =>
        at(
          from,
          async (file) => {
            if (!overwrite && (await exists(to.fsPath))) throw FileSystemError.FileExists(to);
            await rename(file, to.fsPath);
          },
          (provider) => provider.rename(from, to, { overwrite }),
        ),
      copy: (from, to, { overwrite = false } = {}) =>
        at(
          from,
          async (file) => {
            const provider = this.of(to.scheme);
            if (!provider) return copyFile(file, to.fsPath, overwrite ? 0 : constants.COPYFILE_EXCL);
            if (!overwrite && (await isThere(Promise.resolve().then(() => provider.stat(to)))))
              throw FileSystemError.FileExists(to);
            await makeFolders(provider, to.with({ path: path.posix.dirname(to.path) }));
            await provider.writeFile(to, new Uint8Array(await readFile(file)), { create: true, overwrite });
          },
          () => {
            throw FileSystemError.Unavailable(from);
          },
        ),
      isWritableFileSystem: (scheme) => scheme === "file" || (this.of(scheme) ? true : undefined),
    };
  }
}

/** Creates a folder with those above it, as on the disk. */
async function makeFolders(provider: vscode.FileSystemProvider, folder: vscode.Uri): Promise<void> {
  if (await isThere(Promise.resolve().then(() => provider.stat(folder)))) return;
  const above = path.posix.dirname(folder.path);
  if (above !== folder.path) await makeFolders(provider, folder.with({ path: above }));
  await provider.createDirectory(folder);
}

async function exists(file: string): Promise<boolean> {
  return isThere(stat(file));
}

function isThere(found: Thenable<unknown>): Promise<boolean> {
  return Promise.resolve(found).then(
    () => true,
    () => false,
  );
}

/** Searches like VS Code: the folders of the workspace, without what `files.exclude` has by default. */
export function findFiles(
  folders: readonly vscode.WorkspaceFolder[],
  include: vscode.GlobPattern,
  exclude: vscode.GlobPattern | null | undefined,
  limit: number | undefined,
): Uri[] {
  const pattern = typeof include === "string" ? include : include.pattern;
  const bases = typeof include === "string" ? folders.map(({ uri }) => uri) : [include.baseUri];
  // Files of a file system provider are not searched.
  const roots = bases.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
  const ignored = exclude === null ? [] : ["**/.git/**", "**/node_modules/**"];
  if (typeof exclude === "string") ignored.push(exclude);
  else if (exclude) ignored.push(exclude.pattern);
  const found = roots.flatMap((root) => globSync([pattern], { cwd: root, ignore: ignored, absolute: true, dot: true }));
  return found.slice(0, limit).map((file) => Uri.file(file));
}

/** Whether a glob of VS Code matches this path. */
export function isInPattern(
  file: string,
  glob: vscode.GlobPattern,
  folders: readonly vscode.WorkspaceFolder[],
): boolean {
  const pattern = typeof glob === "string" ? glob : glob.pattern;
  const roots = typeof glob === "string" ? folders.map(({ uri }) => uri.fsPath) : [glob.baseUri.fsPath];
  return roots.some((root) => {
    const relative = path.relative(root, file);
    return !relative.startsWith("..") && path.matchesGlob(relative.split(path.sep).join("/"), pattern);
  });
}

/** Watches what the extension asks for, and the open documents, by one watcher of the folder. */
export class Watchers {
  readonly #folders: () => readonly vscode.WorkspaceFolder[];
  readonly #documents: Documents;
  readonly #changes: Changes;
  readonly #watchers = new Set<Watcher>();
  readonly #onDisk = new Map<string, FSWatcher>();
  readonly #known = new Map<string, number>();

  constructor(folders: () => readonly vscode.WorkspaceFolder[], documents: Documents, changes: Changes) {
    this.#folders = folders;
    this.#documents = documents;
    this.#changes = changes;
  }

  create(
    glob: vscode.GlobPattern,
    ignoreCreate = false,
    ignoreChange = false,
    ignoreDelete = false,
  ): vscode.FileSystemWatcher {
    const watcher = new Watcher(glob, { ignoreCreate, ignoreChange, ignoreDelete }, () =>
      this.#watchers.delete(watcher),
    );
    this.#watchers.add(watcher);
    if (typeof glob !== "string") this.watch(glob.baseUri);
    return watcher;
  }

  /** Reports what changes in a folder, as VS Code does for those of the workspace. */
  watch({ scheme, fsPath: folder }: vscode.Uri): void {
    if (scheme !== "file" || this.#onDisk.has(folder)) return;
    try {
      const watcher = watch(folder, { recursive: true }, (_event, name) => {
        if (name !== null) void this.#look(path.join(folder, name));
      });
      watcher.on("error", () => undefined);
      watcher.unref();
      this.#onDisk.set(folder, watcher);
    } catch {
      // A folder that is not there is watched by nothing, as in VS Code for patterns without a recursive part.
    }
  }

  async #look(file: string): Promise<void> {
    const found = await stat(file).catch(() => undefined);
    const known = this.#known.get(file);
    if (found?.isDirectory()) return;
    if (found) this.#known.set(file, found.mtimeMs);
    else this.#known.delete(file);
    if (found && known === found.mtimeMs) return;
    const isNew = known === undefined && found !== undefined && found.birthtimeMs >= found.mtimeMs - 1;
    this.tell(file, !found ? "deleted" : isNew ? "created" : "changed");
  }

  tell(file: string, what: "created" | "changed" | "deleted"): void {
    const uri = Uri.file(file);
    if (what !== "deleted") void this.#documents.followFile(uri);
    for (const watcher of this.#watchers) if (isInPattern(file, watcher.glob, this.#folders())) watcher.tell(uri, what);
    this.#changes.note();
  }

  /** From now on only `tell` reports changes, for tests of what VS Code leaves out. */
  silence(): void {
    for (const watcher of this.#onDisk.values()) watcher.close();
    this.#onDisk.clear();
  }

  dispose(): void {
    this.silence();
    this.#watchers.clear();
  }
}

interface Ignored {
  readonly ignoreCreate: boolean;
  readonly ignoreChange: boolean;
  readonly ignoreDelete: boolean;
}

class Watcher implements vscode.FileSystemWatcher {
  readonly glob: vscode.GlobPattern;
  readonly #ignored: Ignored;
  readonly #end: () => void;
  readonly #created = new EventEmitter<vscode.Uri>();
  readonly #changed = new EventEmitter<vscode.Uri>();
  readonly #deleted = new EventEmitter<vscode.Uri>();
  readonly onDidCreate = this.#created.event;
  readonly onDidChange = this.#changed.event;
  readonly onDidDelete = this.#deleted.event;

  constructor(glob: vscode.GlobPattern, ignored: Ignored, end: () => void) {
    this.glob = glob;
    this.#ignored = ignored;
    this.#end = end;
  }

  get ignoreCreateEvents(): boolean {
    return this.#ignored.ignoreCreate;
  }
  get ignoreChangeEvents(): boolean {
    return this.#ignored.ignoreChange;
  }
  get ignoreDeleteEvents(): boolean {
    return this.#ignored.ignoreDelete;
  }

  tell(uri: Uri, what: "created" | "changed" | "deleted"): void {
    if (what === "created" && !this.#ignored.ignoreCreate) this.#created.fire(uri);
    if (what === "changed" && !this.#ignored.ignoreChange) this.#changed.fire(uri);
    if (what === "deleted" && !this.#ignored.ignoreDelete) this.#deleted.fire(uri);
  }

  dispose(): void {
    this.#end();
  }
}

/** All text changes of a document are one change of it. Resolves with false where a file is in the way, or missing; earlier steps stay. */
export async function applyEdit(
  { steps }: WorkspaceEdit,
  documents: Documents,
  fs: vscode.FileSystem,
  onCreate: (uri: vscode.Uri) => void,
  isActive: (document: FakeDocument) => boolean,
): Promise<boolean> {
  try {
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at]!;
      if (step.type === "text") {
        const texts: TextStep[] = [step];
        while (isTextOf(steps[at + 1], step.uri)) {
          at += 1;
          texts.push(steps[at] as TextStep);
        }
        const document = await documents.open(Uri.from(step.uri));
        const edits = texts.map(({ edit, metadata }) =>
          metadata === undefined && isActive(document) ? reduced(document, edit) : edit,
        );
        // VS Code leaves out what changes nothing.
        document.change(edits.filter(({ range, newText }) => document.getText(range) !== newText));
      } else await applyToFile(step, documents, fs, onCreate);
    }
    return true;
  } catch {
    return false;
  }
}

type TextStep = Extract<EditStep, { type: "text" }>;

/**
 * The edit without the UTF-16 units that the text has already. In the active editor VS Code makes the smallest edits of one, unit by unit; here
 * they are one edit, which begins and ends like theirs.
 */
function reduced(document: FakeDocument, { range, newText }: TextEdit): TextEdit {
  const former = document.getText(range);
  const now = newText.replaceAll(/\r\n|\r|\n/g, document.eol === 2 ? "\r\n" : "\n");
  const shorter = Math.min(former.length, now.length);
  let head = 0;
  while (head < shorter && former[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && former.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const start = document.offsetAt(range.start);
  const places = [start + head, start + former.length - tail] as const;
  const [first, last] = places.map((place) => document.positionAt(place));
  return new TextEdit(new Range(first!, last!), now.slice(head, now.length - tail));
}

function isTextOf(step: EditStep | undefined, uri: vscode.Uri): boolean {
  return step?.type === "text" && step.uri.toString() === uri.toString();
}

async function applyToFile(
  step: Exclude<EditStep, { type: "text" }>,
  documents: Documents,
  fs: vscode.FileSystem,
  onCreate: (uri: vscode.Uri) => void,
): Promise<void> {
  if (step.type === "rename") {
    const { from, to, options } = step;
    if (options.ignoreIfExists === true && options.overwrite !== true && (await isThere(fs.stat(to)))) return;
    await fs.createDirectory(to.with({ path: path.posix.dirname(to.path) }));
    await fs.rename(from, to, { overwrite: options.overwrite === true });
    const open = documents.find(from);
    if (open) documents.close(open);
    return;
  }
  const { type, uri, options } = step;
  const isKnown = await isThere(fs.stat(uri));
  if (type === "create") {
    if (isKnown && options.overwrite !== true) {
      if (options.ignoreIfExists === true) return;
      throw FileSystemError.FileExists(uri);
    }
    await fs.writeFile(uri, options.contents instanceof Uint8Array ? options.contents : new Uint8Array());
    await documents.followFile(uri);
    onCreate(uri);
    return;
  }
  if (!isKnown && options.ignoreIfNotExists === true) return;
  await fs.delete(uri, { recursive: options.recursive === true });
  const open = documents.find(uri);
  if (open && !open.isDirty) documents.close(open);
}

/** The error of VS Code's file system for one of Node. */
function fileError(uri: vscode.Uri, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return FileSystemError.FileNotFound(uri);
    case "EEXIST":
      return FileSystemError.FileExists(uri);
    case "ENOTDIR":
      return FileSystemError.FileNotADirectory(uri);
    case "EISDIR":
      return FileSystemError.FileIsADirectory(uri);
    case "EACCES":
    case "EPERM":
      return FileSystemError.NoPermissions(uri);
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}
