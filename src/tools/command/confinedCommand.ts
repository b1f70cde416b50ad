/** A command in the sandbox: what it is given, and what the model reads where the sandbox was in its way (A13). */
import { definedFields } from "../../base/definedFields";
import type { Confinement, SandboxPolicy, SetAside } from "../../domain/tools/sandbox";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { CommandPart } from "./lineParts";
import { recordsOnly } from "./plainGit";

/** Absolute, links resolved; without a root that is not there. */
export async function realRoots(workspace: ReadableWorkspace): Promise<readonly string[]> {
  const roots = workspace.roots().map(({ path }) => workspace.realPath(path).catch(() => undefined));
  return [...new Set((await Promise.all(roots)).filter((path) => path !== undefined))];
}

export function confinementOf(
  roots: readonly string[],
  policy: SandboxPolicy,
  parts: readonly CommandPart[] | undefined,
  hasNetwork: boolean,
  onSetAside: Confinement["onSetAside"],
): Confinement {
  const writesGit = parts?.every(({ argv }) => recordsOnly(argv)) === true ? true : undefined;
  const usesNetwork = hasNetwork ? true : undefined;
  return { roots, policy, ...definedFields({ writesGit, usesNetwork, onSetAside }) };
}

/** What a program says that has no network, may not write or does not find what lies outside. */
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

/** For the end of a failed result; empty where the failure does not look like the sandbox's. */
export function sandboxHint(output: string): string {
  const found = signs.find(([pattern]) => pattern.test(output));
  if (found === undefined) return "";
  return `\n(This ran in a sandbox, and it may have failed for that: ${found[1]}. If it needs more, call run_command again with outside: true and the reason: the person is asked then.)`;
}

/** For the end of a result; empty for none. `labelOf`: the path as the model writes it. */
export function describeSetAside(files: readonly SetAside[], labelOf: (path: string) => string): string {
  if (files.length === 0) return "";
  const names = files.map(({ from, to }) => `${labelOf(from)} is now ${labelOf(to)}`).join(", ");
  return `\n(Set aside, because git, an editor or an agent would obey it: ${names}. Make such files with write_file, or by a command outside of the sandbox.)`;
}
