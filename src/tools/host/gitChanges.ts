/** Reads changes since the last commit through the API of VS Code's built-in git extension, where that is there. It changes no file and no commit. */
import * as vscode from "vscode";
import type { WorkingChange } from "../../domain/tools/toolPorts";

/** The parts of that API that are used: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

export interface GitApi {
  readonly repositories: readonly GitWorkTree[];
  readonly onDidOpenRepository: vscode.Event<GitWorkTree>;
  getRepository(uri: vscode.Uri): GitWorkTree | null;
}

export interface GitWorkTree {
  readonly rootUri: vscode.Uri;
  /** The box of the commit message. */
  readonly inputBox: { value: string };
  /** Whether it is selected in the source control view. */
  readonly ui: { readonly selected: boolean };
  readonly state: {
    /** `undefined` until the extension has read it. It has no commit before the first one. */
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly onDidChange: vscode.Event<void>;
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly untrackedChanges: readonly GitChange[];
  };
  status(): Promise<void>;
  /** The text of a file in a commit. Rejects where there is none. */
  show(ref: string, path: string): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
  /** The difference of what is staged. */
  diffIndexWithHEAD(path: string): Promise<string>;
  /** Rejects where there is no commit yet. */
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** The kinds by the numbers of `Status` in that API; those of conflicts are not listed. */
const kinds: readonly WorkingChange["change"][] = [
  "modified",
  "added",
  "deleted",
  "renamed",
  "added",
  "modified",
  "deleted",
  "untracked",
  "untracked",
  "added",
  "renamed",
  "modified",
];

export function hasGit(): boolean {
  return vscode.extensions.getExtension("vscode.git") !== undefined;
}

export async function openGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (!extension) return undefined;
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}

export async function listChangedFiles(): Promise<readonly WorkingChange[] | undefined> {
  const api = await openGit();
  if (!api || api.repositories.length === 0) return undefined;
  const found: WorkingChange[] = [];
  for (const repository of api.repositories) {
    // The extension may not have noticed what was changed a moment ago.
    await repository.status();
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges } = repository.state;
    const known = [...workingTreeChanges, ...untrackedChanges];
    found.push(...mergeChanges.map((change) => changedFile(change, false, "conflict")));
    found.push(...indexChanges.map((change) => changedFile(change, true)));
    found.push(...known.map((change) => changedFile(change, false)));
  }
  return found;
}

export function changedFile(
  { uri, status }: GitChange,
  isStaged: boolean,
  change = kinds[status] ?? "conflict",
): WorkingChange {
  return { file: uri.fsPath, change, isStaged };
}

export async function diffWithLastCommit(file: string): Promise<string | undefined> {
  return (await openGit())?.getRepository(vscode.Uri.file(file))?.diffWithHEAD(file);
}
