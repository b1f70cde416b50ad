/** Drafts from the prompts of a `*.prompts.md` file, with the settings of their directives. */
import { realpath } from "node:fs/promises";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { definedFields } from "../../../../base/definedFields";
import { withoutEnding } from "../../../../domain/task/mediaKinds";
import type { PromptSettings } from "../../../../prompts/directives";
import type { FilePrompt } from "../../../../prompts/parsePrompts";
import { destinationProblem, nameFromPrompt } from "../../../../tasks/submit/destination";
import { withCommon } from "../../../../tasks/submit/metadata";
import { readImageUrl, type Reference } from "../../../../tasks/submit/references";
import { isInside } from "../../../../tools/gate/pathNames";
import { notifyWarning } from "../../../interface/show";
import { addFiles } from "../steps/referenceSteps";
import { type DraftDestination, emptyDraft, type TaskDraft } from "../draft/taskDraft";

/** One draft for all prompts with the same settings. */
export async function draftsOf(
  document: vscode.TextDocument,
  prompts: readonly FilePrompt[],
  limit: number,
): Promise<readonly TaskDraft[]> {
  const groups = new Map<string, FilePrompt[]>();
  for (const prompt of prompts) {
    const key = JSON.stringify(prompt.settings);
    const group = groups.get(key);
    if (group) group.push(prompt);
    else groups.set(key, [prompt]);
  }
  const drafts: TaskDraft[] = [];
  for (const group of groups.values()) {
    const draft = { ...emptyDraft, prompts: group.map(({ text }) => text), source: document.uri };
    drafts.push(await withSettings(draft, group[0]?.settings ?? {}, document.uri, limit));
  }
  return drafts;
}

/** What a directive sets replaces what the draft had; references are added. */
export async function withSettings(
  draft: TaskDraft,
  { type, model, size, duration, seed, references = [], destination }: PromptSettings,
  document: vscode.Uri,
  limit: number,
): Promise<TaskDraft> {
  const metadata = withCommon(draft.metadata, definedFields({ size, duration, seed }));
  const place = destination === undefined ? undefined : placeOf(destination, draft, document);
  const set = { ...draft, metadata, ...definedFields({ type, model, destination: place }) };
  return withReferences(set, references, document, limit);
}

async function withReferences(
  draft: TaskDraft,
  names: readonly string[],
  document: vscode.Uri,
  limit: number,
): Promise<TaskDraft> {
  let read = draft;
  for (const name of names) {
    const address = readImageUrl(name);
    if (typeof address === "object") {
      const references: readonly Reference[] = [...read.references, address];
      read = { ...read, references };
      continue;
    }
    const file = await resolve(name, document);
    if (file) read = await addFiles(read, [file], limit);
    else void notifyWarning(t("The reference {0} is outside of the workspace and was left out.", name));
  }
  return read;
}

/** A path from the document's folder, inside of the workspace. A document that was not saved may name any file: a person dropped it there. */
async function resolve(name: string, document: vscode.Uri): Promise<vscode.Uri | undefined> {
  const isUntitled = document.scheme === "untitled";
  if (isUntitled && name.startsWith("file:")) return vscode.Uri.parse(name);
  const folder = folderOf(document);
  if (!folder || name.includes(":")) return undefined;
  const file = vscode.Uri.joinPath(folder, name);
  const root = vscode.workspace.getWorkspaceFolder(file);
  return root && (await isReallyInside(file, root.uri)) ? file : undefined;
}

/** A link in a repository that is not one's own may lead to a picture of this machine, which would be sent. */
async function isReallyInside(file: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const [root, real] = await Promise.all([realpath(folder.fsPath), realpath(file.fsPath).catch(() => undefined)]);
  // What does not exist is reported where it is read.
  return real === undefined || isInside(root, real);
}

/** Where relative paths of a document begin. */
export function folderOf(document: vscode.Uri): vscode.Uri | undefined {
  const own = vscode.workspace.getWorkspaceFolder(document);
  return own && document.scheme !== "untitled"
    ? vscode.Uri.joinPath(document, "..")
    : vscode.workspace.workspaceFolders?.[0]?.uri;
}

function placeOf(path: string, { prompts }: TaskDraft, document: vscode.Uri): DraftDestination | undefined {
  const folder = folderOf(document);
  const root = folder && vscode.workspace.getWorkspaceFolder(folder)?.uri;
  const isFolder = path.endsWith("/");
  const name = isFolder ? path + nameFromPrompt(prompts[0] ?? "") : withoutEnding(path);
  if (!root || destinationProblem(name) !== undefined) {
    void notifyWarning(t("The destination {0} is outside of the workspace and was left out.", path));
    return undefined;
  }
  const file = vscode.Uri.joinPath(folder, name);
  return { root, path: file.path.slice(root.path.replace(/\/$/, "").length + 1) };
}
