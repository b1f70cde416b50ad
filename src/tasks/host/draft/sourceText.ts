/** Whether the document that a prompt was taken from still has it, while the person was asked about the task. */
import * as vscode from "vscode";
import type { TaskDraft } from "./taskDraft";

/** Without its document where that has the prompt no longer: what is kept of the draft is then the only place that has it. */
export function withoutLostSource(draft: TaskDraft): TaskDraft {
  const { source, prompts, ...rest } = draft;
  return source && !prompts.every((prompt) => isIn(source, prompt)) ? { ...rest, prompts } : draft;
}

/** A document that is not open is a file as it was read. */
function isIn(source: vscode.Uri, prompt: string): boolean {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === source.toString());
  if (!document) return source.scheme !== "untitled";
  return bare(document.getText()).includes(bare(prompt));
}

const bare = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
