/** The workspace as the tools see it: absolute paths in, text out. Who may touch which path is decided before, by the path guard. */

export interface WorkspaceRoot {
  /** As the person knows it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: "file" | "folder" | "link" | "other";
}

/** Paths are absolute. Each method but `roots` rejects with the file system's own error. */
export interface Workspace {
  /** Empty while the workspace is not trusted or lies on no real disk: then there are no tools. */
  roots(): readonly WorkspaceRoot[];
  /** With every symbolic link on the way resolved; rejects with code `ENOENT` when nothing is there. */
  realPath(path: string): Promise<string>;
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** Bytes. */
  size(path: string): Promise<number>;
  /** What an editor shows when the file is open and changed, else what is on disk. */
  read(path: string): Promise<string>;
  /** Replaces the whole text through the editor, so that it can be undone there, and saves. */
  write(path: string, text: string): Promise<void>;
}
