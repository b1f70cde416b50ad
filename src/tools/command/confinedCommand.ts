/** The confinement of a command, and the hint for the model where the sandbox may have made it fail (A13). */
import { definedFields } from "../../base/definedFields";
import type { Confinement, SandboxPolicy } from "../../domain/tools/sandbox";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { CommandPart } from "./readCommandLine";
import { isGitAlone, recordsOnly } from "./plainGit";

/** The roots as absolute paths with links resolved, without those that are not there. */
export async function realRoots(workspace: ReadableWorkspace): Promise<readonly string[]> {
  const roots = workspace.roots().map(({ path }) => workspace.realPath(path).catch(() => undefined));
  return [...new Set((await Promise.all(roots)).filter((path) => path !== undefined))];
}

export function confinementOf(
  roots: readonly string[],
  policy: SandboxPolicy,
  parts: readonly CommandPart[] | undefined,
  hasNetwork: boolean,
  onCopy: Confinement["onCopy"],
): Confinement {
  const git = gitOf(parts);
  const usesNetwork = hasNetwork ? true : undefined;
  // What git records is written to the real repository: it has locks and a journal of its own, and nothing else is changed.
  const copied = git === "records" ? undefined : onCopy;
  return { roots, policy, ...definedFields({ git, usesNetwork, onCopy: copied }) };
}

function gitOf(parts: readonly CommandPart[] = []): Confinement["git"] {
  if (parts.length === 0 || !parts.every(({ argv }) => isGitAlone(argv))) return undefined;
  return parts.every(({ argv }) => recordsOnly(argv)) ? "records" : "reads";
}

/** Matches the output of a program that has no network, may not write or does not find a file outside. */
const signs: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /ENETUNREACH|EAI_AGAIN|ENOTFOUND|[Nn]etwork is unreachable|[Cc]ould not resolve|[Nn]ame or service not known|[Tt]emporary failure in name resolution|[Ff]ailed to (?:resolve|lookup address)|getaddrinfo|NameResolutionError|no such host/u,
    "there is no network in the sandbox",
  ],
  [
    /EROFS|[Rr]ead-only file ?system|ReadOnlyFilesystem|[Dd]evice or resource busy|EBUSY/u,
    "in the sandbox nothing outside of the workspace can be written, nor `.git` (but by git add, commit, tag and branch in lines of their own) and files that git, an editor, a build or an agent obeys",
  ],
  [
    /No such file or directory|not found|ENOENT|[Pp]ermission denied|EACCES|[Oo]peration not permitted|EPERM/u,
    "in the sandbox the home folder, files that may hold secrets, other programs and their sockets are not there",
  ],
];

/** A hint for the end of a failed result; empty where the failure does not look like the sandbox's. */
export function sandboxHint(output: string): string {
  const found = signs.find(([pattern]) => pattern.test(output));
  if (found === undefined) return "";
  return `\n(This ran in a sandbox, and it may have failed for that: ${found[1]}. If it needs more, call run_command again with outside: true and the reason: the person is asked then.)`;
}
