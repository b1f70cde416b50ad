/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { systemClock } from "../base/async/systemClock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { GrantRules } from "../chat/guard/grantRules";
import type { ChangeLedgers } from "../chat/ledger/changeLedgers";
import { LedgerFolder } from "../chat/ledger/ledgerFolder";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import { ImageFolder } from "../chat/sessions/imageFolder";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import { createWorkspaceFiles } from "../vscode/workspace/workspaceFiles";
import type { AttachmentPorts } from "../vscode/chat/context/attachmentHandlers";
import { type CodeProposals, createCodeProposals } from "../vscode/chat/changes/applyCode";
import type { EditorIntent } from "../protocol/chatPageContract";
import type { Handlers } from "../protocol/pageContract";
import { ChatChanges } from "../vscode/chat/changes/chatChanges";
import { serveFormerTexts } from "../vscode/chat/changes/changedFiles";
import { createShownChanges } from "../vscode/chat/changes/shownChanges";
import { createChatFileActions } from "../vscode/chat/chatFileActions";
import { registerChatCommands } from "../vscode/chat/chatCommands";
import { createChatHandlers } from "../vscode/chat/page/chatHandlers";
import { submitFromChat } from "../vscode/chat/page/submitFromChat";
import { createChatMedia } from "../vscode/chat/page/chatMedia";
import { tellUnstored } from "../vscode/chat/page/chatNotices";
import { ChatView } from "../vscode/chat/chatView";
import { createParticipant } from "../vscode/integrations/chatParticipant";
import { ChatTabs, type ChatTabsPorts } from "../vscode/chat/chatTabs";
import { generateCommitMessage } from "../vscode/integrations/commitMessage";
import { showFirst } from "../vscode/gateway/connectionState";
import { commands, contextKeys, focusChat } from "../vscode/ids";
import { createChatPageStatus } from "../vscode/chat/page/chatPageStatus";
import { RecentChats } from "../vscode/chat/recentChats";
import { type AskedDiffs, createAskedDiffs } from "../vscode/chat/changes/askedDiffs";
import { createReportDocuments, type ReportDocuments } from "../vscode/interface/reportDocuments";
import { runCommand, setContext } from "../vscode/interface/runCommand";
import { ChatPage } from "../vscode/chat/page/chatPage";
import type { TaskDraft } from "../vscode/tasks/submit/draft/taskDraft";
import type { StoragePaths, TasksPart } from "./mountTasks";
import { openChatIndex } from "./openChatIndex";

export interface ChatPart {
  readonly view: ChatView;
  /** Fills a tab that VS Code kept over a reload of the window. */
  readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Answers a prompt to `@sluice`. */
  readonly answer: vscode.ChatRequestHandler;
}

export async function mountChat(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  part: TasksPart,
  storage: StoragePaths,
  submit: (draft: TaskDraft) => Promise<void>,
): Promise<ChatPart> {
  const { app, dialogs, log } = part;
  const { models } = app;
  const loaded = Promise.all([app.openChats(), app.openRules(), app.openLedgers(), part.loadChosenTools()]);
  const [chats, rules, ledgers, tools] = await loaded;
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const diffs = mounted.add(createAskedDiffs(dialogs, systemClock));
  const code = mounted.add(createCodeProposals(dialogs));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const kept = LedgerFolder.beside(storage.chats);
  const folder = new SessionFolder(storage.chats, (id) => kept.forget(id));
  const recent = mounted.add(new RecentChats(chats.shown, folder));
  mounted.add(showFirst(contextKeys.hasChats, () => recent.list.current.length > 0, recent.list.onDidChange));
  const images = ImageFolder.beside(storage.chats);
  const workspace = createWorkspaceFiles();
  const attachmentsOf = (page: ChatPage): AttachmentPorts => {
    return { session: page.chat.session, images, workspace, post: (message) => page.postLater(message) };
  };
  mounted.add(serveFormerTexts(ledgers));
  const shown = mounted.add(createShownChanges(dialogs));
  const changesOf = (page: ChatPage): ChatChanges =>
    new ChatChanges({ ledgers, chat: page.chat, code, shown, insert: (text) => page.insert(text) });
  const results = vscode.Uri.file(storage.results);
  const createPage = pagesOver({
    ...{ extensionUri, part, chats, ledgers, rules, recent, diffs, reports, code, clock: systemClock, submit },
    ...{ results, attachmentsOf, changesOf },
    showIn: async (page, id) => {
      if (!(await tabs.showIn(page, id))) recent.refresh();
    },
  });
  const focusView = (): Promise<void> => runCommand(focusChat);
  const tabs: ChatTabs = mounted.add(new ChatTabs({ extensionUri, chats, focusView, createPage }));
  const view = mounted.add(new ChatView(tabs.view, chats, part.chatInView));
  mounted.add(tellUnstored(chats));
  mounted.add(watchChats(chats));
  const index = mounted.add(openChatIndex(extensionUri, storage, log));
  const actions = createChatFileActions(chats, folder, () => recent.refresh());
  mounted.add(
    registerChatCommands({
      tabs,
      models,
      dialogs,
      reports,
      chats,
      rules,
      tools,
      actions,
      index,
      clock: systemClock,
      changesOf,
      attachmentsOf,
    }),
  );
  const restoreTab: ChatPart["restoreTab"] = (tab, state) =>
    tabs.restore(tab, state).catch((failure: unknown) => dialogs.showFailure(failure, "read"));
  return { view, restoreTab, answer: mountDoors(part, mounted) };
}

/** What other places of VS Code ask: its own chat, and source control. In this part, for it shares most of its code with the chat. */
function mountDoors(
  { app, connections, dialogs, log }: TasksPart,
  mounted: DisposableStore,
): vscode.ChatRequestHandler {
  const ports = { connections, models: app.models, dialogs, log };
  mounted.add(dialogs.register(commands.generateCommitMessage, (...args) => generateCommitMessage(ports, args)));
  return createParticipant(ports);
}

/** For the `when` clauses of *Stop Answer* and *Focus Waiting Approval*. */
function watchChats(chats: ChatSessions): Disposable {
  const shown = { isRunning: false, isWaiting: false };
  const update = (): void => {
    const sessions = [...chats.open.values()].map(({ session }) => session);
    const now = {
      isRunning: sessions.some(({ isRunning }) => isRunning),
      isWaiting: sessions.some(({ approvals }) => approvals.count > 0),
    };
    for (const key of ["isRunning", "isWaiting"] as const)
      if (now[key] !== shown[key]) void setContext(contextKeys[key], (shown[key] = now[key]));
  };
  update();
  return chats.onDidChange(update);
}

interface ChatPageParts {
  readonly extensionUri: vscode.Uri;
  readonly part: TasksPart;
  readonly chats: ChatSessions;
  readonly ledgers: ChangeLedgers;
  readonly rules: GrantRules;
  readonly recent: RecentChats;
  readonly diffs: AskedDiffs;
  readonly reports: ReportDocuments;
  readonly code: CodeProposals;
  readonly clock: typeof systemClock;
  readonly submit: (draft: TaskDraft) => Promise<void>;
  /** The folder of results on this machine. */
  readonly results: vscode.Uri;
  readonly attachmentsOf: (page: ChatPage) => AttachmentPorts;
  readonly changesOf: (page: ChatPage) => ChatChanges;
  /** Shows another chat in a page. */
  readonly showIn: (page: ChatPage, id: string) => Promise<unknown>;
}

/** Makes the page of a chat, in the side bar or a tab. */
function pagesOver(parts: ChatPageParts): ChatTabsPorts["createPage"] {
  const { extensionUri, chats, ledgers, rules, recent, diffs, reports, code, clock, submit, results } = parts;
  const { app, services, connections, dialogs, log, translations, scaler } = parts.part;
  const { models, board } = app;
  return (chat, reveal, onFocus) => {
    const status = createChatPageStatus(connections, models, chat, recent.list, ledgers, rules, clock);
    const handlers = (page: ChatPage): Handlers<EditorIntent> =>
      createChatHandlers({
        ...{ chat, rules, connections, models, dialogs, diffs, reports, code },
        refreshConnection: () => void connections.refresh().then(() => models.retry()),
        changes: parts.changesOf(page),
        moveCommand: (id) => app.moveCommand(id),
        media: createChatMedia({
          session: chat.session,
          dialogs,
          resultsFolder: () => services.settings.resultsFolder(),
          post: (message) => page.showMedia(message),
          scaler,
        }),
        submitTask: (text) =>
          submitFromChat(
            {
              ...{ chats, chat, submit, clear: (known) => page.clear(known) },
              focus: () => void page.reveal().then(() => page.focusComposer()),
            },
            text,
          ),
        ...parts.attachmentsOf(page),
        showChat: async (id) => {
          await parts.showIn(page, id);
        },
        onRefused: status.repeat,
      });
    const ports = { extensionUri, chat, status, clock, log, results, board, handlers, translations, scaler };
    return new ChatPage(ports, reveal, onFocus);
  };
}
