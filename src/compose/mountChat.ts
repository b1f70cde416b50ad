/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { systemClock } from "../base/systemClock";
import { type Disposable, DisposableStore } from "../base/disposable";
import { WorkerChatIndex } from "../chat/index/workerChatIndex";
import { ImageFolder } from "../chat/sessions/imageFolder";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import type { Log } from "../domain/ports";
import { createWorkspaceFiles } from "../vscode/workspaceFiles";
import type { AttachmentPorts } from "../vscode/attachmentHandlers";
import { createCodeProposals } from "../vscode/applyCode";
import type { EditorIntent, Handlers } from "../protocol/panelMessages";
import { createChatFileActions } from "../vscode/chatFileActions";
import { registerChatCommands } from "../vscode/chatCommands";
import { createChatHandlers } from "../vscode/chatHandlers";
import { submitFromChat } from "../vscode/chatJobs";
import { createChatMedia } from "../vscode/chatMedia";
import { tellUnstored } from "../vscode/chatNotices";
import { ChatPanel } from "../vscode/chatPanel";
import { ChatTabs, type ChatTabsPorts } from "../vscode/chatTabs";
import { focusChat } from "../vscode/ids";
import { createPanelStatus } from "../vscode/panelStatus";
import { RecentChats } from "../vscode/recentChats";
import { createProposalDocuments } from "../vscode/proposalDocuments";
import { createReportDocuments } from "../vscode/reportDocuments";
import { runCommand } from "../vscode/runCommand";
import { ShownChatPage } from "../vscode/shownChatPage";
import type { TaskDraft } from "../vscode/submit/taskDraft";
import type { StoragePaths, TasksPart } from "./mountTasks";

export interface ChatPart {
  readonly panel: ChatPanel;
  /** Fills a tab that VS Code kept over a reload of the window. */
  readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
}

export async function mountChat(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  { app, access, connections, dialogs, log, translations }: TasksPart,
  storage: StoragePaths,
  submit: (draft: TaskDraft) => Promise<void>,
): Promise<ChatPart> {
  const { models, board } = app;
  const chats = await app.openChats();
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const proposals = mounted.add(createProposalDocuments("sluice-proposal"));
  const code = mounted.add(createCodeProposals(dialogs));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const folder = new SessionFolder(storage.chats);
  const recent = mounted.add(new RecentChats(chats.shown, folder));
  const refreshConnection = (): void => void connections.refresh();
  const resultsFolder = (): string => access.settings.resultsFolder();
  const clock = systemClock;
  const images = ImageFolder.beside(storage.chats);
  const workspace = createWorkspaceFiles();
  const attachmentsOf = (page: ShownChatPage): AttachmentPorts => {
    return { session: page.chat.shown, images, workspace, tell: (message) => page.tell(message) };
  };
  const results = vscode.Uri.file(storage.results);
  const createPage: ChatTabsPorts["createPage"] = (chat, reveal, onFocus) => {
    const status = createPanelStatus(connections, models, chat, recent.list);
    const handlers = (page: ShownChatPage): Handlers<EditorIntent> =>
      createChatHandlers({
        ...{ chat, connections, dialogs, proposals, reports, code, refreshConnection },
        moveCommand: (id) => app.moveCommand(id),
        media: createChatMedia({
          session: chat.shown,
          dialogs,
          resultsFolder,
          post: (message) => page.showMedia(message),
        }),
        submitTask: (text) => submitFromChat({ chats, chat, submit, clear: (known) => page.clear(known) }, text),
        ...attachmentsOf(page),
        showChat: (id) => tabs.showIn(page, id),
        onRefused: status.repeat,
      });
    const ports = { extensionUri, chat, status, clock, log, results, board, handlers, translations };
    return new ShownChatPage(ports, reveal, onFocus);
  };
  const focusView = (): Promise<void> => runCommand(focusChat);
  const tabs: ChatTabs = mounted.add(new ChatTabs({ extensionUri, chats, focusView, createPage }));
  const panel = mounted.add(new ChatPanel(tabs.view, chats));
  mounted.add(tellUnstored(chats));
  const index = mounted.add(openIndex(extensionUri, storage, log));
  const actions = createChatFileActions(chats, folder, () => recent.refresh());
  mounted.add(registerChatCommands({ tabs, models, dialogs, reports, chats, actions, index, clock, attachmentsOf }));
  const restoreTab: ChatPart["restoreTab"] = (tab, state) =>
    tabs.restore(tab, state).catch((failure: unknown) => dialogs.showFailure(failure, "read"));
  return { panel, restoreTab };
}

function openIndex(
  extensionUri: vscode.Uri,
  { chatIndex, chats }: StoragePaths,
  log: Log,
): WorkerChatIndex & Disposable {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath;
  const index = new WorkerChatIndex({ program, path: chatIndex, sessions: chats, log });
  return Object.assign(index, { dispose: () => void index.close().catch(() => undefined) });
}
