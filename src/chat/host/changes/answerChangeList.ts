/** The changes of the chat that a page shows, by answer, kept current for the footers and the menus of editors. */
import { Coalescer } from "../../../base/async/serialQueue";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type ReadonlyStore, Store } from "../../../base/store";
import type { ChangeLedger } from "../../undo/changeLedger";
import type { ChangeLedgers } from "../../undo/changeLedgers";
import type { ShownChat } from "../../storage/shownChat";
import type { AnswerChanges } from "../../contract/changeMessages";
import { contextKeys } from "../../../vscode/ids";
import { setContext } from "../../../vscode/interface/runCommand";

/** Milliseconds in which changes are gathered: an undo of many files records thousands, and each list is made of all of them. */
const updateDelay = 50;

export interface AnswerChangeList extends Disposable {
  readonly list: ReadonlyStore<readonly AnswerChanges[]>;
}

export function listAnswerChanges(
  ledgers: ChangeLedgers,
  chat: Pick<ShownChat, "session" | "stored">,
  clock: Clock,
): AnswerChangeList {
  const store = new DisposableStore();
  const list = new Store<readonly AnswerChanges[]>([]);
  let listening: Disposable | undefined;
  const update = (): void => {
    const ledger = ledgers.of(chat.stored.id);
    const now = changesByAnswer(ledger);
    if (JSON.stringify(now) !== JSON.stringify(list.current)) list.set(now);
    void setContext(contextKeys.changedFiles, pathsIn(ledger));
  };
  const updates = store.add(new Coalescer<ChangeLedger>({ clock, delay: updateDelay, flush: update }));
  const listen = (): void => {
    listening?.dispose();
    const ledger = ledgers.of(chat.stored.id);
    listening = ledger.onDidChange(() => updates.add([ledger]));
    update();
  };
  store.add(chat.session.onDidChange(listen));
  store.add({ dispose: () => listening?.dispose() });
  listen();
  return { list, dispose: () => store.dispose() };
}

function changesByAnswer(ledger: ChangeLedger): readonly AnswerChanges[] {
  const live = new Set(ledger.live);
  const answers = new Map<string, { files: Set<string>; left: Set<string>; state: AnswerChanges["state"] }>();
  for (const change of ledger.changes) {
    const { cause, label, isKept } = change;
    if (cause.type === "undo") continue;
    const known = answers.get(cause.answer) ?? { files: new Set<string>(), left: new Set<string>(), state: "undone" };
    known.files.add(label);
    if (live.has(change)) known.left.add(label);
    if (live.has(change) && known.state !== "made") known.state = isKept ? "kept" : "made";
    answers.set(cause.answer, known);
  }
  return [...answers].map(([answer, { files, left, state }]) => {
    const undone = [...files].filter((file) => !left.has(file));
    const isPart = left.size > 0 && undone.length > 0;
    return { answer, files: [...files], state, ...(isPart ? { undone } : {}) };
  });
}

function pathsIn(ledger: ChangeLedger): readonly string[] {
  return [...new Set(ledger.live.filter(({ isKept }) => !isKept).map(({ path, to }) => to ?? path))];
}
