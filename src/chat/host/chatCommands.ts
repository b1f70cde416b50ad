/** The commands of the Chat view and of the chats in editor tabs. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { ModelCatalog } from "../../gateway/modelCatalog";
import type { ChatIndex } from "../storage/index/chatIndex";
import type { GrantRules } from "../approval/grantRules";
import type { ChatSessions } from "../storage/chatSessions";
import { addUris, type AttachmentOptions } from "./context/attachmentHandlers";
import type { ShownChat } from "../storage/shownChat";
import { askAboutCode, fenceStart, quoteInChat, readTerminalSelection } from "./codeQuestions";
import type { ChatChanges } from "./changes/chatChanges";
import { type ChatFileActions, showRequest } from "./chatFileActions";
import { showHistory } from "./chatHistory";
import type { ChatTabs } from "./chatTabs";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { referenceToSelection } from "./context/fileReferences";
import { type CommandId, commands, internalCommands } from "../../vscode/ids";
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
import { StepPicker } from "../../vscode/interface/pickSteps";
import type { WorkingChats } from "./workingChats";
import { selectedEditor, targetEditor } from "../../vscode/interface/targetEditor";

export interface ChatCommandOptions {
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
  readonly attachmentsOf: (page: ChatPage) => AttachmentOptions;
}

export function registerChatCommands(options: ChatCommandOptions): Disposable {
  const { tabs, models, dialogs, reports } = options;
  const store = new DisposableStore();
  /** Registers a command about one page: the page whose title called the command, or the page that was used last. */
  const onPage: OnPage = (id, run) => {
    // String arguments are choices of a button or a keybinding. They identify no page, so they are left out here.
    store.add(
      dialogs.register(id, (...args) => run(tabs.pageFor(args.filter((one) => typeof one !== "string")), args)),
    );
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
  onPage(commands.chatHistory, (page) => showHistory(options, page));
  onPage(commands.manageChat, (page, args) => manageChat(options, page, args));
  onPage(commands.stopAnswer, ({ chat }) => {
    if (chat.session.current.isRunning) chat.session.current.stop();
    else void notifyInformation(t("No answer is running in this chat."));
  });
  onPage(internalCommands.showWorkingChat, (page) => showWorking(options, page));
  onPage(commands.showRequest, ({ chat }) => showRequest(chat.session.current, reports));
  onPage(commands.openChatInEditor, () => openInEditor(tabs));
  onPage(commands.focusApproval, (page) => tabs.focusApproval(page));
  onPage(commands.showApprovals, ({ chat }) => showRules(options, chat.session.current.chat.id));
  onPage(internalCommands.chooseMode, ({ chat }) => chooseMode(chat));
  const choosing = { models, prices: options.prices, checkConnection: () => dialogs.act("check-connection") };
  onPage(commands.chooseModel, ({ chat }) => chooseModel(chat, choosing));
  store.add(dialogs.register(commands.chooseTools, () => chooseTools(options.tools)));
  store.add(dialogs.register(commands.newPromptFile, () => createPromptFile(options.prompts)));
  registerContextCommands(options, onPage);
  return store;
}

function openInEditor(tabs: ChatTabs): unknown {
  const { chat } = tabs.view;
  return tabs.open(chat.isEmpty ? undefined : chat.stored.id);
}

const chatActions = ["find", "rename", "export", "delete", "move", "import", "undo", "redo", "keep"] as const;
type ChatAction = (typeof chatActions)[number];

function chatActionLabel(action: ChatAction, isInTab: boolean): string {
  switch (action) {
    case "rename":
      return t("Rename Chat…");
    case "export":
      return t("Export Chat…");
    case "delete":
      return t("Delete Chat");
    case "move":
      return isInTab ? t("Move Chat into Side Bar") : t("Open Chat in Editor");
    case "import":
      return t("Import Chat…");
    case "find":
      return t("Find in Chat");
    case "undo":
      return t("Undo All Changes of the Chat");
    case "redo":
      return t("Redo the Last Undo of the Chat");
    case "keep":
      return t("Keep All Changes of the Chat");
  }
}

/** *Manage Chat…*: the actions on a chat as a whole. A keybinding may pass one of them. */
async function manageChat(
  { tabs, actions, changesOf }: ChatCommandOptions,
  page: ChatPage,
  args: readonly unknown[],
): Promise<void> {
  const { chat } = page;
  const isInTab = page !== tabs.view;
  const wanted = chatActions.find((action) => args.includes(action));
  switch (wanted ?? (await askForChatAction(isInTab))) {
    case undefined:
      return;
    case "rename":
      await withStored(chat, (id) => actions.rename(id));
      return;
    case "export":
      await withStored(chat, (id) => actions.exportChat(id));
      return;
    case "delete":
      await withStored(chat, async (id) => (await actions.remove(id))?.());
      return;
    case "move":
      await (isInTab ? tabs.moveToSideBar(page) : openInEditor(tabs));
      return;
    case "import":
      await actions.importChats();
      return;
    case "find":
      await page.reveal();
      await page.find();
      return;
    case "undo":
      await changesOf(page).undoAll();
      return;
    case "redo":
      await changesOf(page).redoLast();
      return;
    case "keep":
      await changesOf(page).keep({});
  }
}

async function askForChatAction(isInTab: boolean): Promise<ChatAction | undefined> {
  const picker = new StepPicker(t("Manage Chat"));
  const answer = await picker.ask<ChatAction>({
    placeholder: t("What should be done with this chat?"),
    choices: chatActions.map((action) => ({ label: chatActionLabel(action, isInTab), value: action })),
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value;
}

/** Shows the chat that works out of view. Several such chats are listed at the top of the history. */
async function showWorking(options: ChatCommandOptions, page: ChatPage): Promise<void> {
  const { working, tabs } = options;
  const { first, count } = working;
  if (first === undefined) void notifyInformation(t("No chat works in the background."));
  else if (count === 1) await tabs.showIn(tabs.view, first);
  else await showHistory(options, page);
}

type OnPage = (id: CommandId, run: (page: ChatPage, args: readonly unknown[]) => unknown) => void;

/** Commands that put code, files or a terminal's text into the chat (V7). */
function registerContextCommands({ attachmentsOf }: ChatCommandOptions, onPage: OnPage): void {
  onPage(commands.addToChat, async (page, args) => {
    const editor = selectedEditor();
    // The title of a tab and the explorer pass a file; the menu of an editor passes the document of its selection.
    const isOfSelection = editor?.selection.isEmpty === false && isOf(editor.document, args);
    if (isOfSelection) await addSelection(page, editor);
    else await addFiles(page, args);
  });
  const addSelection = async (page: ChatPage, editor: vscode.TextEditor): Promise<void> => {
    const reference = referenceToSelection(editor);
    await page.reveal();
    if (reference) page.addDraft({ text: "", references: [reference] });
    else page.insert(quoteInChat(page.chat, editor.document, editor.selection));
    await page.focusComposer();
  };
  const addFiles = async (page: ChatPage, args: readonly unknown[]): Promise<void> => {
    const uris = chosenFiles(args);
    if (uris.length === 0) {
      void notifyInformation(t("No file is open in an editor."));
      return;
    }
    await page.reveal();
    const focused = page.focusComposer();
    await addUris({ ...attachmentsOf(page), toChat: page.chat.stored.id }, uris);
    await focused;
  };
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
}

/** The maximum length of a terminal's text, in characters. */
const maxTerminalTextLength = 50_000;

/** Runs `work` for the chat of a page. A chat without a prompt is not stored, so a message is shown instead. */
async function withStored(chat: ShownChat, work: (id: string) => Promise<unknown>): Promise<void> {
  if (!chat.isEmpty) await work(chat.stored.id);
  else void notifyInformation(t("This chat is empty."));
}

/**
 * Whether a command was called for an editor of that document: by a keybinding, from the palette or from its own menu. A file in the explorer or a
 * tab does not count.
 */
function isOf({ uri }: vscode.TextDocument, [clicked, further]: readonly unknown[]): boolean {
  if (clicked === undefined) return true;
  const isOfFile = typeof further === "object" && further !== null && (Array.isArray(further) || "groupId" in further);
  return !isOfFile && clicked instanceof vscode.Uri && clicked.toString() === uri.toString();
}

/** A menu passes the clicked file and all selected files; the palette passes nothing. */
function chosenFiles([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  if (Array.isArray(selected)) return (selected as unknown[]).filter((uri) => uri instanceof vscode.Uri);
  if (clicked instanceof vscode.Uri) return [clicked];
  const active = targetEditor()?.document.uri;
  return active === undefined ? [] : [active];
}

type ToolItem = ShownItem & { readonly tool: ListedTool };

/**
 * *Choose Tools*: the person selects which tools of VS Code, other extensions and MCP servers the chat may offer to a model (A2, A3). Resolves when
 * the list is closed.
 */
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
  // Otherwise the list would close and lose its check marks when the focus moves.
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
