/** One search over the files of a folder, as data: it crosses to the thread that runs it. */
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { FileCaution } from "../gate/cautions";

/** The gated folder. Its ignore rules are read again where the search runs. */
export interface SearchedFolder {
  /** Before the paths of its files, so that they are those that the other tools take. */
  readonly prefix: string;
  readonly label: string;
  /** Absolute, links resolved. */
  readonly real: string;
  /** The real path of the root that it lies in. */
  readonly root: string;
  /** What a person approved. */
  readonly cautions: readonly FileCaution[];
}

interface AnySearch {
  /** In the order that their files have on a page. */
  readonly folders: readonly SearchedFolder[];
  /** Of the person; see `ReadableWorkspace.personalIgnoreFile`. */
  readonly personalIgnoreFile: string | undefined;
  /** Results that an earlier page gave. */
  readonly skip: number;
}

export interface TextSearch extends AnySearch {
  readonly type: "text";
  readonly text: string;
  /** A JavaScript regular expression; otherwise the text itself. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly contextLines: number;
  /** Texts of editors with unsaved changes, by real path. */
  readonly unsaved: ReadonlyMap<string, string>;
}

export interface NameSearch extends AnySearch {
  readonly type: "names";
  /** A glob, or a part of the path. */
  readonly name: string;
}

export type SearchJob = TextSearch | NameSearch;

/** What a search reads through. Editors with unsaved changes are in its job. */
export type SearchedFiles = Pick<ReadableWorkspace, "realPath" | "status" | "list" | "open">;

export interface SearchProgress {
  /** Called with each file. */
  readonly onVisited: (files: number) => void;
  /** The search ends with what it has once this is true. */
  readonly isOver: () => boolean;
}

/** What one thread has found; the shares of one search are put together in the order of the walk. */
export interface FoundShare {
  readonly files: readonly FoundFile[];
  /** What the walk skipped, for the model. */
  readonly notes: readonly string[];
}

export interface FoundFile {
  /** As the model names it. */
  readonly path: string;
  /** The smallest first; equals are in the order of the walk. */
  readonly rank: number;
  readonly hits: readonly FoundHit[];
}

export interface FoundHit {
  /** As they are shown: the line of the hit, with those around it that no other hit shows. */
  readonly lines: readonly string[];
  /** Lines lie between this hit and the one before. */
  readonly isApart: boolean;
}

export interface FileSearch {
  /**
   * The result for the model. Rejects with a `ToolRefusal`, also when it takes too long, or with an `AbortError`.
   * `onVisited` gets the number of files so far, now and then.
   */
  run(job: SearchJob, signal: AbortSignal, onVisited?: (files: number) => void): Promise<string>;
}
