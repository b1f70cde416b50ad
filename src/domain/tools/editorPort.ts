/** Symbols, definitions, references, problems, editors and git changes from VS Code, for the tools. Lines and columns are counted from 1. */
import type { Event } from "../../base/event";

/** `file` is absolute, as the editor names it, or the URI of what is no file of this machine. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
  /** The last line of what lies there. */
  readonly endLine: number;
}

export interface CodePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface CodeSymbol {
  readonly name: string;
  /** In lower case: *class*, *method*. */
  readonly kind: string;
  readonly place: CodePlace;
  /** How many symbols it lies in. */
  readonly depth: number;
  /** The name of the symbol that it lies in, where that is not listed before it. */
  readonly container?: string;
}

export type Severity = "error" | "warning" | "info" | "hint";

export interface CodeProblem {
  readonly severity: Severity;
  readonly message: string;
  /** The compiler or linter; may be empty. */
  readonly source: string;
  readonly position: CodePosition;
  /** The files that it is about besides: the message may quote them. */
  readonly related?: readonly string[];
}

export interface OpenEditor {
  readonly file: string;
  readonly isActive: boolean;
  readonly hasUnsavedChanges: boolean;
  /** Missing for an editor in a background tab. `selection` is empty without selected text. */
  readonly shown?: {
    readonly firstLine: number;
    readonly lastLine: number;
    readonly cursor: { readonly line: number; readonly column: number };
    readonly selection: string;
  };
}

export interface WorkingChange {
  readonly file: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflict";
  readonly isStaged: boolean;
}

/** How language extensions report problems; they read a file once it is open, in an editor or not. */
export interface ProblemReports {
  /** With the files whose problems were reported again. */
  readonly onDidReport: Event<readonly string[]>;
  isRead(file: string): boolean;
  /** Never rejects. */
  read(file: string): Promise<void>;
}

/** Methods reject where a language extension fails; they are not aborted, their caller stops waiting. */
export interface EditorPort {
  symbolsOf(file: string): Promise<readonly CodeSymbol[]>;
  findSymbols(name: string): Promise<readonly CodeSymbol[]>;
  definitionsOf(position: CodePosition): Promise<readonly CodePlace[]>;
  referencesTo(position: CodePosition): Promise<readonly CodePlace[]>;
  problems(): readonly CodeProblem[];
  /** Missing where no extension reports any. */
  readonly reports?: ProblemReports;
  /** The active one first. */
  openEditors(): readonly OpenEditor[];
  /** Of the repositories that VS Code's git extension has open; `undefined` without that extension. */
  changes(): Promise<readonly WorkingChange[] | undefined>;
  /** Against the last commit, as a unified diff; empty when there is none. `undefined` outside of those repositories. */
  diffOf(file: string): Promise<string | undefined>;
}
