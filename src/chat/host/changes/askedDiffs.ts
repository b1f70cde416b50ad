/** The diffs that *Open Diff* opens of what a question would change. That of a question about one change answers it: *Allow* and *Don't Allow* in its title (A3). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import type { ChatSession } from "../../session/session";
import { type Chat, type ToolCallBlock, toolCalls } from "../../../domain/chat/chat";
import type { ProposedChange } from "../../../domain/tools/tool";
import { describeAction, describeReasons } from "../../../domain/words/describeTool";
import { commands, contextKeys } from "../../../vscode/ids";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { setContext } from "../../../vscode/interface/runCommand";
import { askBefore, notifyInformation } from "../../../vscode/interface/show";
import { createProposalDocuments, emptySideOf } from "./proposalDocuments";

/** What a diff is opened of, and by which it is answered. */
type AskingSession = Pick<ChatSession, "approvals" | "chat" | "onDidEmit">;

export interface AskedDiffs extends Disposable {
  /** `call`: of a question about several changes, the one of that call. Does nothing where the question no longer waits. */
  open(session: AskingSession, approval: string, call?: string): Promise<void>;
  /**
   * Closes the diffs of a question that is being answered, once its calls have ended: with the diff VS Code closes the document of the file, which
   * the call would then fail to save.
   */
  closeAfter(session: AskingSession, approval: string): void;
}

/** Milliseconds before the buttons are there: the second half of a double click on those of the diff before has no effect. */
const settling = 500;

const scheme = "sluice-proposal";

interface AskedDiff {
  readonly session: AskingSession;
  readonly approval: string;
  readonly change: ProposedChange;
}

export function createAskedDiffs(dialogs: Dialogs, clock: Clock): AskedDiffs {
  const store = new DisposableStore();
  const documents = store.add(createProposalDocuments(scheme));
  const title = store.add(new DiffTitles(clock));
  const closeAfter: AskedDiffs["closeAfter"] = (session, approval) => {
    const calls = new Set(waitingCalls(session.chat, approval).map(({ call }) => call));
    const close = (): void => {
      if (hasOpenCall(session.chat, calls)) return;
      listening.dispose();
      void documents.close(approval);
    };
    const listening = store.add(session.onDidEmit(close));
  };
  const decide = async (uri: unknown, allow: boolean): Promise<void> => {
    const asked = title.askedIn(uri);
    if (asked === undefined || (allow && !(await isAllowed(asked)))) return;
    const { session, approval } = asked;
    if (!session.approvals.has(approval)) {
      void notifyInformation(t("This question no longer waits for an answer."));
      return;
    }
    closeAfter(session, approval);
    session.approvals.decide(approval, { allow });
  };
  store.add(dialogs.register(commands.allowChange, (uri) => decide(uri, true)));
  store.add(dialogs.register(commands.refuseChange, (uri) => decide(uri, false)));
  return {
    async open(session, approval, call) {
      const change = session.approvals.changeOf(approval, call);
      if (change === undefined) return;
      const id = call === undefined ? approval : `${approval} ${call}`;
      if (session.approvals.hasOneChange(approval)) title.add(id, { session, approval, change });
      const { file, before, after, preview } = change;
      await documents.open(id, { file: vscode.Uri.file(file), after, isNew: before === "", path: preview.path });
    },
    closeAfter,
    dispose: () => store.dispose(),
  };
}

/** Which of the diffs that are in view can be answered, also for the menu of their titles. */
class DiffTitles implements Disposable {
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #closed = new AbortController();
  /** The diffs by the query of their documents. */
  readonly #asked = new Map<string, AskedDiff>();
  /** Those in view by the address of the proposal, each with whether it is there long enough that a press is meant for it. */
  readonly #inView = new Map<string, { readonly asked: AskedDiff; isSettled: boolean }>();
  #listed = "[]";

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#update()));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#update()));
    this.#store.add({ dispose: () => this.#closed.abort() });
  }

  add(id: string, asked: AskedDiff): void {
    if (this.#asked.has(id)) return;
    this.#asked.set(id, asked);
    const listening = this.#store.add(
      asked.session.approvals.onDidEnd((ended) => {
        if (ended !== asked.approval) return;
        listening.dispose();
        this.#asked.delete(id);
        this.#update();
      }),
    );
  }

  /** What the diff asks: that of the proposal's address, which a menu passes, else the active one. `undefined` where it has no buttons. */
  askedIn(uri: unknown): AskedDiff | undefined {
    this.#update();
    const address = uri instanceof vscode.Uri ? uri : diffIn(vscode.window.tabGroups.activeTabGroup)?.modified;
    const shown = this.#inView.get(String(address));
    return shown?.isSettled === true ? shown.asked : undefined;
  }

  #update(): void {
    const now = new Map<string, AskedDiff>();
    for (const group of vscode.window.tabGroups.all) {
      const diff = diffIn(group);
      const asked = diff && this.#asked.get(diff.modified.query);
      if (asked && isWhole(diff, asked.change)) now.set(diff.modified.toString(), asked);
    }
    for (const address of this.#inView.keys()) if (!now.has(address)) this.#inView.delete(address);
    for (const [address, asked] of now) if (!this.#inView.has(address)) this.#settle(address, asked);
    this.#list();
  }

  #settle(address: string, asked: AskedDiff): void {
    const shown = { asked, isSettled: false };
    this.#inView.set(address, shown);
    const settled = (): void => {
      shown.isSettled = true;
      this.#list();
    };
    this.#clock.delay(settling, this.#closed.signal).then(settled, () => undefined);
  }

  #list(): void {
    const addresses = [...this.#inView].flatMap(([address, { isSettled }]) => (isSettled ? [address] : []));
    const listed = JSON.stringify(addresses);
    if (listed === this.#listed) return;
    this.#listed = listed;
    void setContext(contextKeys.askedDiffs, addresses);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The diff of a proposal that the group shows. */
function diffIn({ activeTab }: vscode.TabGroup): vscode.TabInputTextDiff | undefined {
  const input = activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme ? input : undefined;
}

/** Whether the diff shows the whole change: beside the file itself, or beside the empty side where the file has no text. */
function isWhole({ original, modified }: vscode.TabInputTextDiff, { file, before }: ProposedChange): boolean {
  const expected = before === "" ? emptySideOf(modified) : vscode.Uri.file(file);
  return original.toString() === expected.toString();
}

/** A diff shows neither why a question asks nor, by default, a change of blanks at the ends of lines: where there is that, the person is asked with it. */
async function isAllowed({ session, approval, change }: AskedDiff): Promise<boolean> {
  const [block] = waitingCalls(session.chat, approval);
  if (block?.progress.state !== "waiting") return true;
  const { action } = block.progress;
  const { reasons, after } = block.progress.approval;
  const details = [
    ...(after === undefined ? [] : [t("The model has read {0}, which others may have written.", after)]),
    ...(isMarkedWhole(change) ? [] : [t("The diff does not mark lines in which only blanks at the ends change.")]),
  ];
  const isPlain = reasons.length === 1 && reasons[0] === "writes-file";
  if (isPlain && details.length === 0) return true;
  const question = t("Approval needed: {0} ({1})", describeAction(action), describeReasons(reasons));
  return askBefore(question, t("Allow"), details.length === 0 ? undefined : details.join(" "));
}

function waitingCalls(chat: Chat, approval: string): readonly ToolCallBlock[] {
  return callsOf(chat).filter(({ progress }) => progress.state === "waiting" && progress.approval.id === approval);
}

function hasOpenCall(chat: Chat, calls: ReadonlySet<string>): boolean {
  const open = new Set<ToolCallBlock["progress"]["state"]>(["ready", "waiting", "running"]);
  return callsOf(chat).some(({ call, progress }) => calls.has(call) && open.has(progress.state));
}

/** The calls of the last answer: no other one can ask. */
function callsOf({ entries }: Chat): readonly ToolCallBlock[] {
  const answer = entries.findLast((entry) => entry.type === "answer");
  return answer === undefined ? [] : [...toolCalls(answer)];
}

function isMarkedWhole({ preview }: ProposedChange): boolean {
  if (vscode.workspace.getConfiguration("diffEditor").get("ignoreTrimWhitespace") === false) return true;
  return preview.hunks.every(({ lines }) => {
    const removed = linesOf(lines, "-");
    const former = new Set(removed);
    const trimmed = new Set(removed.map((line) => line.trim()));
    return linesOf(lines, "+").every((line) => former.has(line) || line.trim() === "" || !trimmed.has(line.trim()));
  });
}

function linesOf(lines: readonly string[], mark: string): readonly string[] {
  return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
}
