/** The part that is loaded with the first use of the chat: its session with the tools, its page and its commands. */
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import { askToSend } from "./context/fileReferences";
import { problemsToAttach } from "./context/findContext";
import { systemClock } from "../../base/async/systemClock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { GrantRules } from "../approval/grantRules";
import type { BackgroundProcesses } from "../../tools/command/backgroundProcesses";
import type { ChangeLedgers } from "../undo/changeLedger";
import type { ChatSessions } from "../storage/chatSessions";
import type { Workspace } from "../../domain/tools/workspace";
import { createWorkspaceFiles } from "../../tools/host/workspaceFiles";
import type { EditorIntent } from "../contract/chatPageContract";
import type { Handlers } from "../../base/pageContract";
import { ChatChanges, createShownChanges, formerUri, serveFormerTexts, showUndecided } from "./changes/chatChanges";
import { type ListedFile, Review } from "./changes/review";
import { undecidedChats } from "../../vscode/ids";
import { isSessionId } from "../storage/sessionFolder";
import { keepAll, registerReviewCommands, undoAll } from "./changes/reviewCommands";
import { keepCommitted } from "./changes/keepCommitted";
import { ReviewMarks, type ReviewMarksOptions } from "./changes/reviewMarks";
import { createPlanDocuments, type PlanDocuments, PlanFiles } from "./planDocuments";
import { createChatFileActions } from "./chatFileActions";
import { registerChatCommands } from "./chatCommands";
import { createChatHandlers } from "./panel/chatHandlers";
import { createChatMedia } from "./panel/chatMedia";
import { tellUnstored, createChatPageStatus } from "./panel/chatPageStatus";
import { pageStates } from "./panel/pageStates";
import { ChatView, ChatTabs, type ChatTabsOptions } from "./chatTabs";
import { generateCommitMessage } from "./commitMessage";
import { showOnceFilled } from "../../gateway/host/connectionState";
import { createEditsChoices, type EditsChoices } from "./editsChoice";
import { commands, contextKeys, focusChat } from "../../vscode/ids";
import { RecentChats } from "../view/recentChats";
import { createReportDocuments, type ReportDocuments } from "../../vscode/interface/reportDocuments";
import { withFocusBack } from "../../vscode/interface/targetEditor";
import { runCommand, setContext, completeWalkthroughStep } from "../../vscode/interface/runCommand";
import { ChatPage } from "./panel/chatPage";
import type { SelectionEdits } from "./changes/editSelection";
import { once } from "../../base/async/serialQueue";
import { chooseAction } from "../../tasks/host/moreActions";
import type { MediaForm } from "../../tasks/host/submit/mediaForm";
import type { TasksPart } from "../../tasks/host/mountTasks";
import { isObeyedWhenNew } from "../../tools/gate/sandboxPolicy";
import { pageScaler } from "../../tools/base/pageScaler";
import { terminals } from "../../tools/host/editorKnowledge";
import type { StoragePaths } from "../../vscode/storagePaths";
import { type ChatApp, createChatApp } from "../chatApp";
import type { WorkerChatIndex } from "../storage/index/workerChatIndex";
import { improvement } from "../../tasks/host/submit/promptAt";
import type { TaskIntent } from "../../domain/task/task";
import { notifyInformation } from "../../vscode/interface/show";
import { PromptFiles } from "./context/promptFiles";
import type { AttachmentOptions } from "./context/attachmentHandlers";
import { WorkingChats } from "./workingChats";
import { type AskedDiffs, createAskedDiffs } from "./changes/askedDiffs";
import { ChosenTools, warnOfChangedTool } from "./chosenTools";

export interface ChatPart {
  readonly app: ChatApp;
  /** The tools of VS Code, other extensions and MCP servers that the person has switched on. */
  readonly tools: ChosenTools;
  readonly view: ChatView;
  /** Fills a tab that VS Code kept over a reload of the window. */
  readonly restoreTab: (tab: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** The documents of plans. */
  readonly plans: PlanFiles;
}

/** Resolves with the one form for media of this window. */
type OpenMediaForm = () => Promise<Pick<MediaForm, "fillFromChat">>;

export async function mountChat(
  context: vscode.ExtensionContext,
  part: TasksPart,
  storage: StoragePaths,
  index: WorkerChatIndex,
  openMediaForm: OpenMediaForm,
): Promise<ChatPart> {
  const { extensionUri, subscriptions, globalState, extension } = context;
  const { dialogs } = part;
  const { models } = part.app;
  const mounted = new DisposableStore();
  subscriptions.push(mounted);
  const tools = new ChosenTools(globalState, extension.id, (name) => void warnOfChangedTool(name));
  const reports = mounted.add(createReportDocuments("sluice-request"));
  const workspace = createWorkspaceFiles();
  const app = mounted.add(createApp(context, part, storage, workspace, tools, reports));
  const [chats, rules, ledgers] = await Promise.all([app.openChats(), app.openRules(), app.openLedgers()]);
  const background = await app.openBackground();
  const diffs = mounted.add(createAskedDiffs());
  const review = mounted.add(openReview(context, ledgers, () => chats.shown.current.chat.id));
  const { sessions: folder, images } = app.folders;
  const recent = mounted.add(new RecentChats(chats.shown, folder, chats));
  const hasChats = (): boolean => [...chats.open.values()].some(({ session }) => session.chat.entries.length > 0);
  mounted.add(
    showOnceFilled(
      contextKeys.hasChats,
      hasChats,
      chats.onDidChange,
      () => void completeWalkthroughStep(context, "chat"),
    ),
  );
  // This code is loaded when a chat is first shown, and the step `local` asks for nothing more.
  void completeWalkthroughStep(context, "local");
  const prompts = mounted.add(new PromptFiles(storage.prompts, workspace));
  const attachmentsOf = (page: ChatPage): AttachmentOptions => {
    return { session: page.chat.session, images, workspace, post: (message) => page.postLater(message) };
  };
  mounted.add(serveFormerTexts(ledgers, review));
  mounted.add(keepCommitted({ review, memory: context.workspaceState, log: part.log }));
  const others = { keep: () => keepAll(review), undo: () => undoAll(review) };
  const shown = mounted.add(createShownChanges(dialogs, others));
  const isOpen = (): boolean => review.paths.length > 0;
  const showDiffs = async (files: readonly ListedFile[]): Promise<void> => {
    if (await showUndecided(files)) shown.note({ ...others, isOpen, onDidChange: review.onDidChange });
  };
  mounted.add(registerReviewCommands({ review, dialogs, formerUri, showDiffs }));
  const changesOf = (page: ChatPage): ChatChanges =>
    new ChatChanges({
      ledgers,
      chat: page.chat,
      shown,
      insert: (id, text) => page.insertBefore(text, id),
      clear: (id, text) => page.clear(id, text),
    });
  const results = vscode.Uri.file(storage.results);
  const files = new PlanFiles(chats);
  const plans = mounted.add(
    createPlanDocuments({
      files,
      dialogs,
      clock: systemClock,
      log: part.log,
      showChat: (id) => tabs.showIn(tabs.view, id),
    }),
  );
  const edits = mounted.add(
    createEditsChoices(rules, context.workspaceState, (listener) =>
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) listener();
      }),
    ),
  );
  const createPage = pageFactory({
    extensionUri,
    part,
    app,
    chats,
    ledgers,
    rules,
    edits,
    background,
    recent,
    diffs,
    reports,
    review,
    openMediaForm,
    clock: systemClock,
    results,
    attachmentsOf,
    changesOf,
    plans,
    prompts,
    showIn: async (page, id) => {
      if (!(await tabs.showIn(page, id))) recent.refresh();
    },
  });
  const focusView = (): Promise<void> => runCommand(focusChat);
  const tabs: ChatTabs = mounted.add(
    new ChatTabs({ extensionUri, chats, focusView, createPage, stateOf: pageStates(context.workspaceState) }),
  );
  const view = mounted.add(new ChatView(tabs.view, chats, part.chatInView));
  const working = mounted.add(watchWorking(part, chats, tabs));
  for (const watch of [watchNewFiles(background), tellUnstored(chats), watchChats(chats)]) mounted.add(watch);
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
  mountEdits({ ...part, review }, mounted);
  return { app, tools, view, restoreTab, plans: files };
}

function createApp(
  { extensionUri, subscriptions, workspaceState }: vscode.ExtensionContext,
  { app, connections, log, services: { settings, network } }: TasksPart,
  storage: StoragePaths,
  workspace: Workspace,
  tools: ChosenTools,
  reports: ReportDocuments,
): ChatApp {
  const loadProcesses = once(async () => {
    const { createChildProcesses } = await import("../../tools/command/childProcesses");
    const openSandbox = once(async () => {
      const { createSandbox } = await import("../../tools/sandbox/sandbox");
      const { tellLeftCopies, tellLeftCopy } = await import("./leftCopies");
      const onLeft = (folder: string): void => void tellLeftCopy({ workspace, sandbox, reports }, folder);
      const sandbox = createSandbox(() => settings.get("sandbox"), process.env, storage.copies, onLeft);
      subscriptions.push(sandbox);
      void tellLeftCopies({ workspace, sandbox, reports }, storage.copies);
      return sandbox;
    });
    return createChildProcesses(systemClock, openSandbox);
  });
  return createChatApp({
    connections,
    models: app.models,
    openTaskPort: () => app.openTaskPort(),
    workspace,
    loadProcesses,
    loadWeb: async () => {
      const { createWebReader } = await import("../../gateway/webReader");
      return createWebReader({ network, log, now: () => systemClock.now() });
    },
    loadPages: async () => {
      const { createPageCapture, findBrowser } = await import("../../tools/web/pageCapture");
      const roots = workspace.roots().map(({ path }) => path);
      return createPageCapture(await loadProcesses(), findBrowser(process.platform, process.env, roots));
    },
    terminals,
    searchProgram: vscode.Uri.joinPath(extensionUri, "dist", "search.mjs").fsPath,
    loadEditor: async () => (await import("../../tools/host/editorKnowledge")).editorKnowledge,
    loadForeignTools: () => Promise.resolve(tools),
    loadPlace: async () => {
      const { createEditorPlace } = await import("./context/editorPlace");
      return createEditorPlace(() => settings.get("instructions"), workspaceState);
    },
    scaleImage: pageScaler.scale,
    confirmAttachment: askToSend,
    listProblems: problemsToAttach,
    clock: systemClock,
    log,
    settings,
    makesTitles: () => true,
    storage: { chats: storage.chats, rules: storage.rules },
    shownChat: {
      read: () => workspaceState.get("shownChat"),
      write: (id) => void workspaceState.update("shownChat", id),
    },
    quotedTexts: {
      read: () => workspaceState.get("quotedTexts"),
      write: (kept) => void workspaceState.update("quotedTexts", kept),
    },
  });
}

/** Opens the review with the undecided changes of earlier windows. */
function openReview({ workspaceState }: vscode.ExtensionContext, ledgers: ChangeLedgers, chat: () => string): Review {
  const kept: unknown = workspaceState.get(undecidedChats);
  const stored: readonly string[] = Array.isArray(kept)
    ? kept.filter((id) => typeof id === "string" && isSessionId(id))
    : [];
  for (const id of stored) ledgers.of(id);
  return new Review({ ledgers, chat, clock: systemClock, memory: workspaceState, stored });
}

/**
 * Watches the workspace while commands run in the background, because these run in the workspace itself and not on a copy. Their rows list each new
 * file that a program runs or takes as instructions.
 */
function watchNewFiles(background: BackgroundProcesses): Disposable {
  let watcher: vscode.FileSystemWatcher | undefined;
  const update = (): void => {
    if (background.running.length === 0) {
      watcher?.dispose();
      watcher = undefined;
    } else if (watcher === undefined) {
      watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, true);
      watcher.onDidCreate((uri) => {
        const label = vscode.workspace.asRelativePath(uri, vscode.workspace.workspaceFolders?.length !== 1);
        const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
        const inRoot = vscode.workspace.asRelativePath(uri, false);
        if (root !== undefined && isObeyedWhenNew(root, inRoot)) background.noteMade(label);
      });
    }
  };
  const listening = background.onDidChange(update);
  update();
  return {
    dispose: () => {
      listening.dispose();
      watcher?.dispose();
    },
  };
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

/**
 * Registers *Generate Commit Message*, the marks of the review, and the commands of *Edit Selection*, whose code is loaded when one of them is first
 * used.
 */
function mountEdits(
  { app, connections, dialogs, log, review }: TasksPart & { readonly review: Review },
  mounted: DisposableStore,
): void {
  const options = { connections, models: app.models, dialogs, log };
  let opened: SelectionEdits | undefined;
  const edits = once(async () => {
    const { SelectionEdits } = await import("./changes/editSelection");
    return (opened = mounted.add(new SelectionEdits({ ...options, clock: systemClock, review })));
  });
  const canSayMore: ReviewMarksOptions["canSayMore"] = (document, hunk) => opened?.canSayMore(document, hunk) === true;
  mounted.add(new ReviewMarks({ review, clock: systemClock, canSayMore }));
  mounted.add(dialogs.register(commands.generateCommitMessage, (...args) => generateCommitMessage(options, args)));
  mounted.add(dialogs.register(commands.editSelection, async (...args) => (await edits()).begin(args)));
  const improve = async (place: unknown): Promise<void> => {
    const asked = await improvement(place);
    if (asked) await (await edits()).begin(asked);
  };
  mounted.add(dialogs.register(commands.improvePrompt, improve));
  mounted.add(dialogs.register(commands.sayMoreToEdit, async (...args) => (await edits()).sayMore(args)));
}

/** Sets the context keys for the `when` clauses of *Stop Answer* and *Focus Waiting Approval*. */
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
  readonly app: ChatApp;
  readonly chats: ChatSessions;
  readonly ledgers: ChangeLedgers;
  readonly rules: GrantRules;
  readonly edits: EditsChoices;
  readonly background: BackgroundProcesses;
  readonly recent: RecentChats;
  readonly diffs: AskedDiffs;
  readonly reports: ReportDocuments;
  readonly review: Review;
  readonly clock: typeof systemClock;
  readonly openMediaForm: OpenMediaForm;
  /** The local folder of results. */
  readonly results: vscode.Uri;
  readonly prompts: PromptFiles;
  readonly attachmentsOf: (page: ChatPage) => AttachmentOptions;
  readonly changesOf: (page: ChatPage) => ChatChanges;
  readonly plans: PlanDocuments;
  /** Shows another chat in a page. */
  readonly showIn: (page: ChatPage, id: string) => Promise<unknown>;
}

/** Returns the function that makes the page of a chat, in the side bar or a tab. */
function pageFactory(parts: ChatPageParts): ChatTabsOptions["createPage"] {
  const { extensionUri, ledgers, rules, background, recent, diffs, reports, review, clock } = parts;
  const { results, prompts } = parts;
  const { services, connections, dialogs, log, translations } = parts.part;
  const { models, board } = parts.part.app;
  return (chat, state, reveal, onFocus) => {
    const { settings } = services;
    const focus = (page: ChatPage): void => void page.reveal().then(() => page.focusComposer());
    const pickIn = (page: ChatPage, pick: () => Promise<unknown>): void => void withFocusBack(pick, () => focus(page));
    const status = createChatPageStatus({
      connections,
      models,
      chat,
      recent: recent.list,
      ledgers,
      rules,
      edits: parts.edits.current,
      undecided: review.count,
      background,
      clock,
      balances: services.balances,
      prices: { read: () => settings.prices(), onDidChange: settings.unusable.onDidChange },
      moneyCap: () => settings.get("caps.moneyPerChat"),
    });
    const handlers = (page: ChatPage): Handlers<EditorIntent> =>
      createChatHandlers({
        chat,
        rules,
        edits: parts.edits,
        background,
        connections,
        models,
        dialogs,
        diffs,
        reports,
        review,
        prompts,
        refreshConnection: () => void connections.refresh().then(() => models.retry()),
        changes: parts.changesOf(page),
        plans: parts.plans,
        moveCommand: (id) => parts.app.moveCommand(id),
        media: createChatMedia({
          session: chat.session,
          dialogs,
          alt: { connections, models, log },
          resultsFolder: () => services.settings.resultsFolder(),
          post: (message) => page.showMedia(message),
          scaler: pageScaler,
        }),
        settings: { get: (id) => settings.get(id), onDidChange: settings.unusable.onDidChange },
        submitTask: (text) => submitFromChat(parts, page, text),
        ...parts.attachmentsOf(page),
        post: (message) => page.postLater(message),
        pick: (command) => pickIn(page, () => runCommand(command)),
        pickAction(id) {
          const task = board.all.get(id);
          if (task) pickIn(page, () => chooseAction(task));
        },
        showChat: async (id) => {
          await parts.showIn(page, id);
        },
      });
    const shared = { extensionUri, chat, state, status, clock, log, results, board, handlers, translations, prompts };
    const refreshBalance = (): void => services.balances.refresh();
    return new ChatPage({ ...shared, scaler: pageScaler, refreshBalance }, reveal, onFocus);
  };
}

/**
 * Opens *New Media Task…* with the composer's text. Its tasks become part of the chat. The composer keeps its text until they are on disk, because the
 * person may leave the form without a task.
 */
async function submitFromChat({ chats, openMediaForm }: ChatPageParts, page: ChatPage, text: string): Promise<void> {
  const { chat } = page;
  const prompt = text.trim();
  const { id } = chat.stored;
  const onWritten = (intents: readonly TaskIntent[]): void => {
    page.clear(id, text);
    const ids = intents.map((intent) => intent.id);
    const written = intents[0]?.prompt ?? prompt;
    void chats
      .use(id, (stored) => stored.session.addTasks(written, ids, chat.sourceOf(written) ?? chat.sourceOf(prompt)))
      .catch(() => false)
      .then((isAdded) => {
        if (!isAdded)
          void notifyInformation(
            t("The task is in the Tasks view only: this window can't write the chat it began in."),
          );
      });
  };
  (await openMediaForm()).fillFromChat(prompt, onWritten);
  await runCommand(commands.newTask);
}
