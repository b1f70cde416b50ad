/** Three prompts for the empty chat that work in this workspace: one reads, one proposes a change, one makes a picture (V5). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Suggestion } from "../../contract/chatPageContract";
import { shownLine } from "../../../vscode/interface/shownText";
import { toolRoots } from "../../../tools/host/workspaceFiles";
import { referenceTo } from "../context/fileReferences";

/** What the workspace has for the suggestions. */
export interface SuggestedFiles {
  readonly hasTools: boolean;
  /** To be explained. */
  readonly file?: string;
  /** A free name. */
  readonly overview: string;
}

/** `files`: missing until they have been looked for. `isFree`: a task costs nothing. Where it is paid, none is suggested. */
export function listSuggestions(files: SuggestedFiles | undefined, isFree: boolean): readonly Suggestion[] {
  if (files === undefined) return [];
  const { hasTools, file, overview } = files;
  const open: Suggestion = { kind: "ask", text: t("What can you do here?") };
  if (!hasTools) {
    if (!isFree) return [open, { kind: "read", text: t("Show me what Markdown looks like") }];
    const draw: Suggestion = { kind: "make", text: t("Draw a lighthouse") };
    return [open, draw, { kind: "ask", text: t("How do I connect my own gateway?") }];
  }
  return [
    file === undefined ? open : { kind: "read", text: t("Explain {0}", file) },
    { kind: "edit", text: t("Write an overview into {0}", overview) },
    isFree
      ? { kind: "make", text: t("Make a picture of a lighthouse") }
      : { kind: "read", text: t("Find “{0}” in the workspace", "TODO") },
  ];
}

export async function findSuggestedFiles(): Promise<SuggestedFiles> {
  const [root] = toolRoots();
  if (root === undefined) return { hasTools: false, overview: "" };
  const excluded = "**/{node_modules,dist,out,build,target,test,.*}/**";
  const code = await findShortest("**/*.{ts,tsx,js,jsx,py,go,rs,java,cs,rb,php,c,cpp}", excluded);
  const text = code ? undefined : await findShortest("**/*.md", excluded);
  const shown = vscode.window.activeTextEditor?.document.uri;
  // The shown file may be in no folder of the workspace.
  const [name = ""] = [shown, code ?? text].flatMap((uri) => (uri && referenceTo(uri)?.path) ?? []);
  // A suggestion is sent as the person's prompt: a file name with hidden characters or line breaks is not suggested.
  const isPlain = name !== "" && name === shownLine(name);
  return { hasTools: true, ...(isPlain ? { file: name } : {}), overview: await freeName(root) };
}

/** A name with the first number that is free, in the first folder. */
async function freeName(root: ReturnType<typeof toolRoots>[number]): Promise<string> {
  for (let number = 1; number < 10; number += 1) {
    const name = number === 1 ? "OVERVIEW.md" : `OVERVIEW-${number}.md`;
    const place = vscode.Uri.joinPath(vscode.Uri.file(root.path), name);
    const isThere = await vscode.workspace.fs.stat(place).then(
      () => true,
      () => false,
    );
    if (!isThere) return referenceTo(place)?.path ?? name;
  }
  return "OVERVIEW.md";
}

/** VS Code finds files in any order: the shortest path, of several the first by name, is the same at each start. */
async function findShortest(include: string, exclude: string): Promise<vscode.Uri | undefined> {
  // Without a search program in this host the other suggestions remain.
  const found = await vscode.workspace.findFiles(include, exclude, 50).then(
    (files) => files,
    () => [],
  );
  const [first] = found.sort((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1));
  return first;
}
