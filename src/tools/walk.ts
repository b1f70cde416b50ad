/** Walks a folder of the workspace in order: ignored files, links and version-control folders are passed over. */
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { Workspace } from "../domain/workspace";

export interface WalkedFile {
  readonly path: string;
  /** Relative to where the walk began, with `/`. */
  readonly way: string;
}

interface Rules {
  /** Relative to the start, ending with `/` unless empty: where these rules were found. */
  readonly base: string;
  readonly matcher: Ignore;
}

/** Never worth a model's reading, whether git is told to ignore them or not. */
const passedOver = new Set([".git", ".hg", ".svn", "node_modules"]);

/** `root` is where ignore files begin to count; `start` lies in it. Files come sorted, folder by folder. */
export async function* walk(
  workspace: Workspace,
  root: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<WalkedFile> {
  const { rules, base } = await rulesAbove(workspace, root, start);
  yield* walkFolder(workspace, start, base, base.length, rules, signal);
}

/** Whether git is told to ignore a file: such a file is not listed, and reading it needs a yes. */
export async function isIgnoredFile(workspace: Workspace, root: string, path: string): Promise<boolean> {
  const { rules, base } = await rulesAbove(workspace, root, path);
  const inRoot = base.slice(0, -1);
  return inRoot.split("/").some((name) => passedOver.has(name)) || isIgnored(rules, inRoot);
}

/** The ignore files in the folders between a root and a path, and that path relative to the root, with `/` at its end. */
async function rulesAbove(workspace: Workspace, root: string, path: string): Promise<{ rules: Rules[]; base: string }> {
  const rules: Rules[] = [];
  let folder = root;
  let base = "";
  for (const name of relative(root, path).split(sep)) {
    if (name === "") continue;
    const found = await readRules(workspace, folder, base);
    if (found) rules.push(found);
    folder = join(folder, name);
    base = `${base}${name}/`;
  }
  return { rules, base };
}

async function* walkFolder(
  workspace: Workspace,
  folder: string,
  base: string,
  cut: number,
  inherited: readonly Rules[],
  signal: AbortSignal,
): AsyncGenerator<WalkedFile> {
  signal.throwIfAborted();
  const own = await readRules(workspace, folder, base);
  const rules = own ? [...inherited, own] : inherited;
  const entries = [...(await workspace.list(folder))].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, type } of entries) {
    if (passedOver.has(name)) continue;
    const inRoot = `${base}${name}`;
    if (isIgnored(rules, type === "folder" ? `${inRoot}/` : inRoot)) continue;
    const path = join(folder, name);
    if (type === "file") yield { path, way: inRoot.slice(cut) };
    else if (type === "folder") yield* walkFolder(workspace, path, `${inRoot}/`, cut, rules, signal);
  }
}

async function readRules(workspace: Workspace, folder: string, base: string): Promise<Rules | undefined> {
  const text = await workspace.read(join(folder, ".gitignore")).catch(() => undefined);
  return text === undefined ? undefined : { base, matcher: ignore().add(text) };
}

/** The nearest ignore file has the last word, as in git. */
function isIgnored(rules: readonly Rules[], inRoot: string): boolean {
  for (const { base, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(inRoot.slice(base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
