/** The diffs that *Open Diff* opens to show the proposed changes of a question. The person answers the question in the bar of the chat (A3). */
import * as vscode from "vscode";
import type { Disposable } from "../../../base/disposable";
import type { ChatSession } from "../../session/session";
import { type Chat, type ToolCallBlock, toolCalls } from "../../../domain/chat/chat";
import { createProposalDocuments } from "./proposalDocuments";

/** The part of a session that asks before a change. */
type AskingSession = Pick<ChatSession, "approvals" | "chat" | "onDidEmit">;

export interface AskedDiffs extends Disposable {
  /** Opens the diff of a change that a question proposes; `call` chooses one of several. Does nothing where the question no longer waits. */
  open(session: AskingSession, approval: string, call?: string): Promise<void>;
  /**
   * Closes the diffs of a question that is being answered, once its calls have ended. VS Code closes the document of the file together with the diff,
   * and a running call would then fail to save it.
   */
  closeAfter(session: AskingSession, approval: string): void;
}

export function createAskedDiffs(): AskedDiffs {
  const documents = createProposalDocuments();
  return {
    async open(session, approval, call) {
      const change = session.approvals.changeOf(approval, call);
      if (change === undefined) return;
      const id = call === undefined ? approval : `${approval} ${call}`;
      const { file, before, after, preview } = change;
      await documents.open(id, { file: vscode.Uri.file(file), after, isNew: before === "", path: preview.path });
    },
    closeAfter(session, approval) {
      const calls = new Set(waitingCalls(session.chat, approval).map(({ call }) => call));
      const close = (): void => {
        if (hasOpenCall(session.chat, calls)) return;
        listening.dispose();
        void documents.close(approval);
      };
      const listening = session.onDidEmit(close);
    },
    dispose: () => documents.dispose(),
  };
}

function waitingCalls(chat: Chat, approval: string): readonly ToolCallBlock[] {
  return callsOf(chat).filter(({ progress }) => progress.state === "waiting" && progress.approval.id === approval);
}

function hasOpenCall(chat: Chat, calls: ReadonlySet<string>): boolean {
  const open = new Set<ToolCallBlock["progress"]["state"]>(["ready", "waiting", "running"]);
  return callsOf(chat).some(({ call, progress }) => calls.has(call) && open.has(progress.state));
}

/** The calls of the last answer, because only these can ask. */
function callsOf({ entries }: Chat): readonly ToolCallBlock[] {
  const answer = entries.findLast((entry) => entry.type === "answer");
  return answer === undefined ? [] : [...toolCalls(answer)];
}
