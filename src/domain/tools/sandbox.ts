/** The system's sandbox for commands (A13): whether there is one, and what a command may do in it. */

export type SandboxState =
  | { readonly state: "ready" }
  /** The person has switched it off. */
  | { readonly state: "off" }
  | { readonly state: "missing"; readonly why: SandboxLack };

/**
 * `not-installed`: bubblewrap is not on the PATH of a Linux. `refused`: the program is there, and the system does not let it work.
 * `no-such`: the system has none. `too-wide`: a folder of the workspace holds the home folder or a part of the system.
 */
export type SandboxLack = "not-installed" | "refused" | "no-such" | "too-wide";

/**
 * What a path in the workspace is to a sandbox. `obeyed`: git, an editor or an agent acts on it unasked; it can't be changed, and a new
 * one is set aside. `executed`: something runs it; it can't be changed. `secret`: it can't be read. `plain-secret`: it can't be
 * read where its text may hold a secret, else it can't be changed. `packages`: a folder of packages, of which only caches can be changed.
 */
export type SandboxVerdict = "obeyed" | "executed" | "secret" | "plain-secret" | "packages";

export interface SandboxPolicy {
  /** `inRoot`: with `/`; that of a folder ends with it. `undefined` for what may be read and changed. */
  verdictOf(inRoot: string): SandboxVerdict | undefined;
  /** Whether one that a command has made is set aside: git, an editor, one of its extensions or an agent acts on it unasked. */
  isObeyedWhenNew(inRoot: string): boolean;
  /** Whether the text of a `plain-secret` file may hold a secret. */
  mayHoldSecret(text: string): boolean;
}

/** How a command is confined: it reads the system's programs and the roots, writes the roots and a `/tmp` of its own, and reaches no network. */
export interface Confinement {
  /** Absolute, links resolved. */
  readonly roots: readonly string[];
  readonly policy: SandboxPolicy;
  /**
   * The command is git alone, which records the work tree and prints none of it: where no hook or setting makes it run more, it sees the files as
   * they are, and writes the `.git` folder of a root but for what acts unasked.
   */
  readonly writesGit?: true;
  /** It uses the network of this machine, where others can reach its ports. */
  readonly usesNetwork?: true;
  /** Called after the end with what the command has made and would act unasked: it has another name now. Missing for one that a person has allowed: what it makes keeps its name. */
  readonly onSetAside?: (files: readonly SetAside[]) => void;
}

/** Absolute paths. */
export interface SetAside {
  readonly from: string;
  readonly to: string;
}
