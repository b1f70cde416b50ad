/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { systemClock } from "../base/systemClock";
import { type Disposable, DisposableStore } from "../base/disposable";
import { WorkerChatIndex } from "../chat/index/workerChatIndex";
import { ImageFolder } from "../chat/sessions/imageFolder";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import { createWorkspaceFiles } from "../vscode/workspaceFiles";
import type { AttachmentPorts } from "../vscode/attachmentHandlers";
import { createCodeProposals } from "../vscode/applyCode";
import { createChatFileActions } from "../vscode/chatFileActions";
import { registerChatCommands } from "../vscode/chatCommands";
import { createChatHandlers } from "../vscode/chatHandlers";
import { submitFromChat } from "../vscode/chatJobs";
import { createChatMedia } from "../vscode/chatMedia";
import { tellUnstored } from "../vscode/chatNotices";
import { ChatPanel } from "../vscode/chatPanel";
import { createPanelStatus } from "../vscode/panelStatus";
import { RecentChats } from "../vscode/recentChats";
import { createProposalDocuments } from "../vscode/proposalDocuments";
import { createReportDocuments } from "../vscode/reportDocuments";
import type { TaskDraft } from "../vscode/submit/taskDraft";
import type { StoragePaths, TasksPart } from "./mountTasks";

export interface ChatPart {
  readonly panel: ChatPanel;
}

export async function mountChat(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  { app, access, connections, dialogs, log, translations }: TasksPart,
  storage: StoragePaths,
  submit: (draft: TaskDraft) => Promise<void>,
): Promise<ChatPart> {
  const chats = await app.openChats();
  const session = chats.shown;
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const proposals = mounted.add(createProposalDocuments("sluice-proposal"));
  const code = mounted.add(createCodeProposals(dialogs));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const folder = new SessionFolder(storage.chats);
  const recent = mounted.add(new RecentChats(session, folder));
  const panelStatus = mounted.add(createPanelStatus(connections, app.models, chats, recent.list));
  const refreshConnection = (): void => void connections.refresh();
  const images = ImageFolder.beside(storage.chats);
  const workspace = createWorkspaceFiles();
  const attachments: AttachmentPorts = { session, images, workspace, tell: (message) => panel.tell(message) };
  const resultsFolder = (): string => access.settings.resultsFolder();
  const media = createChatMedia({ session, dialogs, resultsFolder, post: (message) => panel.showMedia(message) });
  const panel: ChatPanel = mounted.add(
    new ChatPanel({
      extensionUri,
      session,
      chats,
      status: panelStatus.status,
      clock: systemClock,
      log,
      results: vscode.Uri.file(storage.results),
      board: app.board,
      handlers: createChatHandlers({
        ...attachments,
        chats,
        connections,
        dialogs,
        proposals,
        reports,
        code,
        media,
        submitTask: (text) => submitFromChat({ chats, submit, clear: (known) => panel.clear(known) }, text),
        refreshConnection,
        onRefused: panelStatus.repeat,
      }),
      translations,
    }),
  );
  mounted.add(tellUnstored(chats));
  const index = mounted.add(openIndex(extensionUri, storage));
  const actions = createChatFileActions(chats, folder, () => recent.refresh());
  const { models } = app;
  const shared = { session, models, panel, dialogs, reports, chats, actions, index, attachments };
  mounted.add(registerChatCommands({ ...shared, clock: systemClock }));
  return { panel };
}

function openIndex(extensionUri: vscode.Uri, { chatIndex, chats }: StoragePaths): WorkerChatIndex & Disposable {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath;
  const index = new WorkerChatIndex({ program, path: chatIndex, sessions: chats });
  return Object.assign(index, { dispose: () => void index.close().catch(() => undefined) });
}
