/** Changes since the last commit, through the API of VS Code's built-in git extension: read only, and nothing without it. */
import * as vscode from "vscode";
import type { WorkingChange } from "../domain/editorPort";

/** The parts of that API that are used: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly repositories: readonly GitWorkTree[];
  getRepository(uri: vscode.Uri): GitWorkTree | null;
}

interface GitWorkTree {
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly untrackedChanges: readonly GitChange[];
  };
  status(): Promise<void>;
  diffWithHEAD(path: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** By the numbers of `Status` in that API; those of conflicts are not listed. */
const kinds: readonly WorkingChange["change"][] = [
  ...(["modified", "added", "deleted", "renamed", "added"] as const),
  ...(["modified", "deleted", "untracked", "untracked", "added", "renamed", "modified"] as const),
];

async function openApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (!extension) return undefined;
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}

export async function listChangedFiles(): Promise<readonly WorkingChange[] | undefined> {
  const api = await openApi();
  if (!api || api.repositories.length === 0) return undefined;
  const found: WorkingChange[] = [];
  for (const repository of api.repositories) {
    // What was changed a moment ago may not have been noticed.
    await repository.status();
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges } = repository.state;
    const known = [...workingTreeChanges, ...untrackedChanges];
    found.push(...mergeChanges.map((change) => changedFile(change, false, "conflict")));
    found.push(...indexChanges.map((change) => changedFile(change, true)));
    found.push(...known.map((change) => changedFile(change, false)));
  }
  return found;
}

function changedFile(
  { uri, status }: GitChange,
  isStaged: boolean,
  change = kinds[status] ?? "conflict",
): WorkingChange {
  return { file: uri.fsPath, change, isStaged };
}

export async function diffWithLastCommit(file: string): Promise<string | undefined> {
  return (await openApi())?.getRepository(vscode.Uri.file(file))?.diffWithHEAD(file);
}
