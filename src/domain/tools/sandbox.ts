/** The system's sandbox for commands (A13): whether there is one, and what a command may do in it. */

export type SandboxState =
  /** `copies`: a command can work on a copy of the folders, so that nothing it does is in them before it was looked at. */
  | { readonly state: "ready"; readonly copies: boolean }
  /** The person has switched it off. */
  | { readonly state: "off" }
  | { readonly state: "missing"; readonly why: SandboxLack };

/**
 * `not-installed`: bubblewrap is not among the programs of a Linux. `refused`: the program is there, and the system does not let it work.
 * `no-such`: the system has none. `too-wide`: a folder of the workspace holds the home folder or a part of the system.
 */
export type SandboxLack = "not-installed" | "refused" | "no-such" | "too-wide";

/**
 * What a path in the workspace is to a sandbox. `obeyed`: git, an editor or an agent acts on it unasked; it can't be changed.
 * `executed`: something runs it; it can't be changed. `secret`: it can't be read. `plain-secret`: it can't be
 * read where its text may hold a secret, else it can't be changed. `packages`: a folder of packages, of which only caches can be changed.
 */
export type SandboxVerdict = "obeyed" | "executed" | "secret" | "plain-secret" | "packages";

export interface SandboxPolicy {
  /** `inRoot` is a path with `/`; that of a folder ends with it. `undefined` for what may be read and changed. */
  verdictOf(inRoot: string): SandboxVerdict | undefined;
  /** Whether the text of a `plain-secret` file may hold a secret. */
  mayHoldSecret(text: string): boolean;
}

/** The limits of a command: it reads the system's programs and the roots, writes the roots and a `/tmp` of its own, and reaches no network. */
export interface Confinement {
  /** Absolute, links resolved. */
  readonly roots: readonly string[];
  readonly policy: SandboxPolicy;
  /**
   * The command is git alone, which needs the contents of its repositories. `records`: it records the work tree and prints none of it. Where no hook or
   * setting makes it run more, it sees the files as they are, and writes the `.git` folder of a root but for what acts unasked, and nothing else.
   */
  readonly git?: "reads" | "records";
  /** The command uses the network of this machine, where others can reach its ports. */
  readonly usesNetwork?: true;
  /**
   * The command works on a copy of the roots. This is called after its end, when no process of it is left, with that copy, which the callee closes.
   * Missing: it works in the roots themselves.
   */
  readonly onCopy?: (copy: CommandCopy) => void;
}

/** The folders of the workspace as a command has left them, apart from the real ones. */
export interface CommandCopy {
  /**
   * The changes that the command has made. Rejects where there is too much of it, or where it can't be read, with an error whose message is a clause.
   */
  changes(signal: AbortSignal): Promise<readonly CopyChange[]>;
  /** Whether a file of the workspace was empty in the copy, because it may hold a secret. */
  hides(root: string, inRoot: string): boolean;
  /** Whether a file of the workspace was changed while the command could run. `ctimeMs`: that of its status. */
  isDisputed(ctimeMs: number): boolean;
  /** The absolute path of the folder that holds the changes until they are applied. */
  readonly folder: string;
  /** The command has built in a folder of the sandbox that stands in for one of the workspace. */
  readonly hasBuiltApart: boolean;
  /** Marks the copy, so that what is left of it is offered with the next start of the window if this one is killed. */
  keep(): Promise<void>;
  /** Keeps the copy, of which not all could be applied, and reports its folder to the person. */
  leave(): void;
  /** Removes it. Never rejects. */
  close(): Promise<void>;
}

/** `other`: a pipe, a socket or a device. */
export type CopiedKind = "file" | "folder" | "link" | "other";

export interface CopyChange {
  /** The folder of the workspace, links resolved. */
  readonly root: string;
  /** The path within the root, with `/` and none at its end. */
  readonly inRoot: string;
  /** The kind of the entry in the copy now: `undefined` where it was removed. */
  readonly is: CopiedKind | undefined;
  /** The kind of the entry in the workspace. A folder that was removed stands for all that is in it. */
  readonly was: CopiedKind | undefined;
  /** The absolute path in the copy. */
  readonly source: string;
  /** The permissions that the command has given it. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** The target of a link. */
  readonly target?: string;
  /** The file in the workspace as it was when the copy was read. */
  readonly seen?: {
    readonly ino: number;
    readonly size: number;
    readonly mtimeMs: number;
    readonly ctimeMs: number;
    readonly mode: number;
    readonly nlink: number;
  };
  /** A file that may hold a secret: the command saw an empty one in its place. */
  readonly isHidden?: true;
  /** Something else has changed it, or its folder, while the command ran. */
  readonly isDisputed?: true;
}
