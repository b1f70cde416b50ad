/** Copies whose changes were not all applied, because a file could not be changed or the window ended. The person applies or discards the rest. */
import { t } from "@vscode/l10n";
import { describeAction, describeReasons } from "../../domain/words/describeTool";
import type { Workspace } from "../../domain/tools/workspace";
import { type CopyQuestion, finishCopy } from "../../tools/command/applyCopy";
import { realRoots } from "../../tools/command/confinedCommand";
import type { Sandbox } from "../../tools/sandbox/sandbox";
import { collectCopies, readKept, removeCopy } from "../../tools/sandbox/workspaceCopy";
import type { ReportDocuments } from "../../vscode/interface/reportDocuments";
import { revealInFileManager } from "../../vscode/interface/runCommand";
import { notifyInformation, notifyWarning } from "../../vscode/interface/show";

export interface LeftCopyOptions {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  readonly reports: Pick<ReportDocuments, "show">;
}

/** Reports the copies of windows that have ended, one after the other. Those of this workspace come first, because they can be applied here. */
export async function tellLeftCopies(options: LeftCopyOptions, copies: string): Promise<void> {
  const left = await Promise.all(
    collectCopies(copies).map(async (folder) => ({ folder, isOwn: await isOfWorkspace(options.workspace, folder) })),
  );
  for (const { folder } of [...left.filter(({ isOwn }) => isOwn), ...left.filter(({ isOwn }) => !isOwn)])
    await tellLeftCopy(options, folder);
}

export async function tellLeftCopy(options: LeftCopyOptions, folder: string): Promise<void> {
  const [apply, show, discard] = [t("Apply…"), t("Show Folder"), t("Discard")];
  const text = t("Not all that a command changed was applied. The rest is kept in {0}.", folder);
  const actions = (await isOfWorkspace(options.workspace, folder)) ? [apply, show, discard] : [show, discard];
  const chosen = await notifyWarning(text, ...actions);
  if (chosen === show) await revealInFileManager(folder);
  if (chosen === discard) await removeCopy(folder);
  if (chosen === apply) await finish(options, folder);
}

async function isOfWorkspace(workspace: Workspace, folder: string): Promise<boolean> {
  const roots = await realRoots(workspace);
  return readKept(folder)?.roots.every((root) => roots.includes(root)) === true;
}

/** Shows all changes in a document and asks in a message, because a dialog would cover the document. */
async function finish({ workspace, sandbox, reports }: LeftCopyOptions, folder: string): Promise<void> {
  try {
    const copy = await sandbox.reopen(folder);
    const question = copy && (await finishCopy(workspace, copy, new AbortController().signal));
    if (question === undefined) {
      await notifyInformation(t("Nothing of it is left to be applied."));
      return;
    }
    await reports.show(t("Left Changes of a Command"), textOf(question));
    const [apply, discard] = [t("Apply"), t("Discard")];
    const asked = t("Apply all changes in this document? They can't be undone.");
    const chosen = await notifyWarning(asked, apply, discard);
    if (chosen === apply) await question.apply(undefined);
    if (chosen === discard) await question.leave();
  } catch (error) {
    void notifyWarning(t("They could not be applied: {0}", error instanceof Error ? error.message : String(error)));
  }
}

function textOf({ parts, reasons }: CopyQuestion): string {
  const sections = parts.map(({ action, change }) => {
    const lines = change?.preview.hunks.flatMap((hunk) => hunk.lines) ?? [];
    const text = lines.length > 0 ? lines.join("\n") : action.type === "more-files" ? change?.after : undefined;
    return [describeAction(action), ...(text === undefined ? [] : [text])].join("\n");
  });
  return `${[t("Why it asks: {0}", describeReasons(reasons)), ...sections].join("\n\n")}\n`;
}
