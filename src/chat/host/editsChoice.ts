/**
 * The choice that the chip at the composer shows: edits of tracked files are applied at once (`review`), or each asks first. Missing until the person
 * has chosen once in this workspace.
 */
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { type ReadonlyStore, Store } from "../../base/store";
import type { GrantRules } from "../approval/grantRules";

export type EditsChoice = "review" | "ask";

export interface EditsChoices extends Disposable {
  readonly current: ReadonlyStore<EditsChoice | undefined>;
  set(choice: EditsChoice): Promise<void>;
}

/** The key in the memory of the workspace. */
const wasChosen = "editsChosen";

/** `onFocus` reads the rules again, because another window may have changed them. */
export function createEditsChoices(
  rules: Pick<GrantRules, "reviewsEdits" | "setReviewsEdits" | "onDidChange">,
  memory: Pick<vscode.Memento, "get" | "update">,
  onFocus: (listener: () => void) => Disposable,
): EditsChoices {
  const store = new DisposableStore();
  const current = new Store<EditsChoice | undefined>(undefined);
  let reading = 0;
  const read = async (): Promise<void> => {
    reading += 1;
    const own = reading;
    const isReviewed = await rules.reviewsEdits();
    if (own !== reading) return;
    if (isReviewed && memory.get(wasChosen) !== true) void memory.update(wasChosen, true);
    const now = isReviewed ? "review" : memory.get(wasChosen) === true ? "ask" : undefined;
    if (now !== current.current) current.set(now);
  };
  store.add(rules.onDidChange(() => void read()));
  store.add(onFocus(() => void read()));
  void read();
  return { current, set: (choice) => rules.setReviewsEdits(choice === "review"), dispose: () => store.dispose() };
}
