/** Notifies once of each trouble with the file of tasks; the message of the Tasks view says it as long as it lasts. */
import { type Disposable, DisposableStore } from "../../base/disposable";
import { describeUnwritten } from "../../domain/words/describeError";
import { describeReplacedFile } from "../../domain/words/describeStorage";
import type { TaskBoard } from "../board/board";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { notifyWarning } from "../../vscode/interface/show";

/** The command that meets a full disk says so itself. */
const toldElsewhere = new Set(["ENOSPC", "EDQUOT", undefined]);

export function createStorageNotices(
  board: Pick<TaskBoard, "unwritten" | "file" | "flush">,
  dialogs: Pick<Dialogs, "showError">,
): Disposable {
  const store = new DisposableStore();
  const told = new Set<string | undefined>(toldElsewhere);
  const tellTrouble = (): void => {
    const unwritten = board.unwritten.current;
    if (!unwritten || told.has(unwritten.error.code)) return;
    told.add(unwritten.error.code);
    void dialogs.showError(describeUnwritten(unwritten.accepted, unwritten.error), () => void board.flush());
  };
  const tellReplaced = (): void => {
    const { replaced } = board.file.current;
    if (!replaced || told.has(replaced.setAside)) return;
    told.add(replaced.setAside);
    void notifyWarning(describeReplacedFile(replaced));
  };
  store.add(board.unwritten.onDidChange(tellTrouble));
  store.add(board.file.onDidChange(tellReplaced));
  tellTrouble();
  tellReplaced();
  return store;
}
