/** The workspace as the tools see it: absolute paths in, bytes and text out. The file gate has checked each path before. */

export interface WorkspaceRoot {
  /** The name as shown to the person. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** `other`: a pipe, a socket or a device. */
export type FileKind = "file" | "folder" | "link" | "other";

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface FileStatus {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** The number of names (hard links) that the file has on its disk. */
  readonly links: number;
  /** The permissions, at most 0o777; missing on Windows, which has none of them. */
  readonly mode?: number;
  /** No two files that exist at the same time have the same identity. */
  readonly identity: string;
}

/** An open file. `status` is that of the handle, so it stays correct when the path is moved to another file. */
export interface OpenFile {
  readonly status: FileStatus;
  /** Whether it is the file at that path, with no link on the path. */
  isAt(path: string): Promise<boolean>;
  /** Reads up to `limit` bytes from the beginning. */
  read(limit: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * The changes that a tool may make to files. Paths are absolute; each rejects with a `ToolRefusal` when the file differs from what the caller has
 * read.
 */
export interface FileChanges {
  /**
   * Replaces the text `before` by `after` through the editor, so that it can be undone there, and saves unless the file
   * had unsaved changes. Resolves with the text of the editor afterwards: saving may format it.
   */
  write(path: string, before: string, after: string): Promise<string>;
  /** Creates a file, with its folders. */
  create(path: string, content: Uint8Array): Promise<void>;
  /** Moves a file to a path where nothing is; language services follow, and so do unsaved changes. */
  rename(from: string, to: string): Promise<void>;
  /** Moves a file to the trash where there is one. `content`: the bytes that the file has. */
  remove(path: string, content: Uint8Array): Promise<"trash" | "gone">;
  /**
   * Changes several files at once to what a command has left on its copy. Resolves with the reason for each that was not changed, in their order;
   * `undefined` for one that was. What an editor has unsaved is merged where the two don't touch. Missing where nothing is kept for an undo.
   */
  apply?(files: readonly CopiedFile[]): Promise<readonly (string | undefined)[]>;
  /** Merges both changes of `base`; `undefined` where they touch. */
  merge?(base: string, one: string, other: string): string | undefined;
}

/** The contents that files had on the disk before an editor saved them. */
export interface NotedSaves {
  /** The content before the first save. `undefined` if there was no save, or if it is not known that the command could read only this content. */
  before(path: string): Uint8Array | undefined;
  dispose(): void;
}

export interface CopiedFile {
  readonly path: string;
  /** The content that the command found, read where an editor has something else. Resolves with `undefined` where there was no file. */
  readonly before: () => Promise<Uint8Array | undefined>;
  /** The new content; missing where there is to be no file. */
  readonly after?: Uint8Array;
  /** Changes the file on the disk. Rejects where it is not the one that the command found. */
  readonly make: () => Promise<void>;
}

/** Paths are absolute. Each method that gives a promise rejects with the file system's own error. */
export interface ReadableWorkspace {
  /** Empty while the workspace is not trusted or not on a local file system: then there are no tools. */
  roots(): readonly WorkspaceRoot[];
  /** The path with every symbolic link resolved; rejects with code `ENOENT` when nothing is there. */
  realPath(path: string): Promise<string>;
  /** The status of the path itself: a link at its end is not followed. */
  status(path: string): Promise<FileStatus>;
  /**
   * Up to `limit` entries of a folder, in no order; `more` when there are others. Rejects with code `ESTALE` when a part of
   * the path has become a link.
   */
  list(folder: string, limit: number): Promise<{ readonly entries: readonly FolderEntry[]; readonly more: boolean }>;
  /** Opens a file. Neither follows a link at the path's end nor waits for a pipe. */
  open(path: string): Promise<OpenFile>;
  /** The text in an editor with unsaved changes of that file. */
  shownText(path: string): string | undefined;
  /** A notebook editor has unsaved changes of that file. */
  isUnsavedNotebook?(path: string): boolean;
  /** The texts of all editors with unsaved changes, with the paths of their files as the editor names them. */
  unsavedTexts(): readonly (readonly [path: string, text: string])[];
  /** Notes the saves from now on until it is disposed. */
  noteSaves?(): NotedSaves;
  /** Whether a file of a repository without a commit was there when the folder was opened; see `OpenedFiles`. `path` is the real one. */
  wasThere?(path: string): Promise<boolean>;
  /** The person's own ignore rules for every repository (git's `core.excludesFile`), when there may be such a file. */
  personalIgnoreFile(): Promise<string | undefined>;
}

export interface Workspace extends ReadableWorkspace, FileChanges {
  /** `mode`: the permissions of a file that was there before; missing for those of a new one. */
  create(path: string, content: Uint8Array, mode?: number): Promise<void>;
  /** Replaces the bytes of a file that no editor has unsaved changes of. Rejects with a `ToolRefusal` when it has others than `before`. */
  replace(path: string, before: Uint8Array, after: Uint8Array): Promise<void>;
  /** Removes an empty folder; rejects when something is in it, or when it is a link. */
  removeFolder(path: string): Promise<void>;
  /** Whether `remove` moves files to a trash of the system. */
  readonly hasTrash: boolean;
}
