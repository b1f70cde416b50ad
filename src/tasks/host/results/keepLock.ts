/** Keeps `sluice.lock` in the folders of this window. When it is created in a repository, offers once to add the line by which git merges it. */
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { lockName } from "../../../domain/lock/lockFile";
import type { Log } from "../../../domain/ports";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import type { StoragePaths } from "../../../vscode/storagePaths";
import type { TaskBoard } from "../../board/board";
import { LockKeeper } from "../../lock/lockKeeper";
import { readBelow } from "../../lock/lockedFiles";
import { hasMergeRule, mergeRule, withMergeRule } from "../../lock/mergeRule";
import { lockRoots } from "./lockedStates";

export function keepLock(
  board: TaskBoard,
  { storage, log }: { readonly storage: StoragePaths; readonly log: Log },
): Disposable {
  const store = new DisposableStore();
  const keeper = new LockKeeper({
    board,
    clock: systemClock,
    log,
    scratch: storage.lock,
    results: storage.results,
    roots: lockRoots,
    onDidChangeRoots: (listener) => {
      const registrations = [
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
      ];
      return { dispose: () => registrations.forEach((one) => void one.dispose()) };
    },
    onWritten: (root, outcome) => {
      if (outcome === "created") void offerMergeRule(root).catch(() => undefined);
    },
  });
  store.add(keeper);
  void keeper.run();
  return store;
}

const attributes = ".gitattributes";
const maxAttributes = 256 * 1024;

/** Without the rule, two clones that both add files get a merge conflict; Sluice still reads the lines of both sides. */
async function offerMergeRule(root: string): Promise<void> {
  const isRepository = await lstat(join(root, ".git")).then(
    () => true,
    () => false,
  );
  const before = await readBelow(root, attributes, maxAttributes).catch(() => "unreadable" as const);
  if (!isRepository || (typeof before !== "string" && hasMergeRule(before))) return;
  const add = t("Add to {0}", attributes);
  const question = t(
    "{0} now lists what was made in {1}. One line in {2} lets git merge it without conflicts.",
    lockName,
    quoteForeign(basename(root)),
    attributes,
  );
  if ((await notifyInformation(question, add)) !== add) return;
  // The file is read again, because the question may have stayed open for long.
  const found = await readBelow(root, attributes, maxAttributes).catch(() => "unreadable" as const);
  const bytes = found === "missing" ? Buffer.alloc(0) : found;
  if (typeof bytes !== "string" && hasMergeRule(bytes)) return;
  const changed = typeof bytes === "string" ? undefined : withMergeRule(bytes);
  if (changed === undefined) {
    void notifyWarning(t("{0} can't be changed. The line is: {1}", attributes, mergeRule));
    return;
  }
  await vscode.workspace.fs.writeFile(vscode.Uri.file(join(root, attributes)), changed);
}
