/** The part that is loaded with the chat's first use: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { systemClock } from "../base/async/systemClock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { GrantRules } from "../chat/guard/grantRules";
import type { BackgroundProcesses } from "../tools/command/backgroundProcesses";
import type { ChangeLedgers } from "../chat/ledger/changeLedgers";
import { LedgerFolder } from "../chat/ledger/ledgerFolder";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import { ImageFolder } from "../chat/sessions/imageFolder";
import { SessionFolder } from "../chat/sessions/sessionFolder";
import { createWorkspaceFiles } from "../vscode/workspace/workspaceFiles";
import { PromptFiles } from "../vscode/chat/context/promptFiles";
import type { AttachmentPorts } from "../vscode/chat/context/attachmentHandlers";
import { type CodeProposals, createCodeProposals } from "../vscode/chat/changes/applyCode";
import type { EditorIntent } from "../protocol/chatPageContract";
import type { Handlers } from "../protocol/pageContract";
import { ChatChanges } from "../vscode/chat/changes/chatChanges";
import { serveFormerTexts } from "../vscode/chat/changes/changedFiles";
import { createPlanDocuments, type PlanDocuments } from "../vscode/chat/modes/planDocuments";
import { PlanFiles } from "../vscode/chat/modes/planFiles";
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
import { WorkingChats } from "../vscode/chat/workingChats";
import { type AskedDiffs, createAskedDiffs } from "../vscode/chat/changes/askedDiffs";
import { createReportDocuments, type ReportDocuments } from "../vscode/interface/reportDocuments";
import { withFocusBack } from "../vscode/interface/focusBack";
import { runCommand, setContext } from "../vscode/interface/runCommand";
import { ChatPage } from "../vscode/chat/page/chatPage";
import type { EditSelectionPorts } from "../vscode/chat/changes/editSelection";
import { once } from "../base/async/once";
import { chooseAction } from "../vscode/tasks/commands/moreActions";
import type { TaskDraft } from "../vscode/tasks/submit/draft/taskDraft";
import type { StoragePaths, TasksPart } from "./mountTasks";
import { openChatIndex } from "./openChatIndex";
import { improvement } from "../vscode/tasks/submit/prompts/improvePrompt";

export interface ChatPart {
  readonly view: ChatView;
  /** Fills a tab that VS Code kept over a reload of the window. */
  readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Answers a prompt to `@sluice`. */
  readonly answer: vscode.ChatRequestHandler;
  /** The documents of plans. */
  readonly plans: PlanFiles;
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
  const background = await app.openBackground();
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const diffs = mounted.add(createAskedDiffs(dialogs, systemClock));
  const code = mounted.add(createCodeProposals(dialogs));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const kept = LedgerFolder.beside(storage.chats);
  const folder = new SessionFolder(storage.chats, (id) => kept.forget(id));
  const recent = mounted.add(new RecentChats(chats.shown, folder, chats));
  mounted.add(showFirst(contextKeys.hasChats, () => recent.list.current.length > 0, recent.list.onDidChange));
  const images = ImageFolder.beside(storage.chats);
  const workspace = createWorkspaceFiles();
  const prompts = mounted.add(new PromptFiles(storage.prompts, workspace));
  const attachmentsOf = (page: ChatPage): AttachmentPorts => {
    return { session: page.chat.session, images, workspace, post: (message) => page.postLater(message) };
  };
  mounted.add(serveFormerTexts(ledgers));
  const shown = mounted.add(createShownChanges(dialogs));
  const changesOf = (page: ChatPage): ChatChanges =>
    new ChatChanges({ ledgers, chat: page.chat, code, shown, insert: (id, text) => page.insertBefore(text, id) });
  const results = vscode.Uri.file(storage.results);
  const files = new PlanFiles(chats);
  const plans = mounted.add(
    createPlanDocuments({
      ...{ files, dialogs, clock: systemClock },
      showChat: (id) => tabs.showIn(tabs.view, id),
    }),
  );
  const createPage = pagesOver({
    ...{ extensionUri, part, chats, ledgers, rules, background, recent, diffs, reports, code, submit },
    ...{ clock: systemClock, results, attachmentsOf, changesOf, plans, prompts },
    showIn: async (page, id) => {
      if (!(await tabs.showIn(page, id))) recent.refresh();
    },
  });
  const focusView = (): Promise<void> => runCommand(focusChat);
  const tabs: ChatTabs = mounted.add(new ChatTabs({ extensionUri, chats, focusView, createPage }));
  const view = mounted.add(new ChatView(tabs.view, chats, part.chatInView));
  const working = mounted.add(watchWorking(part, chats, tabs));
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
      sandbox: () => app.sandbox(),
      tools,
      actions,
      index,
      prompts,
      working,
      prices: () => part.services.settings.prices(),
      clock: systemClock,
      changesOf,
      attachmentsOf,
    }),
  );
  const restoreTab: ChatPart["restoreTab"] = (tab, state) =>
    tabs.restore(tab, state).catch((failure: unknown) => dialogs.showFailure(failure, "read"));
  mountEdits({ ...part, ledgers, chat: () => chats.shown.current.chat.id }, mounted);
  return { view, restoreTab, answer: mountDoors(part, mounted), plans: files };
}

function watchWorking({ services, chatInView }: TasksPart, chats: ChatSessions, tabs: ChatTabs): WorkingChats {
  const { settings } = services;
  return new WorkingChats({
    chats,
    isSeen: (id) => tabs.isSeen(id),
    seen: [tabs.onDidChangeSeen, chatInView.onDidChange],
    show: (id) => tabs.showIn(tabs.view, id),
    level: () => settings.get("notifications"),
    mute: () => settings.muteNotifications(),
  });
}

/** *Edit Selection*; its code is loaded with the first use. */
function mountEdits(
  { app, connections, dialogs, log, ledgers, chat }: TasksPart & Pick<EditSelectionPorts, "chat" | "ledgers">,
  mounted: DisposableStore,
): void {
  const edits = once(async () => {
    const { SelectionEdits } = await import("../vscode/chat/changes/editSelection");
    const ports = { connections, models: app.models, dialogs, log, clock: systemClock, ledgers, chat };
    return mounted.add(new SelectionEdits(ports));
  });
  mounted.add(dialogs.register(commands.editSelection, async (...args) => (await edits()).begin(args)));
  const improve = async (place: unknown): Promise<void> => {
    const asked = await improvement(place);
    if (asked) await (await edits()).begin(asked);
  };
  mounted.add(dialogs.register(commands.improvePrompt, improve));
  mounted.add(dialogs.register(commands.documentCode, async (uri, range) => (await edits()).document(uri, range)));
  mounted.add(dialogs.register(commands.acceptEdit, async (uri) => (await edits()).accept(uri)));
  mounted.add(dialogs.register(commands.discardEdit, async (uri) => (await edits()).discard(uri)));
  mounted.add(dialogs.register(commands.sayMoreToEdit, async (uri) => (await edits()).sayMore(uri)));
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
      isWaiting: sessions.some(({ waitingCount }) => waitingCount > 0),
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
  readonly background: BackgroundProcesses;
  readonly recent: RecentChats;
  readonly diffs: AskedDiffs;
  readonly reports: ReportDocuments;
  readonly code: CodeProposals;
  readonly clock: typeof systemClock;
  readonly submit: (draft: TaskDraft) => Promise<void>;
  /** The folder of results on this machine. */
  readonly results: vscode.Uri;
  readonly prompts: PromptFiles;
  readonly attachmentsOf: (page: ChatPage) => AttachmentPorts;
  readonly changesOf: (page: ChatPage) => ChatChanges;
  readonly plans: PlanDocuments;
  /** Shows another chat in a page. */
  readonly showIn: (page: ChatPage, id: string) => Promise<unknown>;
}

/** Makes the page of a chat, in the side bar or a tab. */
function pagesOver(parts: ChatPageParts): ChatTabsPorts["createPage"] {
  const { extensionUri, chats, ledgers, rules, background, recent, diffs, reports, code, clock } = parts;
  const { submit, results, prompts } = parts;
  const { app, services, connections, dialogs, log, translations, scaler } = parts.part;
  const { models, board } = app;
  return (chat, reveal, onFocus) => {
    const { settings } = services;
    const focus = (page: ChatPage): void => void page.reveal().then(() => page.focusComposer());
    const pickIn = (page: ChatPage, pick: () => Promise<unknown>): void => void withFocusBack(pick, () => focus(page));
    const status = createChatPageStatus({
      ...{ connections, models, chat, recent: recent.list, ledgers, rules, background, clock },
      prices: { read: () => settings.prices(), onDidChange: settings.unusable.onDidChange },
    });
    const handlers = (page: ChatPage): Handlers<EditorIntent> =>
      createChatHandlers({
        ...{ chat, rules, background, connections, models, dialogs, diffs, reports, code, prompts },
        refreshConnection: () => void connections.refresh().then(() => models.retry()),
        changes: parts.changesOf(page),
        plans: parts.plans,
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
              ...{ chats, chat, submit, clear: (id, known) => page.clear(id, known) },
              focus: () => focus(page),
            },
            text,
          ),
        ...parts.attachmentsOf(page),
        post: (message) => page.postLater(message),
        pick: (command) => pickIn(page, () => runCommand(command)),
        pickAction(id) {
          const task = board.all.tasks.get(id);
          if (task) pickIn(page, () => chooseAction(task));
        },
        showChat: async (id) => {
          await parts.showIn(page, id);
        },
      });
    const ports = { extensionUri, chat, status, clock, log, results, board, handlers, translations, scaler, prompts };
    return new ChatPage(ports, reveal, onFocus);
  };
}
