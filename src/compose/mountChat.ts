/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { systemClock } from "../base/systemClock";
import { DisposableStore } from "../base/disposable";
import { WorkerChatIndex } from "../chat/index/workerChatIndex";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import { createCodeProposals } from "../vscode/applyCode";
import type { EditorIntent, Handlers } from "../protocol/panelMessages";
import { createChatFileActions } from "../vscode/chatFileActions";
import { registerChatCommands } from "../vscode/chatCommands";
import { createChatHandlers } from "../vscode/chatHandlers";
import { tellUnstored } from "../vscode/chatNotices";
import { ChatPanel } from "../vscode/chatPanel";
import { ChatTabs } from "../vscode/chatTabs";
import { focusChat } from "../vscode/ids";
import { createPanelStatus } from "../vscode/panelStatus";
import { createProposalDocuments } from "../vscode/proposalDocuments";
import { createReportDocuments } from "../vscode/reportDocuments";
import { runCommand } from "../vscode/runCommand";
import { ShownChatPage } from "../vscode/shownChatPage";
import type { StoragePaths, TasksPart } from "./mountTasks";

export interface ChatPart {
  readonly panel: ChatPanel;
  /** Fills a tab that VS Code kept over a reload of the window. */
  readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
}

export async function mountChat(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  { app, connections, dialogs, log, translations }: TasksPart,
  storage: StoragePaths,
): Promise<ChatPart> {
  const chats = await app.openChats();
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const proposals = mounted.add(createProposalDocuments("sluice-proposal"));
  const code = mounted.add(createCodeProposals(dialogs));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const refreshConnection = (): void => void connections.refresh();
  const tabs = mounted.add(
    new ChatTabs({
      extensionUri,
      chats,
      focusView: () => runCommand(focusChat),
      createPage(chat, reveal, onFocus) {
        const status = createPanelStatus(connections, app.models, chat);
        const shared = { chat, connections, dialogs, proposals, reports, code, refreshConnection };
        const handlers = (page: ShownChatPage): Handlers<EditorIntent> =>
          createChatHandlers({
            ...shared,
            showFiles: (query, paths) => page.showFiles(query, paths),
            onRefused: status.repeat,
          });
        const ports = { extensionUri, chat, status, clock: systemClock, log, handlers, translations };
        return new ShownChatPage(ports, reveal, onFocus);
      },
    }),
  );
  const panel = mounted.add(new ChatPanel(tabs.view, chats));
  mounted.add(tellUnstored(chats));
  const folder = new SessionFolder(storage.chats);
  const index = openIndex(extensionUri, storage);
  mounted.add({ dispose: () => void index.close().catch(() => undefined) });
  const actions = createChatFileActions(chats, folder);
  mounted.add(
    registerChatCommands({
      tabs,
      models: app.models,
      dialogs,
      reports,
      chats,
      actions,
      index,
      clock: systemClock,
    }),
  );
  const restoreTab: ChatPart["restoreTab"] = async (tab, state) => {
    try {
      await tabs.restore(tab, state);
    } catch (failure) {
      await dialogs.showFailure(failure, "read");
    }
  };
  return { panel, restoreTab };
}

function openIndex(extensionUri: vscode.Uri, { chatIndex, chats }: StoragePaths): WorkerChatIndex {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath;
  return new WorkerChatIndex({ program, path: chatIndex, sessions: chats });
}
