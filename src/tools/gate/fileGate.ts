/**
 * The one gate of all tools (A4): resolves a path from a model to a file or folder inside the workspace, with every
 * reason to ask a person first, or refuses it. No file content is read here.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import { isMissingPath } from "../../base/systemErrors";
import { ToolRefusal } from "../../domain/tools/tool";
import type { FileKind, FileStatus, ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";
import type { FileCaution } from "./cautions";
import { toRefusal, openRegularFile } from "./fileAccess";
import { type FolderRules, IgnoreTree, type IgnoreVerdict } from "./ignoreTree";
import {
  askForRoot,
  pathForModel,
  locate,
  type RootedPath,
  toSlashes,
  isInside,
  nameOfListed,
  unusualPathReason,
  refusalOfPath,
  foldedName,
} from "./pathNames";
import { isExecutedPath, isObeyedInRoot } from "./executedNames";
import { isSecretPath, isUnlistedPath } from "./sensitiveNames";
import { type DecodedText, decodeText } from "../../base/text/decodeText";

interface GatedPath {
  /** The path as the model wrote it. */
  readonly given: string;
  /** Absolute, links resolved. */
  readonly real: string;
  /** The real path relative to its root, with `/`; begins with the root's name when there are several. */
  readonly label: string;
  /** Every reason to ask before it is read or changed. */
  readonly cautions: readonly FileCaution[];
}

export interface GatedFile extends GatedPath {
  /** The path by which the editor names the file: below the path of the root, which may be a link. */
  readonly path: string;
  /** `path` is that of a link, under which an editor shows unsaved text. */
  readonly isUnsavedLink?: boolean;
}

export interface GatedFolder extends GatedPath {
  /** The real path of the root that it lies in. */
  readonly root: string;
  /** The root as the editor names it: it may be a link. */
  readonly rootPath: string;
  /** The ignore rules for its entries. */
  readonly rules: FolderRules;
}

/**
 * Rejects with a `ToolRefusal` for anything but a regular file inside a root, links resolved. `tree`: of the look that the path belongs to, if it is
 * one of several.
 */
export async function gateFile(
  workspace: ReadableWorkspace,
  given: string,
  signal: AbortSignal,
  tree?: IgnoreTree,
): Promise<GatedFile> {
  const slices = new TimeSlices(signal);
  const found = await findPath(workspace, given, "file", slices);
  const { root, asked, real, inRoot, inRealRoot, label, status } = found;
  const cautions = cautionsOf(found, await ignoredBy(workspace, found, tree ?? new IgnoreTree(workspace, slices)));
  if (status.links > 1) cautions.push("hard-link");
  if (isExecutedIn(root.path, inRoot) || isExecutedIn(found.realRoot, inRealRoot)) cautions.push("executed");
  // If an editor shows unsaved text under the path of a link, that editor is read and changed.
  const own = join(root.path, inRealRoot);
  const path = workspace.shownText(asked) === undefined ? own : asked;
  return { given, path, real, label, cautions, isUnsavedLink: path !== own };
}

/** Like `gateFile`, for a folder. */
export async function gateFolder(
  workspace: ReadableWorkspace,
  given: string,
  signal: AbortSignal,
  tree?: IgnoreTree,
): Promise<GatedFolder> {
  const slices = new TimeSlices(signal);
  const found = await findPath(workspace, given, "folder", slices);
  const { real, realRoot, label } = found;
  const ignored = tree ?? new IgnoreTree(workspace, slices);
  const rules = await ignored.descend(await ignored.rulesOf(realRoot), real);
  const cautions = cautionsOf(found, rules.verdict ?? (await ignoredBy(workspace, found, ignored)));
  return { given, real, root: realRoot, rootPath: found.root.path, label, cautions, rules };
}

/** Thrown where something is at the place of a new file. */
export class PlaceTaken extends ToolRefusal {}

/** A place where a new file may be made. */
export type GatedPlace = GatedFile;

/**
 * Like `gateFile`, for a path where nothing is. Folders of the path may be missing; the nearest that is there is gated, and
 * git's ignore rules apply as for a file in it. Rejects with a `ToolRefusal` when something is there.
 */
export async function gatePlace(
  workspace: ReadableWorkspace,
  given: string,
  signal: AbortSignal,
  tree: IgnoreTree = new IgnoreTree(workspace, new TimeSlices(signal)),
): Promise<GatedPlace> {
  const roots = workspace.roots();
  refuseNoPath(given);
  const [{ root, path }, another] = locate(roots, nameOfListed(given));
  // A new file could go to any of them.
  if (another) throw new ToolRefusal(askForRoot(roots));
  if (!isInside(root.path, path) || path === root.path) throw new ToolRefusal(`${given} is outside the workspace.`);
  const asked = await asListed(workspace, root.path, path, true);
  const inRoot = toSlashes(relative(root.path, asked));
  await refuseTaken(workspace, root.path, asked, given);
  const missing: string[] = [];
  let at = asked;
  for (;;) {
    missing.unshift(basename(at));
    at = dirname(at);
    const isThere = await workspace.realPath(at).then(
      () => true,
      (error: unknown) => (isMissingPath(error) ? false : Promise.reject(toRefusal(error, given) as Error)),
    );
    if (isThere || at === root.path) break;
  }
  const folder = await gateFolder(
    workspace,
    pathForModel(roots, root, toSlashes(relative(root.path, at))),
    signal,
    tree,
  );
  const real = join(folder.real, ...missing);
  const inRealRoot = toSlashes(relative(folder.root, real));
  refuseOdd(missing.join("/"));
  const cautions = new Set(folder.cautions);
  if (isSecretPath(toSlashes(asked)) || isSecretPath(toSlashes(real))) cautions.add("secret");
  if (isUnlistedPath(inRoot) || isUnlistedPath(inRealRoot)) cautions.add("unlisted");
  if (isExecutedIn(root.path, inRoot) || isExecutedIn(folder.root, inRealRoot)) cautions.add("executed");
  const verdict = folder.rules.verdict ?? (await ignoredPlace(tree, folder.rules, missing));
  if (verdict !== undefined) cautions.add(verdict);
  const label = pathForModel(roots, root, inRealRoot);
  return { given, path: join(root.path, inRealRoot), real, label, cautions: [...cautions] };
}

async function refuseTaken(workspace: ReadableWorkspace, root: string, asked: string, given: string): Promise<void> {
  const isTaken = await workspace.status(asked).then(
    () => true,
    (error: unknown) => (isMissingPath(error) ? false : Promise.reject(toRefusal(error, given) as Error)),
  );
  if (await isBehindLink(workspace, root, asked)) throw leadsOut(given);
  if (isTaken) throw new PlaceTaken(`There is something at ${given} already.`);
}

/** Whether git would ignore a file that is not there yet. */
async function ignoredPlace(
  tree: IgnoreTree,
  rules: FolderRules,
  missing: readonly string[],
): Promise<IgnoreVerdict | undefined> {
  // A folder that is not there has no ignore file, so the rules of the folder above apply in it.
  let below = rules;
  for (const [index, name] of missing.entries()) {
    const isLast = index === missing.length - 1;
    const verdict = await tree.verdictOf(below, name, !isLast);
    if (verdict !== undefined || isLast) return verdict;
    below = await tree.enter(below, name);
  }
  return undefined;
}

/** Repeats the check when a call runs. Rejects with a `ToolRefusal` when the path now leads elsewhere or needs another approval. */
export async function gateAgain<G extends GatedPath>(
  gate: (workspace: ReadableWorkspace, given: string, signal: AbortSignal) => Promise<G>,
  workspace: ReadableWorkspace,
  approved: G,
  signal: AbortSignal,
): Promise<G> {
  const now = await gate(workspace, approved.given, signal);
  if (now.real !== approved.real || now.cautions.some((caution) => !approved.cautions.includes(caution))) {
    throw new ToolRefusal(`${approved.label} is not what it was when this call was prepared. Call again.`);
  }
  return now;
}

interface FoundPath {
  readonly root: WorkspaceRoot;
  readonly realRoot: string;
  /** Absolute, as asked for. */
  readonly asked: string;
  readonly real: string;
  /** `asked` relative to the root, and below it `real` relative to `realRoot`; both with `/`. */
  readonly inRoot: string;
  readonly inRealRoot: string;
  readonly label: string;
  readonly status: FileStatus;
}

/** Where there are several roots, a path without the name of one leads to the only root that has it. */
async function findPath(
  workspace: ReadableWorkspace,
  given: string,
  wanted: "file" | "folder",
  slices: TimeSlices,
): Promise<FoundPath> {
  const roots = workspace.roots();
  refuseNoPath(given);
  const places = locate(roots, nameOfListed(given));
  const found: FoundPath[] = [];
  let refusal: ToolRefusal | undefined;
  for (const place of places) {
    try {
      found.push(await findAt(workspace, roots, place, given, wanted, slices));
    } catch (error) {
      if (!(error instanceof ToolRefusal) || places.length === 1) throw error;
      refusal ??= error;
    }
  }
  const [first, second] = found;
  if (first && !second) return first;
  const problem = first ? `There are ${found.map(({ label }) => label).join(" and ")}.` : (refusal?.message ?? "");
  throw new ToolRefusal(`${problem} ${askForRoot(roots)}`);
}

async function findAt(
  workspace: ReadableWorkspace,
  roots: readonly WorkspaceRoot[],
  { root, path }: RootedPath,
  given: string,
  wanted: "file" | "folder",
  slices: TimeSlices,
): Promise<FoundPath> {
  if (!isInside(root.path, path)) throw new ToolRefusal(`${given} is outside the workspace.`);
  const asked = await asListed(workspace, root.path, path);
  try {
    const realRoot = await workspace.realPath(root.path);
    const real = await workspace.realPath(asked);
    if (!isInside(realRoot, real)) throw leadsOut(given);
    const inRealRoot = toSlashes(relative(realRoot, real));
    if (inRealRoot !== "") refuseNoPath(inRealRoot);
    const label = pathForModel(roots, root, inRealRoot);
    const status = await workspace.status(real);
    if (status.kind !== wanted) throw new ToolRefusal(`${label} is ${kindWords[status.kind]}, not a ${wanted}.`);
    if (slices.isSpent) await slices.next();
    return { root, realRoot, asked, real, inRoot: toSlashes(relative(root.path, asked)), inRealRoot, label, status };
  } catch (error) {
    if (!(error instanceof ToolRefusal) && (await isBehindLink(workspace, root.path, asked))) throw leadsOut(given);
    if (isMissingPath(error)) throw new ToolRefusal(`There is no ${basename(asked)} at that path.`);
    throw toRefusal(error, given);
  }
}

/** The same message whether the target exists or not: otherwise a model could probe for files outside. */
function leadsOut(given: string): ToolRefusal {
  return new ToolRefusal(`${given} leads out of the workspace, or nowhere, through a link.`);
}

/** Whether the path leads out of the root, or comes to a link that leads nowhere. */
async function isBehindLink(workspace: ReadableWorkspace, root: string, path: string): Promise<boolean> {
  let folder = root;
  const realRoot = await workspace.realPath(root).catch(() => undefined);
  if (realRoot === undefined) return false;
  for (const name of relative(root, path).split(sep)) {
    folder = join(folder, name);
    const real = await workspace.realPath(folder).catch(() => undefined);
    if (real !== undefined && !isInside(realRoot, real)) return true;
    if (real !== undefined) continue;
    return workspace.status(folder).then(
      ({ kind }) => kind === "link",
      () => false,
    );
  }
  return false;
}

const kindWords: Readonly<Record<FileKind, string>> = {
  file: "a file",
  folder: "a folder",
  link: "a link",
  other: "a pipe, socket or device",
};

function refuseNoPath(given: string): void {
  const refusal = refusalOfPath(given);
  if (refusal !== undefined) throw new ToolRefusal(`The path ${JSON.stringify(given)} is refused: ${refusal}.`);
}

/** Refuses an odd name for a file that does not exist yet. */
function refuseOdd(path: string): void {
  const odd = unusualPathReason(path);
  if (odd !== undefined) throw new ToolRefusal(`The path ${JSON.stringify(path)} is refused: ${odd}.`);
}

/** Returns the reasons of the path and of its target together. A root may itself be in a folder of secrets, so the absolute paths are compared. */
function cautionsOf({ asked, real, inRoot, inRealRoot }: FoundPath, verdict: IgnoreVerdict | undefined): FileCaution[] {
  const cautions: FileCaution[] = [];
  if (isSecretPath(toSlashes(asked)) || isSecretPath(toSlashes(real))) cautions.push("secret");
  if (verdict !== undefined) cautions.push(verdict);
  if (isUnlistedPath(inRoot) || isUnlistedPath(inRealRoot)) cautions.push("unlisted");
  return cautions;
}

function isExecutedIn(root: string, inRoot: string): boolean {
  return isExecutedPath(inRoot) || isObeyedInRoot(root, inRoot);
}

async function ignoredBy(
  workspace: ReadableWorkspace,
  { realRoot, inRoot, inRealRoot, status }: FoundPath,
  tree: IgnoreTree,
): Promise<IgnoreVerdict | undefined> {
  const top = await tree.rulesOf(realRoot);
  for (const path of new Set([inRoot, inRealRoot])) {
    let rules = top;
    let verdict = top.verdict;
    const names = path.split("/").filter((name) => name !== "");
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      const kind =
        isLast && path === inRealRoot ? status.kind : (await workspace.status(join(rules.folder, name))).kind;
      verdict = await tree.verdictOf(rules, name, kind === "folder");
      // git does not follow a link; its target is checked by its real path.
      if (verdict !== undefined || kind === "link" || isLast) break;
      rules = await tree.enter(rules, name);
      verdict = rules.verdict;
    }
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** The most entries of a folder that are looked through for a name. */
const maxEntries = 20_000;

/**
 * Returns the path with names that exist: where none exists as given, it takes the one that the folder lists for it (`listedAs`). With `isNew`
 * the last name is a new file's, and stays as given. Rejects with a `ToolRefusal` for an odd name that is not listed. Only folders inside of the
 * root are listed.
 */
async function asListed(workspace: ReadableWorkspace, root: string, path: string, isNew = false): Promise<string> {
  const names = relative(root, path)
    .split(sep)
    .filter((name) => name !== "");
  let folder = root;
  for (const [at, name] of names.entries()) {
    const odd = unusualPathReason(name);
    const isGiven = isNew && at === names.length - 1;
    const isThere = odd === undefined && (isGiven || (await exists(workspace, join(folder, name))));
    const listed = isThere ? name : await listedAs(workspace, root, folder, name, isGiven);
    if (listed === undefined && (odd !== undefined || !isGiven)) return refuseOddName(root, folder, names.slice(at));
    folder = join(folder, listed ?? name);
  }
  return folder;
}

/** Returns the path with its names as given, because they are not listed. Throws a `ToolRefusal` if one of them is odd. */
function refuseOddName(root: string, folder: string, names: readonly string[]): string {
  const path = join(folder, ...names);
  const odd = names.map((name) => unusualPathReason(name)).find((reason) => reason !== undefined);
  if (odd === undefined) return path;
  throw new ToolRefusal(`The path ${JSON.stringify(relative(root, path))} is refused: ${odd}.`);
}

/**
 * Returns the listed name that is equal but for its spaces and normal form, or with `isExact` the same name only; `undefined` if there is none.
 * Rejects with a `ToolRefusal` if there are several.
 */
async function listedAs(
  workspace: ReadableWorkspace,
  root: string,
  folder: string,
  name: string,
  isExact: boolean,
): Promise<string | undefined> {
  const [realRoot, real] = await Promise.all(
    [root, folder].map((one) => workspace.realPath(one).catch(() => undefined)),
  );
  if (realRoot === undefined || real === undefined || !isInside(realRoot, real)) return undefined;
  const listing = await workspace.list(real, maxEntries).catch(() => undefined);
  const names = listing?.entries.map((entry) => entry.name) ?? [];
  if (names.includes(name)) return name;
  if (isExact) return undefined;
  const wanted = foldedName(name);
  const alike = names.filter((one) => foldedName(one) === wanted);
  if (alike.length > 1)
    throw new ToolRefusal(
      `${JSON.stringify(name)} may be each of ${alike.map((one) => JSON.stringify(one)).join(", ")}: they differ in their spaces only. Copy the name as it is listed.`,
    );
  return alike[0];
}

function exists(workspace: ReadableWorkspace, path: string): Promise<boolean> {
  return workspace.status(path).then(
    () => true,
    () => false,
  );
}

const megabyte = 1024 * 1024;

/**
 * Reads the text of a gated file: from an editor with unsaved changes, else from disk, decoded as VS Code does. Rejects with a `ToolRefusal` for a
 * file that is over `limit` bytes, is no text, or has become another one.
 */
export async function readText(workspace: ReadableWorkspace, gated: GatedFile, limit: number): Promise<DecodedText> {
  const { path, real, label, cautions } = gated;
  const tooLarge = new ToolRefusal(`${label} is larger than ${limit / megabyte} MB; such files are left alone.`);
  const shown = workspace.shownText(path);
  if (shown !== undefined) {
    if (shown.length > limit) throw tooLarge;
    return { text: shown, isDamaged: false };
  }
  const file = await openRegularFile(workspace, real, label);
  try {
    if (file.status.links > 1 && !cautions.includes("hard-link")) {
      throw new ToolRefusal(`${label} has another name on this disk by now. Call again.`);
    }
    if (file.status.size > limit) throw tooLarge;
    const bytes = await file.read(limit + 1);
    if (bytes.length > limit) throw tooLarge;
    const decoded = decodeText(bytes);
    if (decoded.text.includes("\0")) throw new ToolRefusal(`${label} is no text file.`);
    return decoded;
  } finally {
    await file.close();
  }
}
