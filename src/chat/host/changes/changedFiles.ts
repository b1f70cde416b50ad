/** *Changes by Sluice*: what files were before the tools changed them, beside what they are now, in VS Code's editor of several diffs. */
import * as vscode from "vscode";
import { type Disposable } from "../../../base/disposable";
import type { ChangeLedger } from "../../undo/changeLedger";
import type { ChangeLedgers } from "../../undo/changeLedgers";
import { type FileContent, isText, readContent, textOf } from "../../undo/fileContent";
import type { FileChange, KeptContent } from "../../undo/changeRecords";
import { isSessionId } from "../../storage/sessionFolder";
import { openChanges } from "../../../vscode/interface/runCommand";

const scheme = "sluice-before";

/** Serves what files were before, read-only; also after a reload of the window. */
export function serveFormerTexts(ledgers: ChangeLedgers): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const [chat = "", as, hash = ""] = query.split("/");
      if ((as !== "file" && as !== "text") || !isSessionId(chat)) return undefined;
      const content = await ledgers.of(chat).contentOf({ as, hash });
      return content === undefined || content === "lost" ? undefined : textOf(content);
    },
  });
}

/** A file that tools have changed, by the name that it has now. */
export interface ChangedFile {
  readonly path: string;
  readonly label: string;
  /** Missing: it was made. */
  readonly before?: KeptContent;
}

/** From the oldest change to the newest; renames are followed. Files that were only renamed are left out: they read the same. */
export function changedFiles(changes: readonly FileChange[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { path, label, to, before } of changes) {
    const known = files.get(path);
    if (to === undefined) {
      if (known === undefined) files.set(path, { path, label, ...(before && { before }) });
    } else if (known) {
      files.delete(path);
      files.set(to, { ...known, path: to });
    }
  }
  return [...files.values()];
}

/** False when there is nothing that can be shown as a text. */
export async function showChangedFiles(
  chat: string,
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  title: string,
): Promise<boolean> {
  const shown: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
  for (const { path, before } of changedFiles(changes)) {
    const [was, is] = await Promise.all([
      ledger.contentOf(before),
      readContent(ledger.workspace, path).catch(() => undefined),
    ]);
    if (was === "lost" || !isShowable(was) || !isShowable(is) || (was === undefined && is === undefined)) continue;
    const file = vscode.Uri.file(path);
    const query = before && `${chat}/${before.as}/${before.hash}`;
    // With the path of the file: VS Code shows another one as a rename.
    const former = query === undefined ? undefined : file.with({ scheme, query });
    shown.push([file, former, is && file]);
  }
  if (shown.length === 0) return false;
  await openChanges(title, shown);
  return true;
}

function isShowable(content: FileContent | undefined): boolean {
  return content === undefined || isText(content);
}
