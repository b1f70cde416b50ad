/** The one path guard of all tools (A4): a path from a model becomes a file inside the workspace, or a refusal that says why. */
import { basename, isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { t } from "@vscode/l10n";
import { ToolRefusal } from "../domain/tool";
import type { Workspace, WorkspaceRoot } from "../domain/workspace";

export interface GuardedPath {
  /** Absolute, as asked for. */
  readonly path: string;
  /** The root that it lies in, absolute. */
  readonly root: string;
  /** As the person and the model know it: relative to its root, with `/`. */
  readonly label: string;
  /** Why reading it needs a yes; absent for an ordinary file. */
  readonly secret?: string;
  /** Why changing it is more than changing text; absent for an ordinary file. */
  readonly runs?: string;
}

/** Rejects with a `ToolRefusal` for whatever is not there or not plainly inside a root, links resolved. */
export async function guardPath(workspace: Workspace, given: string): Promise<GuardedPath> {
  const roots = workspace.roots();
  if (roots.length === 0) throw new ToolRefusal("No folder is open that tools may use.");
  const odd = oddity(given);
  if (odd !== undefined) throw new ToolRefusal(`The path ${JSON.stringify(given)} is refused: ${odd}.`);
  const { root, path } = locate(roots, given);
  if (!isInside(root.path, path)) throw new ToolRefusal(`${given} is outside the workspace.`);
  const real = await realOf(workspace, path);
  const realRoot = await workspace.realPath(root.path);
  if (!isInside(realRoot, real)) throw new ToolRefusal(`${given} leads out of the workspace through a link.`);
  // What counts is what the path is and what it points to: the stricter of both.
  const inRoot = toSlashes(relative(root.path, path));
  const realInRoot = toSlashes(relative(realRoot, real));
  const secret = secretReason(inRoot) ?? secretReason(realInRoot);
  const runs = executionReason(inRoot) ?? executionReason(realInRoot);
  return {
    path,
    root: root.path,
    label: labelOf(roots, root, inRoot),
    ...(secret === undefined ? {} : { secret }),
    ...(runs === undefined ? {} : { runs }),
  };
}

function labelOf(roots: readonly WorkspaceRoot[], root: WorkspaceRoot, inRoot: string): string {
  const label = inRoot === "" ? "." : inRoot;
  return roots.length === 1 ? label : `${root.name}/${inRoot}`;
}

function locate(roots: readonly WorkspaceRoot[], given: string): { root: WorkspaceRoot; path: string } {
  const first = roots[0];
  if (first === undefined) throw new ToolRefusal("No folder is open that tools may use.");
  if (isAbsolute(given)) {
    const path = normalize(given);
    return { root: roots.find((root) => isInside(root.path, path)) ?? first, path };
  }
  const [head = "", ...rest] = toSlashes(given).split("/");
  const named = roots.length > 1 ? roots.find((root) => root.name === head) : undefined;
  if (named) return { root: named, path: resolve(named.path, rest.join("/")) };
  return { root: first, path: resolve(first.path, given) };
}

/** Names that mean something else to a system than they seem to: refused on all of them, so that a rule holds everywhere. */
function oddity(given: string): string | undefined {
  if (given.trim() === "") return "it is empty";
  if (hasControlOrHidden(given)) return "it holds control or invisible characters";
  if (/^[\\/]{2}/.test(given)) return "it names a network or device path";
  if (given.startsWith("~")) return "it begins with ~";
  const withoutDrive = given.replace(/^[A-Za-z]:(?=[\\/])/, "");
  if (withoutDrive.includes(":")) return "it holds a colon";
  for (const segment of withoutDrive.split(/[\\/]/)) {
    if (segment === "" || segment === "." || segment === "..") continue;
    if (/[. ]$/.test(segment)) return "a part of it ends with a dot or a space";
    if (/~\d/.test(segment)) return "it holds a short (8.3) name";
    if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment)) return "it names a device";
  }
  return undefined;
}

/** C0 and C1 controls, zero-width and bidirectional marks. */
function hasControlOrHidden(text: string): boolean {
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text);
}

async function realOf(workspace: Workspace, path: string): Promise<string> {
  try {
    return await workspace.realPath(path);
  } catch (error) {
    if (isMissing(error)) throw new ToolRefusal(`There is no ${basename(path)} at that path.`);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

function toSlashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

const secretNames =
  /(^|\/)(\.env[^/]*|\.npmrc|\.netrc|\.pypirc|\.git-credentials|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx)|[^/]*(credential|secret)s?[^/]*\.(json|ya?ml|toml|ini|txt))$/i;
const secretFolders = /(^|\/)(\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|\.git)(\/|$)/i;

/** By its name; `/`-separated, relative to a root. */
export function isSecretPath(inRoot: string): boolean {
  return secretNames.test(inRoot) || secretFolders.test(inRoot);
}

function secretReason(inRoot: string): string | undefined {
  return isSecretPath(inRoot) ? t("may hold a secret") : undefined;
}

const executedFolders =
  /(^|\/)(\.vscode|\.git|\.github|\.husky|\.devcontainer|\.idea|\.circleci|\.cursor|\.claude|\.roo|node_modules)(\/|$)/i;
const executedNames =
  /(^|\/)([^/]*\.code-workspace|package\.json|package-lock\.json|makefile|dockerfile|\.gitlab-ci\.yml|jenkinsfile|\.(bash|zsh)(rc|_profile|env)|\.profile|\.envrc|\.gitattributes|\.gitmodules|agents\.md|claude\.md|\.mcp\.json|mcp\.json|[^/]*\.(sh|bash|zsh|fish|ps1|bat|cmd))$/i;

function executionReason(inRoot: string): string | undefined {
  if (executedFolders.test(inRoot) || executedNames.test(inRoot)) {
    return t("changes a file that an editor, a shell, git, CI or an agent would run");
  }
  return undefined;
}
