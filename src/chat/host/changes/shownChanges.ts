/** *Keep* and *Undo* in the title of *Changes by Sluice*: they concern what that editor was opened with (A5). */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import { commands, contextKeys } from "../../../vscode/ids";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { setContext } from "../../../vscode/interface/runCommand";

/** What an editor of several diffs shows, and what its buttons do. */
export interface ShownTarget {
  /** Something of it is in effect and was not kept. */
  readonly isOpen: () => boolean;
  readonly onDidChange: Event<void>;
  readonly keep: () => Promise<void>;
  readonly undo: () => Promise<void>;
}

export interface ShownChanges extends Disposable {
  /** Of the editor that was opened just now. */
  note(target: ShownTarget): void;
}

export function createShownChanges(dialogs: Dialogs): ShownChanges {
  const store = new DisposableStore();
  const shown = new Map<vscode.Tab, ShownTarget>();
  let listed = false;
  // Extensions are not given the address of such an editor, by which a menu could name it.
  const active = (): ShownTarget | undefined => {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const target = activeTabGroup.activeTab && shown.get(activeTabGroup.activeTab);
    const isOnly = all.every(
      ({ activeTab }) => !activeTab || shown.get(activeTab) === target || !isOfSeveral(activeTab),
    );
    return isOnly && target?.isOpen() === true ? target : undefined;
  };
  const update = (): void => {
    const now = active() !== undefined;
    if (now !== listed) void setContext(contextKeys.showsChanges, (listed = now));
  };
  store.add(
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const tab of closed) shown.delete(tab);
      update();
    }),
  );
  store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  store.add(dialogs.register(commands.keepShown, () => active()?.keep()));
  store.add(dialogs.register(commands.undoShown, () => active()?.undo()));
  return {
    note(target) {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      if (tab === undefined || !isOfSeveral(tab)) return;
      shown.set(tab, target);
      const listening = store.add(
        target.onDidChange(() => {
          if (shown.get(tab) === target) update();
          else listening.dispose();
        }),
      );
      update();
    },
    dispose: () => store.dispose(),
  };
}

/** VS Code has no public type of such a tab: its input is none of the known ones. */
function isOfSeveral({ input }: vscode.Tab): boolean {
  const known = [
    vscode.TabInputText,
    vscode.TabInputTextDiff,
    vscode.TabInputCustom,
    vscode.TabInputWebview,
    vscode.TabInputNotebook,
    vscode.TabInputNotebookDiff,
    vscode.TabInputTerminal,
  ];
  return !known.some((type) => input instanceof type);
}
