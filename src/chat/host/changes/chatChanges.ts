/** What a person can do with the changes that tools made in a chat: look at them, undo, redo, keep, and rewind the chat with them (A5). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { whyNotHere } from "../../../domain/words/modeWords";
import { plural } from "../../../domain/words/plural";
import type { ChangeLedger, ChangeLedgers } from "../../undo/changeLedger";
import { type FileChange, type FileContent, isText, readContent, textOf } from "../../undo/changeRecords";
import {
  type ChangeFilter,
  lastUndo,
  previewUndo,
  redoable,
  redosOf,
  undoable,
  undoChanges,
  type UndoOutcome,
  undosOf,
} from "../../undo/undoChanges";
import type { ShownChat } from "../../storage/shownChat";
import { type Chat, type Entry, turnStart } from "../../../domain/chat/chat";
import { views, commands, contextKeys } from "../../../vscode/ids";
import { confirmAction, notifyInformation, notifyWarning, showBusy } from "../../../vscode/interface/show";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { setContext, openChanges } from "../../../vscode/interface/runCommand";
import { isSessionId } from "../../storage/sessionFolder";
import { ToolRefusal } from "../../../domain/tools/tool";
import { changedFiles } from "../../undo/undecidedFiles";
import type { ListedFile, Review } from "./review";

export interface ChatChangesOptions {
  readonly ledgers: ChangeLedgers;
  readonly chat: ShownChat;
  readonly shown: Pick<ShownChanges, "note">;
  /** Puts the text of a message that was taken back into the draft of its chat. */
  readonly insert: (chat: string, text: string) => void;
  /** Takes the text out of the draft, unless it was edited meanwhile. */
  readonly clear: (chat: string, text: string) => void;
}

/** The ids of the chats whose messages and files are being taken back or restored. */
const changing = new Set<string>();
/** The maximum number of files that a message names; the others are counted. */
const maxNames = 3;

export class ChatChanges {
  readonly #options: ChatChangesOptions;

  constructor(options: ChatChangesOptions) {
    this.#options = options;
  }

  /** Shows the changes of the turn that this answer ends. */
  async show(answer: string): Promise<void> {
    const { id } = this.#options.chat.stored;
    const filter = this.#filter(answer);
    const ledger = this.#options.ledgers.of(id);
    await ledger.load();
    if (await showChangedFiles(id, ledger, undoable(ledger, filter), t("Changes by Sluice"))) {
      // `keep` and `undo` act on the chat that the page shows. Once that is another one, this target counts as closed.
      const isShown = (): boolean => this.#options.chat.stored.id === id;
      this.#options.shown.note({
        isOpen: () => isShown() && undoable(ledger, filter).some(({ isKept }) => !isKept),
        onDidChange: (listener) => {
          const listening = new DisposableStore();
          listening.add(ledger.onDidChange(() => listener()));
          listening.add(this.#options.chat.session.onDidChange(() => listener()));
          return listening;
        },
        keep: () => this.keep(filter),
        undo: () => this.undo(filter),
      });
      return;
    }
    void notifyInformation(t("There is no text of this chat's changes to show."));
  }

  async undo(filter: ChangeFilter): Promise<void> {
    if (!(await this.#mayWrite())) return;
    const ledger = await this.#ledger();
    await this.#takeBack(ledger, undoable(ledger, filter));
  }

  undoTurn(answer: string): Promise<void> {
    return this.undo(this.#filter(answer));
  }

  /** After a question, undoes all changes of the chat. */
  async undoAll(): Promise<void> {
    const { id } = this.#options.chat.stored;
    const count = new Set(undoable(await this.#ledger()).map(({ label }) => label)).size;
    const question = plural(count, {
      one: "Undo the change of 1 file by this chat?",
      other: "Undo the changes of {0} files by this chat?",
    });
    if (count === 0) tellNothing();
    else if (await confirmAction(question, t("Undo"), t("Files that you have edited since are left alone."))) {
      // The page may show another chat by now.
      if (this.#options.chat.stored.id === id) await this.undo({});
      else tellGoneOn();
    }
  }

  async redoTurn(answer: string): Promise<void> {
    if (!(await this.#mayWrite())) return;
    const ledger = await this.#ledger();
    await this.#takeBack(ledger, redoable(ledger, this.#filter(answer)));
  }

  /** Redoes what the last undo of the chat took back. */
  async redoLast(): Promise<void> {
    if (!(await this.#mayWrite())) return;
    const ledger = await this.#ledger();
    await this.#takeBack(ledger, lastUndo(ledger));
  }

  async keep(filter: ChangeFilter): Promise<void> {
    if (!(await this.#mayWrite())) return;
    const ledger = await this.#ledger();
    const changes = undoable(ledger, filter).filter(({ isKept }) => !isKept);
    if (changes.length === 0) tellNothing();
    else await ledger.keepChanges(changes.map(({ id }) => id));
  }

  keepTurn(answer: string): Promise<void> {
    return this.keep(this.#filter(answer));
  }

  /** After a question that names what is taken back, rewinds to before that message; an empty id means the last message. */
  rewind(id: string): Promise<void> {
    return this.#oneAtATime(() => this.#rewind(id));
  }

  /** Undoes a rewind together with its files, or redoes it. For any other replaced branch only the messages are switched. */
  switchBranch(): Promise<void> {
    return this.#oneAtATime(() => this.#switchBranch());
  }

  /** Ignores a second press while the first one is at work, which would take the same files back once more. */
  async #oneAtATime(work: () => Promise<void>): Promise<void> {
    const { id } = this.#options.chat.stored;
    if (changing.has(id)) return;
    changing.add(id);
    try {
      await work();
    } finally {
      changing.delete(id);
    }
  }

  async #rewind(id: string): Promise<void> {
    const { entries } = this.#options.chat.session.current.chat;
    const from = entries.findLastIndex((one) => (id === "" ? one.type === "user" : one.id === id));
    const message = entries[from];
    if (message === undefined && id === "") tellNothing();
    if (message?.type !== "user" || !(await this.#mayWrite())) return;
    const later = entries.slice(from);
    const ledger = await this.#ledger();
    const changes = undoable(ledger, { answers: new Set(later.map((one) => one.id)) });
    const plan = await showBusy(views.chat, previewUndo(ledger, changes));
    const files = new Set(plan.steps.map(({ reverts }) => reverts[0]?.label)).size;
    const stay = plan.edited.map(({ label }) => label);
    const detail = [
      describeRewind(files, countMessages(later)),
      ...(stay.length === 0 ? [] : [t("Your own edits stay: {0}.", namesOf(stay))]),
      t("Commands that ran and tasks that were submitted are not taken back."),
    ].join(" ");
    if (!(await confirmAction(t("Rewind to before this message?"), t("Rewind"), detail))) return;
    const { current: session } = this.#options.chat.session;
    // The question may have stayed open while the chat went on, or the page may show another one.
    if (session.chat.entries[from] !== message || session.isRunning) {
      tellGoneOn();
      return;
    }
    const outcome = await showBusy(views.chat, undoChanges(ledger, changes));
    const rewound = { operation: outcome.operation, files: outcome.undone.length };
    if (await session.rewind(message.id, rewound)) this.#options.insert(session.chat.id, message.text);
    else this.#tellApart(ledger, outcome);
    this.#tell(ledger, outcome);
  }

  async #switchBranch(): Promise<void> {
    const { current: session } = this.#options.chat.session;
    const { otherBranch } = session.chat;
    const operation = otherBranch?.rewound?.operation;
    if (operation === undefined) {
      await session.switchBranch();
      return;
    }
    if (!(await this.#mayWrite())) return;
    const ledger = await this.#ledger();
    if (session.chat.otherBranch !== otherBranch || session.isRunning) return;
    const changes = otherBranch?.isNewer ? redosOf(ledger, operation) : undosOf(ledger, operation);
    const outcome = await showBusy(views.chat, undoChanges(ledger, changes));
    if (await session.switchBranch()) this.#moveText(session.chat, otherBranch?.entries);
    else this.#tellApart(ledger, outcome);
    this.#tell(ledger, outcome);
  }

  /**
   * Moves the text of a message between chat and draft. When the message is back in the chat, its text leaves the draft; when the message was taken
   * back, its text goes into the draft. `back`: the restored entries.
   */
  #moveText({ id, otherBranch }: Chat, back: readonly Entry[] = []): void {
    const isBack = otherBranch?.isNewer === true;
    const message = (isBack ? back : (otherBranch?.entries ?? [])).find(({ type }) => type === "user");
    if (message?.type === "user") this.#options[isBack ? "clear" : "insert"](id, message.text);
  }

  /** Reports that the files were taken back but the messages stayed, because a turn began meanwhile or another window took the chat. */
  #tellApart(ledger: ChangeLedger, { operation, undone }: UndoOutcome): void {
    if (undone.length === 0) {
      tellGoneOn();
      return;
    }
    const restore = t("Restore Files");
    const text = t(
      "The chat has gone on meanwhile and keeps its messages, but these files went back: {0}.",
      namesOf(undone),
    );
    void notifyWarning(text, restore).then(async (answer) => {
      if (answer === restore && (await this.#mayWrite())) await this.#takeBack(ledger, undosOf(ledger, operation));
    });
  }

  async #ledger(): Promise<ChangeLedger> {
    const ledger = this.#options.ledgers.of(this.#options.chat.stored.id);
    await ledger.recover();
    return ledger;
  }

  /** Resolves with true if no turn runs and this window writes the chat. Otherwise the person is told why not. */
  async #mayWrite(): Promise<boolean> {
    const { stored } = this.#options.chat;
    if (stored.session.isRunning) {
      void notifyWarning(t("An answer is running. Stop it first."));
      return false;
    }
    if (stored.isWritable || (await stored.takeOver())) return true;
    void notifyWarning(whyNotHere());
    return false;
  }

  #filter(answer: string | undefined): ChangeFilter {
    if (answer === undefined) return {};
    const { entries } = this.#options.chat.session.current.chat;
    const last = entries.findIndex(({ id }) => id === answer);
    const first = turnStart(entries, last);
    return { answers: new Set(entries.slice(first, last + 1).map(({ id }) => id)) };
  }

  async #takeBack(ledger: ChangeLedger, changes: readonly FileChange[]): Promise<void> {
    if (changes.length === 0) tellNothing();
    else this.#tell(ledger, await showBusy(views.chat, undoChanges(ledger, changes)));
  }

  /** Reports which files were left alone, and why. Offers the undo again where it can be merged with the person's edits. */
  #tell(ledger: ChangeLedger, { edited, failed }: UndoOutcome): void {
    if (failed.length > 0) {
      // Only the names of the files are shown, because the reasons are written for a model.
      const labels = failed.map(({ label }) => label);
      tellLeft(namesOf(labels));
    }
    const lost = edited.filter(({ why }) => why === "lost").map(({ label }) => label);
    if (lost.length > 0) {
      void notifyWarning(t("What was there before is no longer kept, so it can't be undone: {0}.", namesOf(lost)));
    }
    const others = edited.filter(({ why, proposal }) => why !== "lost" && proposal === undefined);
    if (others.length > 0) {
      void notifyWarning(
        t("Changed since by you or another program, and left alone: {0}.", namesOf(others.map(({ label }) => label))),
      );
    }
    for (const { path, label, proposal } of edited) {
      if (proposal) void this.#offer(ledger, path, label, proposal);
    }
  }

  async #offer(
    ledger: ChangeLedger,
    path: string,
    label: string,
    { now, merged, overlaps }: NonNullable<UndoOutcome["edited"][number]["proposal"]>,
  ): Promise<void> {
    const [first] = overlaps;
    // Nothing that the undo would remove is left in the file.
    if (now === merged) {
      void notifyWarning(t("{0} was edited since, and nothing that could be undone is left in it.", label));
      return;
    }
    const text =
      first === undefined
        ? t("{0} was edited since and was left alone. The undo can be made around the edits.", label)
        : t(
            "{0} was edited since and was left alone. The undo overlaps an edit at line {1}, which stays.",
            label,
            first,
          );
    const undo = t("Undo");
    if ((await notifyWarning(text, undo)) !== undo) return;
    try {
      await ledger.changesOf({ type: "hunk", answer: "" }).write(path, now, merged);
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      tellLeft(label);
    }
  }
}

function tellLeft(labels: string): void {
  void notifyWarning(t("Could not be changed, or was changed meanwhile, and left as it is: {0}.", labels));
}

/** Counts each prompt, and all consecutive answers of a turn as one message. */
function countMessages(entries: readonly Entry[]): number {
  return entries.filter(
    ({ type }, index) => type === "user" || (type === "answer" && entries[index - 1]?.type !== "answer"),
  ).length;
}

function describeRewind(files: number, messages: number): string {
  const removed = plural(messages, { one: "Takes back 1 message.", other: "Takes back {0} messages." });
  if (files === 0) return removed;
  // These are two sentences, because a language can't choose one form by two counts.
  return `${removed} ${plural(files, { one: "Undoes the change of 1 file.", other: "Undoes the changes of {0} files." })}`;
}

function namesOf(labels: readonly string[]): string {
  const named = labels.slice(0, maxNames).join(", ");
  return labels.length > maxNames ? t("{0} and {1} more", named, labels.length - maxNames) : named;
}

function tellGoneOn(): void {
  void notifyWarning(t("The chat has gone on meanwhile. Nothing was taken back."));
}

function tellNothing(): void {
  void notifyInformation(t("There is nothing of that kind in this chat."));
}

/** The content of an editor of several diffs, and the actions of its buttons. */
export interface ShownTarget {
  /** Whether some of its changes are in effect and not kept. */
  readonly isOpen: () => boolean;
  readonly onDidChange: Event<void>;
  readonly keep: () => Promise<void>;
  readonly undo: () => Promise<void>;
}

interface ShownChanges extends Disposable {
  /** Links the target to the editor that was opened just now. */
  note(target: ShownTarget): void;
}

/** `others`: keeps or undoes everything undecided, where no such editor is active. */
export function createShownChanges(dialogs: Dialogs, others: Pick<ShownTarget, "keep" | "undo">): ShownChanges {
  const store = new DisposableStore();
  const shown = new Map<vscode.Tab, ShownTarget>();
  let listed = false;
  // Extensions do not get the address of such an editor, so a menu can't name it and the active tab is used.
  const active = (): ShownTarget | undefined => {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const target = activeTabGroup.activeTab && shown.get(activeTabGroup.activeTab);
    // One context key shows the buttons in every group, so no other group may show an editor of several diffs with another target.
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
  store.add(dialogs.register(commands.keepAll, () => (active() ?? others).keep()));
  store.add(dialogs.register(commands.undoAll, () => (active() ?? others).undo()));
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

/** VS Code has no public type for the tab of several diffs: its input is none of the known types. */
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

/** The scheme of former texts of files. *Changes by Sluice*, VS Code's editor of several diffs, shows them beside the texts after the changes. */
const scheme = "sluice-before";

/**
 * The address of a file's text without the undecided changes of that chat. It keeps the file's path, because VS Code shows another one as a rename.
 */
export function formerUri(path: string, chat: string): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme, query: `${chat}/undecided` });
}

/** Shows all undecided changes. False when none of them can be shown as text. */
export async function showUndecided(files: readonly ListedFile[]): Promise<boolean> {
  const shown = files.flatMap(({ path, chat, hunks, before, changes }) => {
    const isGone = changes.findLast(({ to }) => to === undefined)?.after === undefined;
    if (hunks.length === 0 && !isGone) return [];
    const file = vscode.Uri.file(path);
    return [[file, before && formerUri(path, chat), isGone ? undefined : file] as const];
  });
  if (shown.length > 0) await openChanges(t("Changes by Sluice"), shown);
  return shown.length > 0;
}

/** Serves the former texts of files, read-only. The addresses work after a reload of the window too. */
export function serveFormerTexts(ledgers: ChangeLedgers, review: Review): Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const listening = review.onDidChange(() => {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === scheme && uri.query.endsWith("/undecided")) changed.fire(uri);
  });
  const serving = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    async provideTextDocumentContent(uri) {
      const [chat = "", as, hash = ""] = uri.query.split("/");
      if (!isSessionId(chat)) return undefined;
      // Once nothing is undecided, this is the text of the file itself.
      if (as === "undecided") return review.formerIn(uri.with({ scheme: "file", query: "" }).fsPath, chat);
      if (as !== "file" && as !== "text") return undefined;
      const content = await ledgers.of(chat).contentOf({ as, hash });
      return content === undefined || content === "lost" ? undefined : textOf(content);
    },
  });
  return {
    dispose: () => {
      listening.dispose();
      serving.dispose();
      changed.dispose();
    },
  };
}

/** Shows the files that these changes changed, as diffs. False when there is nothing that can be shown as a text. */
async function showChangedFiles(
  chat: string,
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  title: string,
): Promise<boolean> {
  const shown: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
  for (const { path, before, changes: own } of changedFiles(changes)) {
    // Where every change is a rename, the text is the same.
    if (own.every(({ to }) => to !== undefined)) continue;
    const [was, is] = await Promise.all([
      ledger.contentOf(before),
      readContent(ledger.workspace, path).catch(() => undefined),
    ]);
    if (was === "lost" || !isShowable(was) || !isShowable(is) || (was === undefined && is === undefined)) continue;
    const file = vscode.Uri.file(path);
    const query = before && `${chat}/${before.as}/${before.hash}`;
    // The address contains the file's path, because VS Code shows another path as a rename.
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
