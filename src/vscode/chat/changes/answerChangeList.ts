/** The changes of the chat that a page shows, by answer, kept current for the footers and the menus of editors. */
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type ReadonlyStore, Store } from "../../../base/store";
import type { ChangeLedger } from "../../../chat/ledger/changeLedger";
import type { ChangeLedgers } from "../../../chat/ledger/changeLedgers";
import type { ShownChat } from "../../../chat/sessions/shownChat";
import type { AnswerChanges } from "../../../protocol/changeMessages";
import { contextKeys } from "../../ids";
import { setContext } from "../../interface/runCommand";

export interface AnswerChangeList extends Disposable {
  readonly list: ReadonlyStore<readonly AnswerChanges[]>;
}

export function listAnswerChanges(
  ledgers: ChangeLedgers,
  chat: Pick<ShownChat, "session" | "stored">,
): AnswerChangeList {
  const store = new DisposableStore();
  const list = new Store<readonly AnswerChanges[]>([]);
  let listening: Disposable | undefined;
  const listen = (): void => {
    listening?.dispose();
    const ledger = ledgers.of(chat.stored.id);
    const update = (): void => {
      const now = changesByAnswer(ledger);
      if (JSON.stringify(now) !== JSON.stringify(list.current)) list.set(now);
      void setContext(contextKeys.changedFiles, pathsIn(ledger));
    };
    listening = ledger.onDidChange(update);
    update();
  };
  store.add(chat.session.onDidChange(listen));
  store.add({ dispose: () => listening?.dispose() });
  listen();
  return { list, dispose: () => store.dispose() };
}

function changesByAnswer(ledger: ChangeLedger): readonly AnswerChanges[] {
  const live = new Set(ledger.live);
  const answers = new Map<string, { files: Set<string>; state: AnswerChanges["state"] }>();
  for (const change of ledger.changes) {
    const { cause, label, isKept } = change;
    if (cause.type === "undo") continue;
    const known = answers.get(cause.answer) ?? { files: new Set<string>(), state: "undone" };
    known.files.add(label);
    if (live.has(change) && known.state !== "made") known.state = isKept ? "kept" : "made";
    answers.set(cause.answer, known);
  }
  return [...answers].map(([answer, { files, state }]) => ({ answer, files: [...files], state }));
}

function pathsIn(ledger: ChangeLedger): readonly string[] {
  return [...new Set(ledger.live.filter(({ isKept }) => !isKept).map(({ path, to }) => to ?? path))];
}
