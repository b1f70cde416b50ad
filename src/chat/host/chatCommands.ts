/** The commands of the Chat view and of the chats in editor tabs. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { ModelCatalog } from "../../gateway/modelCatalog";
import type { ChatIndex } from "../storage/index/chatIndex";
import type { GrantRules } from "../approval/grantRules";
import type { ChatSessions } from "../storage/chatSessions";
import { addUris, type AttachmentPorts } from "./context/attachmentHandlers";
import type { ShownChat } from "../storage/shownChat";
import { askAboutCode, askAboutTerminal, fenceStart, quoteInChat, readTerminalSelection } from "./codeQuestions";
import { fileOfEditor, type ChatChanges } from "./changes/chatChanges";
import { type ChatFileActions, showRequest } from "./chatFileActions";
import { showHistory } from "./chatHistory";
import type { ChatTabs } from "./chatTabs";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { referenceToSelection } from "./context/fileReferences";
import { type CommandId, commands } from "../../vscode/ids";
import { chooseMode, chooseModel } from "./chooseModel";
import { shownLine } from "../../vscode/interface/shownText";
import type { ChosenTools, ListedTool } from "./chosenTools";
import type { ReportDocuments } from "../../vscode/interface/reportDocuments";
import type { PriceList } from "../../domain/prices/priceList";
import type { SandboxState } from "../../domain/tools/sandbox";
import { showRules } from "./ruleList";
import { notifyInformation, createPick, shownItem, type ShownItem } from "../../vscode/interface/show";
import type { ChatPage } from "./panel/chatPage";
import { createPromptFile, type PromptFiles } from "./context/promptFiles";
import type { WorkingChats } from "./workingChats";
import { selectedEditor, targetEditor } from "../../vscode/interface/targetEditor";

export interface ChatCommandPorts {
  readonly tabs: ChatTabs;
  readonly models: ModelCatalog;
  readonly dialogs: Dialogs;
  readonly reports: ReportDocuments;
  readonly chats: ChatSessions;
  readonly rules: GrantRules;
  readonly sandbox: () => Promise<SandboxState>;
  readonly tools: ChosenTools;
  readonly actions: ChatFileActions;
  readonly index: ChatIndex;
  readonly prompts: PromptFiles;
  /** The person's price list. */
  readonly prices: () => PriceList;
  readonly working: Pick<WorkingChats, "first" | "count">;
  readonly clock: Clock;
  readonly changesOf: (page: ChatPage) => ChatChanges;
  readonly attachmentsOf: (page: ChatPage) => AttachmentPorts;
}

export function registerChatCommands(ports: ChatCommandPorts): Disposable {
  const { tabs, models, dialogs, reports, actions } = ports;
  const store = new DisposableStore();
  /** A command about one page: that of the title from which it is called, or the one that was used last. */
  const onPage: OnPage = (id, run) => {
    store.add(dialogs.register(id, (...args) => run(tabs.pageFor(args), args)));
  };
  onPage(commands.newChat, async (page) => {
    page.chat.create();
    await page.reveal();
    await page.focusComposer();
  });
  onPage(commands.focusComposer, async (page) => {
    await page.reveal();
    await page.focusComposer();
  });
  onPage(commands.chatHistory, (page) => showHistory(ports, page));
  onPage(commands.renameChat, ({ chat }) => withStored(chat, (id) => actions.rename(id)));
  onPage(commands.deleteChat, ({ chat }) => withStored(chat, async (id) => (await actions.remove(id))?.()));
  onPage(commands.exportChat, ({ chat }) => withStored(chat, (id) => actions.exportChat(id)));
  onPage(commands.showChanges, (page) => ports.changesOf(page).show());
  onPage(commands.undoChanges, (page) => ports.changesOf(page).undoAll());
  onPage(commands.redoChanges, (page) => ports.changesOf(page).redoLast());
  onPage(commands.keepChanges, (page) => ports.changesOf(page).keep({}));
  onPage(commands.undoFile, (page, args) => ports.changesOf(page).undo({ path: fileOfEditor(args) ?? "" }));
  onPage(commands.keepFile, (page, args) => ports.changesOf(page).keep({ path: fileOfEditor(args) ?? "" }));
  onPage(commands.undoHunk, (page) => ports.changesOf(page).undoHunk());
  onPage(commands.stopAnswer, ({ chat }) => {
    if (chat.session.current.isRunning) chat.session.current.stop();
    else void notifyInformation(t("No answer is running in this chat."));
  });
  onPage(commands.continueInBackground, (page) => tabs.putBehind(page));
  onPage(commands.showWorkingChat, (page) => showWorking(ports, page));
  onPage(commands.showRequest, ({ chat }) => showRequest(chat.session.current, reports));
  onPage(commands.openChatInEditor, () => {
    const { chat } = tabs.view;
    return tabs.open(chat.isEmpty ? undefined : chat.stored.id);
  });
  onPage(commands.moveChatToSideBar, (page) => tabs.moveToSideBar(page));
  onPage(commands.focusApproval, (page) => tabs.focusApproval(page));
  onPage(commands.findInChat, async (page) => {
    await page.reveal();
    await page.find();
  });
  onPage(commands.showApprovals, ({ chat }) => showRules(ports, chat.session.current.chat.id));
  onPage(commands.chooseMode, ({ chat }) => chooseMode(chat));
  store.add(dialogs.register(commands.importChat, () => actions.importChats()));
  onPage(commands.submitTask, async (page) => {
    await page.reveal();
    page.submitTask();
  });
  const choosing = { models, prices: ports.prices, checkConnection: () => dialogs.act("check-connection") };
  onPage(commands.chooseModel, ({ chat }) => chooseModel(chat, choosing));
  store.add(dialogs.register(commands.chooseTools, () => chooseTools(ports.tools)));
  store.add(dialogs.register(commands.newPromptFile, () => createPromptFile(ports.prompts)));
  registerContextCommands(ports, onPage);
  return store;
}

/** The chat that works unseen; of several, all are on top of the history. */
async function showWorking(ports: ChatCommandPorts, page: ChatPage): Promise<void> {
  const { working, tabs } = ports;
  const { first, count } = working;
  if (first === undefined) void notifyInformation(t("No chat works in the background."));
  else if (count === 1) await tabs.showIn(tabs.view, first);
  else await showHistory(ports, page);
}

type OnPage = (id: CommandId, run: (page: ChatPage, args: readonly unknown[]) => unknown) => void;

/** What puts code, files or a terminal's text into the chat (V7). */
function registerContextCommands({ attachmentsOf }: ChatCommandPorts, onPage: OnPage): void {
  onPage(commands.addSelection, async (page) => {
    const editor = selectedEditor();
    if (!editor || editor.selection.isEmpty) {
      void notifyInformation(t("Nothing is selected in the editor."));
      return;
    }
    const reference = referenceToSelection(editor);
    await page.reveal();
    if (reference) page.addDraft({ text: "", references: [reference] });
    else page.insert(quoteInChat(page.chat, editor.document, editor.selection));
    await page.hasFocus();
  });
  const addFiles = async (page: ChatPage, args: readonly unknown[]): Promise<void> => {
    const uris = chosenFiles(args);
    if (uris.length === 0) {
      void notifyInformation(t("No file is open in an editor."));
      return;
    }
    await page.reveal();
    await addUris({ ...attachmentsOf(page), toChat: page.chat.stored.id }, uris);
  };
  onPage(commands.addFile, addFiles);
  onPage(commands.addFolder, addFiles);
  onPage(commands.addTerminalSelection, async (page) => {
    const text = (await readTerminalSelection()).trimEnd();
    if (text === "") {
      void notifyInformation(t("Nothing is selected in the terminal."));
      return;
    }
    await page.reveal();
    page.chat.quote(text, t("the terminal"));
    page.insert(`${t("From the terminal:")}\n${fenceStart(text, maxTerminalTextLength)}\n`);
    await page.hasFocus();
  });
  onPage(commands.explainCode, (page, args) => askAboutCode(page, "explain", args));
  onPage(commands.fixCode, (page, args) => askAboutCode(page, "fix", args));
  onPage(commands.testCode, (page, args) => askAboutCode(page, "tests", args));
  onPage(commands.explainTerminal, (page) => askAboutTerminal(page));
}

/** Characters. */
const maxTerminalTextLength = 50_000;

/** Does something with the chat of a page; one without a prompt is not stored. */
async function withStored(chat: ShownChat, work: (id: string) => Promise<unknown>): Promise<void> {
  if (!chat.isEmpty) await work(chat.stored.id);
  else void notifyInformation(t("This chat is empty."));
}

/** A menu passes the file that was clicked and all that are selected; the palette passes none. */
function chosenFiles([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  if (Array.isArray(selected)) return (selected as unknown[]).filter((uri) => uri instanceof vscode.Uri);
  if (clicked instanceof vscode.Uri) return [clicked];
  const active = targetEditor()?.document.uri;
  return active === undefined ? [] : [active];
}

type ToolItem = ShownItem & { readonly tool: ListedTool };

/** *Choose Tools*: which tools of VS Code, other extensions and MCP servers the chat may offer to a model (A2, A3). Resolves when the list is closed. */
async function chooseTools(tools: ChosenTools): Promise<void> {
  const listed = tools.list();
  if (listed.length === 0) {
    void notifyInformation(t("There are no tools of extensions or MCP servers that the chat could use here."));
    return;
  }
  const pick = createPick<ToolItem>();
  const closed = Promise.withResolvers<undefined>();
  pick.title = shownLine(t("Choose Tools"));
  pick.placeholder = shownLine(t("Tools of extensions and MCP servers. Each call asks."));
  // What was checked would be lost when the focus moves.
  pick.ignoreFocusOut = true;
  pick.canSelectMany = pick.matchOnDescription = pick.matchOnDetail = true;
  pick.items = listed.map(itemOf);
  pick.selectedItems = pick.items.filter(({ tool }) => tool.state === "on");
  let chosen: readonly ToolItem[] | undefined;
  pick.onDidAccept(() => {
    chosen = pick.selectedItems;
    pick.hide();
  });
  pick.onDidHide(() => closed.resolve(undefined));
  pick.show();
  await closed.promise;
  pick.dispose();
  if (chosen) {
    await tools.choose(
      listed,
      chosen.map(({ tool }) => tool),
    );
  }
}

function itemOf(tool: ListedTool): ToolItem {
  const { name, description: detail, source = t("VS Code or an MCP server"), state } = tool;
  const description = state === "changed" ? t("{0} · has changed since you switched it on: off", source) : source;
  return { ...shownItem({ label: name, description, detail }), tool };
}
