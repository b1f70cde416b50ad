/**
 * Whether a line of git in the sandbox may print what a file that may hold a secret has or had, in whatever revision (A4): the file itself is
 * hidden there, and git's own store has it all the same. git lists the names first, in the same sandbox.
 */
import type { ChildProcesses } from "../../domain/tools/childProcesses";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "../gate/fileAccess";
import type { GatedFolder } from "../gate/fileGate";
import { openRepositoryOf } from "../gate/gitRepository";
import { findNamedPaths, mayNameSecret } from "../gate/namedPaths";
import { sandboxPolicy } from "../gate/sandboxPolicy";
import { isSecretPath } from "../gate/sensitiveNames";
import { commandEnvironment } from "./commandEnvironment";
import { confinementOf } from "./confinedCommand";
import { type GitReads, gitReadsOf } from "./gitReads";
import type { CommandPart } from "./lineParts";

/** Milliseconds, and characters of names. A line that takes longer asks. */
const bounds = { time: 5000, names: 4 * 1024 * 1024 };
const maxConfigLength = 256 * 1024;

export interface GitLine {
  readonly line: string;
  /** Missing for one that is more than plain words. */
  readonly parts?: readonly CommandPart[];
  readonly folder: GatedFolder;
  /** The roots that the sandbox has. */
  readonly roots: readonly string[];
}

export interface GitSecretPorts {
  readonly workspace: ReadableWorkspace;
  readonly processes: Pick<ChildProcesses, "environment" | "isWindows" | "run">;
}

/** Rejects with an abort only. */
export async function mayPrintSecrets(
  ports: GitSecretPorts,
  { line, parts, folder, roots }: GitLine,
  signal: AbortSignal,
): Promise<boolean> {
  // What a shell makes of the line is not known.
  if (parts === undefined) return /(?:^|[^\w.-])git(?![\w.-])/u.test(line);
  for (const { argv } of parts) {
    const reads = gitReadsOf(argv);
    if (reads !== undefined && (await prints(ports, reads, folder, roots, signal))) return true;
  }
  return false;
}

async function prints(
  ports: GitSecretPorts,
  reads: GitReads,
  folder: GatedFolder,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  switch (reads.type) {
    case "nothing":
      return false;
    case "unknown":
      return true;
    case "settings":
      return mayHoldLogin(ports.workspace, folder);
    case "files": {
      const { named, argv, revisions = [] } = reads;
      if (named.some(mayNameSecret)) return true;
      if (argv === undefined) return false;
      const names = await listNames(ports, argv, folder, roots, signal);
      if (names === undefined || names.some(mayBeSecret)) return true;
      // A name that is a word of the line is that of a file of the work tree, or that of an object, whose content is printed.
      const { files } = await findNamedPaths(
        ports.workspace,
        folder,
        names.filter((name) => revisions.includes(name)),
        signal,
        undefined,
      );
      return names.some((name) => revisions.includes(name) && !files.includes(name));
    }
  }
}

/** `HEAD:path` where it was searched in a revision. */
function mayBeSecret(name: string): boolean {
  return isSecretPath(name) || isSecretPath(name.slice(name.indexOf(":") + 1));
}

/** `undefined` where git fails, or takes too long. */
async function listNames(
  { processes }: GitSecretPorts,
  argv: readonly string[],
  folder: GatedFolder,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  let output = "";
  const environment = commandEnvironment(processes.environment, folder.real, processes.isWindows);
  const end = await processes.run(
    {
      argv: ["git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", ...argv],
      cwd: folder.real,
      environment: { ...environment, GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" },
      timeoutMs: bounds.time,
      onOutput: (text) => void (output.length <= bounds.names && (output += text)),
      confinement: confinementOf(roots, sandboxPolicy, [{ argv: ["git", ...argv] }], false, undefined),
    },
    signal,
  );
  // `git grep` that finds nothing ends with 1.
  const isDone = end.type === "exited" && (end.code === 0 || (end.code === 1 && output === ""));
  if (!isDone || output.length > bounds.names) return undefined;
  // A history has each name many times.
  return [...new Set(output.split("\0"))].filter((name) => name.trim() !== "");
}

async function mayHoldLogin(workspace: ReadableWorkspace, folder: GatedFolder): Promise<boolean> {
  const repository = await openRepositoryOf(workspace, folder.real);
  if (repository === undefined) return false;
  for (const path of [`${repository.folder}/config`, `${repository.head}/config.worktree`]) {
    const bytes = await readSmallFile(workspace, path, maxConfigLength);
    if (bytes === "missing") continue;
    if (!(bytes instanceof Uint8Array) || sandboxPolicy.mayHoldSecret(Buffer.from(bytes).toString())) return true;
  }
  return false;
}
